#include "exports/trace_ids.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/text/words.h"
#include "exports/frames.h"
#include "exports/text.h"
#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::exports {
namespace {

constexpr uint32_t kMostPid = 1 << 22;  // the system's numbers are below it

class TraceNumbers {
 public:
  // The wanted number, if it is one of the system's and not taken.
  uint32_t take(uint64_t wanted) {
    const bool is_good = wanted > 0 && wanted < kMostPid && taken_.insert(static_cast<uint32_t>(wanted)).second;
    return is_good ? static_cast<uint32_t>(wanted) : next_++;
  }

 private:
  std::set<uint32_t> taken_;
  uint32_t next_ = kMostPid + 1;
};

void add_processes(const profile::Profile& profile, TraceIds& ids) {
  TraceNumbers numbers;
  for (const profile::Process& process : profile.processes) {
    const std::string name = clean_text(process.name);
    ids.processes.push_back(
        {numbers.take(process.pid), name.empty() ? title_of(profile) : name, clean_text(process.command)});
  }
  if (ids.processes.empty()) {
    const uint64_t pid = profile::number_property(profile.intro, log::property::kPid);
    ids.processes.push_back({numbers.take(pid), title_of(profile), property_of(profile, log::property::kCommand)});
  }
}

}  // namespace

TraceIds trace_ids(const profile::Profile& profile) {
  TraceIds ids;
  add_processes(profile, ids);
  ids.labels = thread_labels(profile);
  ids.main_thread.resize(ids.processes.size(), TraceIds::kNone);
  TraceNumbers numbers;
  for (uint32_t i = 0; i < profile.threads.size(); ++i) {
    const profile::Thread& thread = profile.threads[i];
    const uint32_t process = thread.process < ids.processes.size() ? thread.process : 0;
    ids.process_of.push_back(process);
    ids.tid.push_back(numbers.take(thread.os_id));
    uint32_t& main = ids.main_thread[process];
    const bool is_main = ids.tid[i] == ids.processes[process].pid;
    if (main == TraceIds::kNone || is_main) main = i;
  }
  return ids;
}

std::string series_name(const profile::CounterSeries& series) {
  return clean_text(series.name + (series.tags.empty() ? "" : " {" + join(series.tags, ", ") + "}"));
}

std::vector<uint32_t> samples_by_time(const profile::Profile& profile) {
  std::vector<uint32_t> order(profile.samples.size());
  std::iota(order.begin(), order.end(), 0);
  const auto time = [&](uint32_t index) { return profile.samples[index].ns; };
  if (!std::ranges::is_sorted(order, {}, time)) std::ranges::stable_sort(order, {}, time);
  return order;
}

}  // namespace oriel::exports
