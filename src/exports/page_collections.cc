#include "exports/page_collections.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "exports/text.h"
#include "profile/build/process.h"
#include "profile/memory/gc_totals.h"
#include "report/memory/gc_detail.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using profile::Collection;
using profile::GcStretch;
using profile::Profile;

constexpr size_t kMostCollections = 5000, kMostThreadsOfOne = 64;

// By collection, as in the profile: nanoseconds by thread.
using ThreadTimes = std::vector<std::map<uint32_t, int64_t>>;

// How long each of the collector's threads marked, while several did so at a time. A stretch is the part of the
// collection of its process that began last before it: a short one may run during one beside the program.
void add_marking(const Profile& profile, ThreadTimes& times) {
  std::map<uint32_t, std::vector<size_t>> by_process;
  for (size_t i = 0; i < profile.collections.size(); ++i) by_process[profile.collections[i].process].push_back(i);
  const auto start_of = [&](size_t i) { return profile.collections[i].start_ns; };
  for (auto& [process, collections] : by_process) std::ranges::sort(collections, {}, start_of);
  for (const GcStretch& stretch : profile.gc_stretches) {
    if (stretch.thread >= profile.threads.size()) continue;
    const std::vector<size_t>& collections = by_process[stretch.process];
    const auto behind = std::ranges::upper_bound(collections, stretch.start_ns, {}, start_of);
    if (behind == collections.begin() || profile.collections[*(behind - 1)].end_ns <= stretch.start_ns) continue;
    times[*(behind - 1)][stretch.thread] += std::max<int64_t>(0, stretch.end_ns - stretch.start_ns);
  }
}

// As runtimes tell it that give each thread's part.
void add_parts(const Profile& profile, ThreadTimes& times) {
  const auto parts = profile::gc_parts_by_collection(profile);
  for (size_t i = 0; i < parts.size(); ++i)
    for (const profile::GcPart* part : parts[i])
      if (part->thread < profile.threads.size()) times[i][part->thread] += std::max<int64_t>(0, part->ns);
}

// As [thread, nanoseconds].
json threads_json(const std::map<uint32_t, int64_t>& times) {
  json all = json::array();
  for (const auto& [thread, ns] : times)
    if (all.size() < kMostThreadsOfOne) all.push_back({thread, ns});
  return all;
}

}  // namespace

json page_collections(const Profile& profile, int64_t from_ns, int64_t to_ns) {
  std::vector<const Collection*> shown;
  for (const Collection& collection : profile.collections)
    if (collection.start_ns < to_ns &&
        std::max(collection.end_ns, collection.start_ns + collection.pause_ns) >= from_ns)
      shown.push_back(&collection);
  const size_t all = shown.size();
  if (shown.size() > kMostCollections) {
    std::ranges::stable_sort(shown, std::greater(), &Collection::pause_ns);
    shown.resize(kMostCollections);
    std::ranges::sort(shown, {}, [](const Collection* one) { return one->start_ns; });
  }
  ThreadTimes times(profile.collections.size());
  add_marking(profile, times);
  add_parts(profile, times);
  json rows = json::array(), processes = json::array();
  for (const Collection* one : shown)
    rows.push_back({one->number, one->start_ns, one->end_ns, one->pause_ns, one->generation,
                    clean_text(report::collection_reason(*one)), one->heap ? json(one->heap->total()) : json(nullptr),
                    report::collection_steps(one->phases),
                    threads_json(times[static_cast<size_t>(one - profile.collections.data())]), one->process});
  for (const profile::Process& process : profile.processes) processes.push_back(clean_text(process_label(process)));
  return {{"rows", rows}, {"leftOut", all - shown.size()}, {"processes", processes}};
}

}  // namespace oriel::exports
