// A log in memory, as reports and exports read it: what the processors (profile/*.h) build from decoded events.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/decoder.h"
#include "log/format.h"

namespace oriel::profile {

// A function as people see it: a managed method, a native function, or a library without symbols.
struct Function {
  std::string name;      // Shop.Cart.AddAsync(System.String, int); memcpy; [libcoreclr.so]
  std::string raw_name;  // as metadata has it, "" if the same
  std::string module;    // assembly or library file name, "" if none
  bool managed = false;
};

struct Thread {
  uint64_t id = 0;  // Oriel's
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
  uint64_t samples = 0;   // periods, as everywhere
  int64_t first_ns = -1;  // first and last sign of life, since the start of the log; -1 if none
  int64_t last_ns = -1;
};

// A node of the tree of sampled stacks; nodes_[0] is the root. A child's index is always greater than its parent's.
struct Node {
  uint32_t parent = 0;
  uint32_t function = 0;  // index into functions
  bool truncated = false;
};

struct Sample {
  int64_t ns = 0;       // since the start of the log
  uint32_t thread = 0;  // index into threads
  uint32_t node = 0;    // index into nodes
  uint32_t periods = 1;
};

struct Collection {
  uint32_t number = 0;
  uint32_t generation = 0;
  bool induced = false;
  int64_t start_ns = 0;
  int64_t end_ns = -1;   // -1: the log ends before it does
  int64_t pause_ns = 0;  // all managed threads stopped for it
};

// A time in which the runtime had stopped all managed threads, for whatever reason.
struct Pause {
  int64_t start_ns = 0;
  int64_t ns = 0;
  uint64_t reason = 0;  // oriel_suspend_reason; log::enumerator_name(FieldKind::kSuspendReason, reason) names it
};

struct Exceptions {  // of one class
  std::string type;
  uint64_t thrown = 0;
  uint64_t caught = 0;
  std::map<std::string, uint64_t> caught_in;  // by method
};

// Whether there may be more to come.
enum class LogState {
  kComplete,  // the log has its end
  kRunning,   // no end, and the process that writes it still runs on this machine
  kStopped,   // no end, and that process is gone: killed, or crashed
  kUnknown,   // no end, and it is another machine's log, or does not tell its process
};

// What to keep of the samples.
struct Filter {
  std::string thread;   // name, OS id or part of the name; "" for all
  int64_t from_ns = 0;  // since the start of the log
  int64_t to_ns = INT64_MAX;
  std::string method;  // only samples with a frame whose name contains this; "" for all
};

struct Profile {
  std::string file;
  log::Intro intro;
  log::DecodeOutcome outcome;
  LogState state = LogState::kComplete;
  std::vector<std::string> problems;  // sentences, from the decoder
  std::vector<log::Lost> lost;

  int64_t wall_ns = 0;  // from the start of the log to its last sign
  int64_t start_unix_us = 0;
  log::ProcessUsage usage;    // the last known
  std::string sampling_mode;  // "process", "real", "none"
  uint32_t sampling_hz = 0;

  std::vector<Function> functions;  // [0] is the root, without a name
  std::vector<Thread> threads;
  std::vector<Node> nodes;              // [0] is the root
  std::vector<Sample> samples;          // in the file's order
  std::vector<Collection> collections;  // by start
  std::vector<Pause> pauses;            // by start, of all reasons
  std::vector<Exceptions> exceptions;   // most thrown first
  uint64_t methods_compiled = 0;        // different methods
  uint64_t compilations = 0;            // more where a method was compiled again, for another tier
  uint64_t images_loaded = 0;

  Filter filter;                    // what apply() has kept; by default everything
  uint64_t unfiltered_periods = 0;  // of all samples in the log

  uint64_t total_periods() const;
};

// Reads the whole log. Progress goes to `progress` (see log::decode_file).
Result<Profile> load(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress = {});

// Drops the samples (and collections and pauses out of the time range) that the filter does not keep. Exceptions and
// the process's usage stay those of the whole log. To be called once.
void apply(const Filter& filter, Profile& profile);

}  // namespace oriel::profile
