#include "top/pages.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "profile/recorded.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "profile/waiting/locks.h"
#include "profile/waiting/requests.h"
#include "profile/waiting/waits.h"
#include "profile/work/category.h"
#include "report/shares.h"
#include "report/waiting/waits.h"
#include "report/words/function_name.h"
#include "report/words/text.h"

namespace oriel::top {
namespace {

using profile::Profile;

constexpr double kNsPerSecond = 1e9;

// How many percent of a processor a period stands for, by what the kernel says that the process used.
double percent_of_period(const Window& window) {
  const auto periods = static_cast<double>(window.profile->total_periods());
  if (periods == 0) return 0;
  if (window.process && window.process->cpu > 0) return 100 * window.process->cpu / periods;
  const double hz = window.profile->sampling_hz;
  return hz > 0 && window.seconds > 0 ? 100 / hz / window.seconds : 0;
}

double per_second(double value, const Window& window) { return window.seconds > 0 ? value / window.seconds : 0; }

// How many threads periods of waiting stand for.
double threads_of(uint64_t periods, const Window& window) {
  return per_second(static_cast<double>(report::ns_of(periods, *window.profile)) / kNsPerSecond, window);
}

void sort_by_first(Page& page) {
  std::ranges::stable_sort(page.rows, std::greater<>(), [](const Row& row) { return row.values.front(); });
}

std::string name_of_purpose(const profile::Share& purpose) {
  return purpose.category == profile::Category::kOwn ? "" : report::share_name(purpose);
}

// What the time of an own method, with its library callees, was mostly spent in; "" where that is its own code.
std::map<uint32_t, std::string> mostly_in(const Profile& profile) {
  const profile::Purposes purposes = profile::purposes(profile);
  const std::vector<uint32_t> nearest = profile::nearest_own(profile);
  std::map<uint32_t, std::map<std::string, uint64_t>> sums;
  for (size_t i = 0; i < profile.samples.size(); ++i)
    sums[nearest[profile.samples[i].node]][name_of_purpose(purposes.all[purposes.of_sample[i]])] +=
        profile.samples[i].periods;
  std::map<uint32_t, std::string> result;
  for (const auto& [function, by_name] : sums)
    result[function] = std::ranges::max_element(by_name, {}, [](const auto& sum) { return sum.second; })->first;
  return result;
}

Page methods(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"methods", {{"CPU%", "cpu", Unit::kPercent}, {"TOTAL%", "total", Unit::kPercent}},
            "MOSTLY",  "YOUR METHOD, WITH LIBRARIES IT CALLS",
            {},        ""};
  const double percent = percent_of_period(window);
  std::map<uint32_t, std::string> mostly = mostly_in(profile);
  uint64_t rest = profile.total_periods();
  for (const profile::OwnTotals& totals : profile::own_totals(profile)) {
    const std::string name = report::clean(profile.functions[totals.function].name);
    page.rows.push_back({name,
                         totals.nearest > 0 ? mostly[totals.function] : "",
                         name,
                         {static_cast<double>(totals.nearest) * percent, static_cast<double>(totals.total) * percent},
                         totals.function});
    rest -= std::min(rest, totals.nearest);
  }
  if (rest > 0 && !page.rows.empty()) {
    const double value = static_cast<double>(rest) * percent;
    page.rows.push_back({"", mostly[0], "[not below your code]", {value, value}, 0});
  }
  sort_by_first(page);
  page.why_empty = profile::is_sampled(profile)
                       ? "none of your code used a processor; the next view has the functions of all code"
                       : "no samples: this log is written without; oriel ctl PID start sample takes them";
  return page;
}

Page functions(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"functions", {{"SELF%", "self", Unit::kPercent}, {"TOTAL%", "total", Unit::kPercent}},
            "MODULE",    "FUNCTION, OF ALL CODE",
            {},          "no thread used a processor"};
  const double percent = percent_of_period(window);
  for (const profile::FunctionTotals& totals : profile::function_totals(profile)) {
    if (totals.function == 0) continue;
    const profile::Function& function = profile.functions[totals.function];
    const std::string name = report::clean(function.name), module = report::clean(function.module);
    page.rows.push_back({module + "/" + name,
                         module,
                         name,
                         {static_cast<double>(totals.self) * percent, static_cast<double>(totals.total) * percent},
                         totals.function});
  }
  sort_by_first(page);
  return page;
}

Page memory(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"memory", {{"BYTES/s", "bytes", Unit::kBytesPerSecond}, {"OBJECTS/s", "objects", Unit::kPerSecond}},
            "",       "TYPE OF ALLOCATED OBJECTS",
            {},       ""};
  for (const profile::AllocationTotals& totals : profile::allocations_by_type(profile)) {
    const std::string name = report::clean(profile.functions[totals.type].name);
    page.rows.push_back({name,
                         "",
                         name,
                         {per_second(static_cast<double>(totals.bytes), window),
                          per_second(static_cast<double>(totals.objects), window)},
                         totals.type});
  }
  page.why_empty = profile::has_allocations(profile)
                       ? "no allocations were seen"
                       : "this log is written without allocations; oriel ctl PID start alloc=sampled adds them";
  return page;
}

Page exceptions(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"exceptions", {{"THROWN/s", "thrown", Unit::kPerSecond}, {"CAUGHT/s", "caught", Unit::kPerSecond}},
            "",           "TYPE OF EXCEPTIONS",
            {},           "no exceptions were thrown"};
  for (uint32_t i = 0; i < profile.exceptions.size(); ++i) {
    const profile::ExceptionType& type = profile.exceptions[i];
    const std::string name = report::clean(type.type);
    page.rows.push_back(
        {name,
         "",
         name,
         {per_second(static_cast<double>(type.thrown), window), per_second(static_cast<double>(type.caught), window)},
         i});
  }
  sort_by_first(page);
  return page;
}

