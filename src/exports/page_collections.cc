#include "exports/page_collections.h"

#include <algorithm>
#include <map>
#include <vector>

#include "exports/text.h"
#include "report/memory/gc_detail.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using profile::Collection;
using profile::GcStretch;
using profile::Profile;

constexpr size_t kMostCollections = 5000, kMostThreadsOfOne = 64;

// What each of the collector's threads did of a collection, as [thread, nanoseconds]: while several mark at a time, the
// log tells that of each.
json threads_json(const Collection& collection, const std::vector<GcStretch>& stretches, size_t threads) {
  std::map<uint32_t, int64_t> times;
  const auto from = std::ranges::lower_bound(stretches, collection.start_ns, {}, &GcStretch::start_ns);
  for (auto at = from; at != stretches.end() && at->start_ns < collection.end_ns; ++at)
    if (at->thread < threads) times[at->thread] += std::max<int64_t>(0, at->end_ns - at->start_ns);
  json all = json::array();
  for (const auto& [thread, ns] : times)
    if (all.size() < kMostThreadsOfOne) all.push_back({thread, ns});
  return all;
}

}  // namespace

json page_collections(const Profile& profile) {
  std::vector<const Collection*> shown;
  for (const Collection& collection : profile.collections) shown.push_back(&collection);
  if (shown.size() > kMostCollections) {
    const auto longer = [](const Collection* a, const Collection* b) { return a->pause_ns > b->pause_ns; };
    std::ranges::nth_element(shown, shown.begin() + kMostCollections, longer);
    shown.resize(kMostCollections);
    std::ranges::sort(shown, {}, [](const Collection* one) { return one->start_ns; });
  }
  // Sorted by begin, as tables of several logs need not be.
  std::vector<GcStretch> of_threads;
  for (const GcStretch& stretch : profile.gc_stretches)
    if (stretch.thread != GcStretch::kAllThreads) of_threads.push_back(stretch);
  std::ranges::sort(of_threads, {}, &GcStretch::start_ns);
  json rows = json::array();
  for (const Collection* one : shown)
    rows.push_back({one->number, one->start_ns, one->end_ns, one->pause_ns, one->generation,
                    clean_text(report::collection_reason(*one)), one->heap ? json(one->heap->total()) : json(nullptr),
                    report::collection_steps(one->phases), threads_json(*one, of_threads, profile.threads.size())});
  return {{"rows", rows}, {"leftOut", profile.collections.size() - shown.size()}};
}

}  // namespace oriel::exports
