// A log in memory, as reports and exports read it: what the processors (profile/build/) make of decoded events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/decoder.h"
#include "log/format.h"
#include "profile/dictionaries.h"
#include "profile/table/add_up.h"
#include "profile/tables.h"

namespace oriel::profile {

// What to keep of the samples, calls and allocations.
struct Filter {
  std::string thread;   // name, OS id or part of the name; "" keeps all
  int64_t from_ns = 0;  // since the start of the log
  int64_t to_ns = INT64_MAX;
  std::string from_mark, to_mark;  // instead, the first mark with this text (tables/marks.h); "": none
  std::string method;              // keep only stacks with a frame whose name contains this; "" keeps all
  bool physical = false;  // physical stacks: async methods under the frames of their threads, not under the methods
                          // that await them
  bool idle = false;      // in samples of real time, keep also threads that wait for work

  bool has_time() const { return from_ns > 0 || to_ns != INT64_MAX; }
};

// What Sample::periods count.
enum class Unit {
  kPeriods,      // sampling periods: load() makes these
  kNanoseconds,  // made by by_weight (weight.h) from logged calls and allocations
  kBytes,
  kObjects,
  kBytesAlive,  // of objects that were not collected
};

inline bool counts_bytes(Unit unit) { return unit == Unit::kBytes || unit == Unit::kBytesAlive; }

// What a log says of itself, and what became of reading it.
struct Recording {
  std::string file;
  log::Intro intro;
  log::DecodeOutcome outcome;
  LogState state = LogState::kComplete;
  std::vector<std::string> problems;  // sentences, from the decoder
  int64_t wall_ns = 0;                // from the start of the log to its last sign
  int64_t start_unix_us = 0;
  log::ProcessUsage usage;    // the last known; of several logs, their sum
  std::string sampling_mode;  // "process", "real", "none"
  uint32_t sampling_hz = 0;
  // In a log with very many samples, rows stand for several (build/sample_rows.h): how far their times may be off, and
  // the periods of a sample as taken, averaged by its weight. Else 0.
  int64_t sample_window_ns = 0;
  double sample_weight = 0;
  // Of several logs, some have calls without async calls: a method's two need not be of the same log.
  bool calls_lack_async = false;
};

struct Profile : Recording, Dictionaries, Tables {
  Filter filter;                    // what apply() kept; by default everything
  uint64_t unfiltered_periods = 0;  // of all samples in the log

  Unit unit = Unit::kPeriods;
  // In a weighed profile, by node: the calls (by time), objects (by bytes) or bytes (by objects) that the node's own
  // samples stand for.
  std::vector<uint64_t> node_counts;
  uint64_t folded_nodes = 0;  // removed by fold_scaffolding (scaffolding.h)

  uint64_t total_periods() const { return samples.periods(); }
  // Over all logs.
  CallTotal call_total() const { return table::sum_of(call_totals); }
};

// Reads the whole log, and reports progress to `progress` (see log::decode_file).
Result<Profile> load(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress = {});
// Reads the log and applies the filter. Only this function can restrict calls to a time, as they are summed while they
// are read. For that, or for a thread of a long log, it reads the log twice, or what its index lacks
// (log/index_file.h).
Result<Profile> load(const std::string& path, const Filter& filter,
                     const std::function<void(uint64_t, uint64_t)>& progress);

// Reads several logs into one profile (merge.h). Times of the filter count from the earliest start.
Result<Profile> load(const std::vector<std::string>& paths, const Filter& filter,
                     const std::function<void(uint64_t, uint64_t)>& progress);

// Drops samples that the filter does not keep, collections and pauses outside its time range, and calls and allocations
// of other threads and methods. Exceptions and the process's usage stay those of the whole log. Call it once.
void apply(const Filter& filter, Profile& profile);

// By thread index: whether `wanted` selects the thread. An OS id or a whole name takes precedence over a part of a
// name: "Worker 1" does not select "Worker 12". "" selects all.
std::vector<bool> matching_threads(const std::string& wanted, const std::vector<Thread>& threads);

// An error, one line for a person, if the log has no such thread or method at all, or does not reach the filter's
// times. Call it before apply().
Status check_matches(const Filter& filter, const Profile& profile);
// Checks only the thread.
Status check_thread(const std::string& wanted, const std::vector<Thread>& threads);

}  // namespace oriel::profile