// An own method that waits; the node is where.
std::string own_name(uint32_t node, const Profile& profile) {
  return node == 0 ? "[none of your code]" : report::clean(profile.functions[profile.nodes[node].function].name);
}

// Locks as the runtime tells of each wait; all else, and locks if it does not, as samples of waiting threads.
Page waits(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"waits",
            {{"THREADS", "threads", Unit::kThreads},
             {"WAITS/s", "waits", Unit::kPerSecond},
             {"LONGEST", "longest", Unit::kSeconds}},
            "FOR",
            "WAITING IN",
            {},
            ""};
  std::map<std::pair<std::string, std::string>, Row> rows;
  const auto row_of = [&](const std::string& what, uint32_t node) -> Row& {
    const std::string name = own_name(node, profile);
    return rows.try_emplace({what, name}, Row{what + "/" + name, what, name, {0, 0, 0}, node}).first->second;
  };
  for (const profile::LockPlace& lock : profile::lock_places(profile)) {
    Row& row = row_of("lock " + report::clean(profile.functions[lock.type].name), lock.own);
    row.values[0] += per_second(static_cast<double>(lock.waited_ns) / kNsPerSecond, window);
    row.values[1] += per_second(static_cast<double>(lock.waits), window);
    row.values[2] = std::max(row.values[2], static_cast<double>(lock.longest_ns) / kNsPerSecond);
  }
  for (const profile::WaitRow& wait : profile::waits(profile).rows) {
    if (wait.place.what == profile::WaitFor::kLock && !profile.lock_waits.empty()) continue;
    row_of(report::wait_text(wait.place, profile), wait.place.own).values[0] += threads_of(wait.periods, window);
  }
  for (auto& [key, row] : rows) page.rows.push_back(std::move(row));
  sort_by_first(page);
  page.why_empty =
      profile::has_waits(profile) ? "no thread waited in your code" : "this log is written without waiting threads";
  return page;
}

Page threads(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{
      "threads", {{"CPU%", "cpu", Unit::kPercent}, {"WAITS%", "waits", Unit::kPercent}, {"TID", "tid", Unit::kNumber}},
      "THREAD",  "MOSTLY IN",
      {},        "no thread was sampled"};
  const std::vector<uint32_t> nearest = profile::nearest_own(profile);
  std::vector<uint64_t> running(profile.threads.size()), waiting(profile.threads.size());
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> by_function;
  for (const profile::Sample& sample : profile.samples) {
    running[sample.thread] += sample.periods;
    const uint32_t own = nearest[sample.node];
    by_function[{sample.thread, own != 0 ? own : profile.nodes[sample.node].function}] += sample.periods;
  }
  const profile::WaitTotals waits = profile::waits(profile);
  for (size_t i = 0; i < profile.waits.size(); ++i)
    if (const uint32_t row = waits.row_of[i]; row != profile::WaitTotals::kNoRow) {
      const profile::Sample& wait = profile.waits[i];
      waiting[wait.thread] += wait.periods;
      const uint32_t own = profile.nodes[waits.rows[row].place.own].function;
      if (running[wait.thread] == 0 && own != 0) by_function[{wait.thread, own}] += wait.periods;
    }
  const double percent = percent_of_period(window);
  for (uint32_t thread = 0; thread < profile.threads.size(); ++thread) {
    if (running[thread] == 0 && waiting[thread] == 0) continue;
    uint32_t most = 0;
    uint64_t most_periods = 0;
    for (auto at = by_function.lower_bound({thread, 0}); at != by_function.end() && at->first.first == thread; ++at)
      if (at->second > most_periods) std::tie(most, most_periods) = std::pair(at->first.second, at->second);
    const auto tid = static_cast<double>(profile.threads[thread].os_id);
    page.rows.push_back({std::to_string(profile.threads[thread].os_id),
                         report::clean(report::thread_label(profile.threads[thread])),
                         report::clean(profile.functions[most].name),
                         {static_cast<double>(running[thread]) * percent,
                          std::min(100.0, 100 * threads_of(waiting[thread], window)), tid},
                         thread});
  }
  sort_by_first(page);
  return page;
}

Page requests(const Window& window) {
  const Profile& profile = *window.profile;
  Page page{"requests",
            {{"TIMES/s", "times", Unit::kPerSecond},
             {"FAILED/s", "failed", Unit::kPerSecond},
             {"AVERAGE", "average", Unit::kSeconds},
             {"95%", "p95", Unit::kSeconds},
             {"LONGEST", "longest", Unit::kSeconds}},
            "",
            "REQUEST",
            {},
            ""};
  const std::vector<profile::ActivityGroup> groups = profile::requests(profile);
  for (uint32_t i = 0; i < groups.size(); ++i) {
    const profile::ActivityGroup& group = groups[i];
    const auto times = static_cast<double>(group.activities.size());
    const std::string name = report::clean(group.name.empty() ? group.source : group.name);
    page.rows.push_back({name,
                         "",
                         name,
                         {per_second(times, window), per_second(static_cast<double>(group.failed), window),
                          static_cast<double>(group.ns) / kNsPerSecond / times,
                          static_cast<double>(profile::quantile(group, profile, 0.95)) / kNsPerSecond,
                          static_cast<double>(group.longest_ns) / kNsPerSecond},
                         i});
  }
  sort_by_first(page);
  page.why_empty = "no requests: only oriel run and oriel attach with --activities record them";
  return page;
}

}  // namespace

// In the order of PageId.
std::array<Page, kPages> make_pages(const Window& window) {
  return {methods(window), functions(window), memory(window),  exceptions(window),
          waits(window),   threads(window),   requests(window)};
}

}  // namespace oriel::top
