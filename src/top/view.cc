#include "top/view.h"

#include <algorithm>
#include <functional>

#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/oriel_frames.h"
#include "profile/waiting/requests.h"
#include "profile/work/category.h"
#include "report/shares.h"
#include "top/pages.h"

namespace oriel::top {
namespace {

using profile::Profile;

std::vector<Share> cpu_shares(const Profile& profile) {
  const auto whole = static_cast<double>(profile.total_periods());
  std::map<std::string, double> by_name;
  for (const profile::Share& share : profile::shares(profile))
    by_name[report::share_name(share)] += static_cast<double>(share.periods) / whole;
  std::vector<Share> result;
  for (const auto& [name, part] : by_name)
    if (part > 0) result.push_back({name, part});
  std::ranges::stable_sort(result, std::greater<>(), &Share::part);
  return result;
}

// The last value of a counter that .NET's libraries tell of, by either of its names.
std::optional<double> last_value(const Profile& profile, std::string_view meter_name, std::string_view event_name) {
  for (const profile::CounterSeries& series : profile.series)
    if ((series.name == meter_name || series.name == event_name) && !series.points.empty())
      return series.points.back().value;
  return std::nullopt;
}

void add_memory(const Window& window, Carried& carried, Figures& figures) {
  const Profile& profile = *window.profile;
  for (const profile::Collection& collection : profile.collections)
    if (collection.heap) carried.heap = collection.heap->total();
  figures.heap = carried.heap;
  for (const auto& [generation, totals] : profile::gc_totals(profile).by_generation)
    figures.collections[generation] = static_cast<double>(totals.count) / window.seconds;
  for (const profile::Pause& pause : profile.pauses)
    figures.paused += static_cast<double>(pause.ns) / 1e9 / window.seconds;
  if (!profile::has_allocations(profile)) return;
  const uint64_t bytes = profile::sum_calls(profile).bytes;
  carried.allocates = carried.allocates || bytes != 0;
  // Mono reports none where they were asked for too late.
  if (profile::is_of_mono(profile) && !carried.allocates) return;
  figures.allocated = static_cast<double>(bytes) / window.seconds;
}

void add_requests(const Window& window, Figures& figures) {
  const Profile& profile = *window.profile;
  int64_t most = 0;
  for (const profile::ActivityGroup& group : profile::requests(profile)) {
    figures.requests += static_cast<double>(group.activities.size()) / window.seconds;
    figures.failed_requests += static_cast<double>(group.failed) / window.seconds;
    if (group.ns <= most) continue;
    most = group.ns;
    figures.request_p95_ns = profile::quantile(group, profile, 0.95);
  }
}

// From the table of waits, whose rows are of one place each.
void add_waits(const Page& page, Figures& figures) {
  std::map<std::string, double> by_what;
  for (const Row& row : page.rows) {
    by_what[row.note] += row.values[0];
    figures.waiting += row.values[0];
    figures.lock_waits += row.values[1];
  }
  figures.waits.assign(by_what.begin(), by_what.end());
  std::ranges::stable_sort(figures.waits, std::greater<>(), &std::pair<std::string, double>::second);
}

}  // namespace

profile::Profile prepared(Profile profile) {
  profile::fold_oriel(profile);
  return profile;
}

View make_view(Window window, Carried& carried) {
  View view;
  window.seconds = std::max(window.seconds, 1e-3);
  const Profile& profile = *window.profile;
  if (profile.total_periods() > 0) view.shares = cpu_shares(profile);
  view.pages = make_pages(window);
  Figures& figures = view.figures;
  add_memory(window, carried, figures);
  for (const Row& row : view.page(PageId::kExceptions).rows) figures.exceptions += row.values[0];
  if (figures.exceptions > 0) figures.exception = view.page(PageId::kExceptions).rows.front().name;
  add_waits(view.page(PageId::kWaits), figures);
  if (!profile.pool_changes.empty()) carried.pool_wants = profile.pool_changes.back().threads;
  figures.pool_wants = carried.pool_wants;
  figures.pool_queue = last_value(profile, "dotnet.thread_pool.queue.length", "threadpool-queue-length");
  add_requests(window, figures);
  view.window = std::move(window);
  return view;
}

}  // namespace oriel::top
