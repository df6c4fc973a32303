// A log in memory, as reports and exports read it: what the processors (profile/*.h) build from decoded events.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/decoder.h"
#include "log/format.h"
#include "profile/coverage.h"
#include "profile/tables.h"

namespace oriel::profile {

// A function as people see it: a managed method, a native function, or a library without symbols.
struct Function {
  std::string name;      // Shop.Cart.AddAsync(System.String, int); memcpy; [libcoreclr.so]
  std::string raw_name;  // as metadata has it, "" if the same
  std::string module;    // assembly or library file name, "" if none
  bool managed = false;
  bool type = false;    // a class whose objects were allocated: what the site that allocates them leads to
  uint32_t origin = 0;  // where its code comes from: index into Profile::origins
};

// Where the code of assemblies comes from.
struct Origin {
  log::Origin kind = log::Origin::kUnknown;
  std::string name;  // of the project, package or framework, with its version
};

struct Thread {
  uint64_t id = 0;  // Oriel's
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
  uint32_t process = 0;      // index into processes
  std::string process_name;  // of a merged profile: "Shop (4711)"
  uint64_t samples = 0;      // periods, as everywhere; of a weighed profile, what Profile::unit says
  int64_t first_ns = -1;     // first and last sign of life, since the start of the log; -1 if none
  int64_t last_ns = -1;      // -1 too of a thread that was never sampled, if nothing is known of it after the first
};

// What stands, in whatever shows stacks, for the callers of a truncated one.
inline constexpr const char* kCallersNotKnown = "[callers not known]";
// And for a stack of which nothing could be read.
inline constexpr const char* kUnreadStack = "[stack could not be read]";

// A node of the tree of sampled stacks; nodes[0] is the root. A child's index is always greater than its parent's.
struct Node {
  uint32_t parent = 0;
  uint32_t function = 0;  // index into functions
  bool truncated = false;
  uint32_t position = 0;  // index into Places::positions; nodes that differ in this only are one in all but lines
};

// Where frames are in their methods, as the log tells it; which lines these are, lines.h finds out.
struct Image {
  std::string path;           // as it was loaded; "" if it was no file
  std::string pdb_id;         // of the PDB made with it; "" if there is none
  std::string pdb_path;       // where that was when the image was compiled
  std::string build_id = {};  // of a native library, hexadecimal; "" if it has none
  bool operator==(const Image&) const = default;
};
struct Position {
  uint32_t image = 0;    // index into Places::images
  uint32_t row = 0;      // of the method's definition in the image, from 1; 0: not known, or native code
  uint32_t il = 0;       // offset of the instruction
  uint64_t address = 0;  // of native code: where its function begins, as linked; 0: not known, or a method
  auto operator<=>(const Position&) const = default;
};
struct Places {
  std::vector<Image> images = {{}};        // [0] is not known
  std::vector<Position> positions = {{}};  // [0] is not known
  std::vector<Position> boxes;             // where own code boxes values, as far as the log tells
};

// What a logged call tree's node stands for: the calls of one method on one way from a thread's start.
struct CallFigures {
  uint32_t thread = 0;  // index into threads
  uint64_t calls = 0;
  uint64_t by_exception = 0;        // of these, left by an exception
  uint64_t running = 0;             // of these, not left when the log ends
  int64_t self_ns = 0;              // in the method, outside of what it calls, without what probes took (probe_costs.h)
  int64_t measured_ns = 0;          // the same with it
  int64_t taken_ns = 0;             // of measured_ns, what logging told that it took
  int64_t waited_ns = 0;            // of self_ns, without a processor; what is shorter than 25 us is not seen
  int64_t longest_ns = 0;           // one call, with what it called; likewise without what probes took
  int64_t measured_longest_ns = 0;  // with it, but for what logging told
};

// Objects of one class that one method's code allocated, on one way from a thread's start.
struct Allocations {
  uint32_t thread = 0;
  uint32_t node = 0;  // index into CallLog::nodes: the stack if it was logged, else the open call; 0 if there was none
  uint32_t type = 0;  // indexes into functions
  uint32_t site = 0;  // 0: not known
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;  // from which both are estimated; 0: each object was logged
};

// What the log's events of calls and allocations, or its call graphs, add up to.
struct CallLog {
  bool aggregated = false;           // of call graphs: without times of single calls
  std::vector<Node> nodes;           // [0] is the root; a thread's outermost calls are its children, truncated where
                                     // events were lost before and more callers may have been there; so are the
                                     // outermost frames of stacks that objects were allocated on, of all threads
  std::vector<CallFigures> figures;  // of each node; nothing of those stacks'
  std::vector<Allocations> allocations;
  uint64_t enters = 0;              // of the whole log, whatever the filter
  uint64_t allocated = 0;           // objects likewise
  uint64_t allocation_samples = 0;  // likewise; if there are any, all figures of objects are estimates from them
  uint64_t without_enter = 0;       // leaves of calls that began before they were logged
  uint64_t without_leave = 0;       // calls that ended unseen, with a caller's end or where events were lost
  uint64_t gaps = 0;                // times that events were lost and a thread's stack with them
  uint64_t lost_events = 0;         // in these
  uint64_t folded = 0;              // calls and allocations counted with their callers: too many ways to keep apart
};

// Since when sampled objects were followed, and how many were sampled since.
struct Following {
  int64_t from_ns = -1;  // -1: none were
  uint64_t samples = 0;
  uint64_t bytes = 0;  // that they stand for
};

struct Exceptions {  // of one class
  std::string type;
  uint64_t thrown = 0;
  uint64_t caught = 0;
  std::map<std::string, uint64_t> caught_in;  // by method
  std::map<uint32_t, uint64_t> thrown_at;     // by node: those whose stacks were logged
  struct Message {
    std::string text;
    uint32_t stack = 0;  // the first one's: index into nodes, 0 if it was not logged
  };
  std::vector<Message> messages = {};  // the first different ones
};

// Whether there may be more to come.
enum class LogState {
  kComplete,  // the log has its end
  kRunning,   // no end, and the process that writes it still runs on this machine
  kStopped,   // no end, and that process is gone: killed, or crashed
  kUnknown,   // no end, and it is another machine's log, or does not tell its process
};

// What to keep of the samples, calls and allocations.
struct Filter {
  std::string thread;   // name, OS id or part of the name; "" for all
  int64_t from_ns = 0;  // since the start of the log
  int64_t to_ns = INT64_MAX;
  std::string method;     // only stacks with a frame whose name contains this; "" for all
  bool physical = false;  // async methods under what their threads' stacks show, not under those that await them
  bool idle = false;      // also waits of threads that wait for work, in samples of real time

  bool has_time() const { return from_ns > 0 || to_ns != INT64_MAX; }
};

// A process whose log is part of the profile.
struct Process {
  std::string file;
  std::string name;               // the program's, as in the log's file name: "Shop" of dotnet Shop.dll
  std::string command;            // as a shell reads it, "" if not known
  uint64_t pid = 0;               // 0: not known
  std::vector<uint64_t> parents;  // those that it came from, nearest first
  std::string run;                // which run it belongs to, "" if not known
  LogState state = LogState::kComplete;
  bool sdk = false;      // part of the .NET SDK: `dotnet build`, MSBuild, the compiler, the test runner
  int64_t start_ns = 0;  // when its log began, since the start of the profile's
  int64_t wall_ns = 0;
  uint64_t cpu_us = 0;   // the program's own since its log began, 0 if not known
  uint64_t periods = 0;  // samples that the filter kept
};

// What Sample::periods count.
enum class Unit {
  kPeriods,      // sampling periods: what load() gives
  kNanoseconds,  // the others: what by_weight (weight.h) makes of the logged calls and allocations
  kBytes,
  kObjects,
};

struct Profile : Tables {
  std::string file;
  log::Intro intro;
  log::DecodeOutcome outcome;
  LogState state = LogState::kComplete;
  std::vector<std::string> problems;  // sentences, from the decoder
  std::vector<log::Lost> lost;
  std::vector<log::Counter> counters;  // the profiler's own, the last known

  int64_t wall_ns = 0;  // from the start of the log to its last sign
  int64_t start_unix_us = 0;
  log::ProcessUsage usage;                                    // the last known
  std::vector<std::pair<int64_t, log::ProcessUsage>> usages;  // each with when it was so; empty of a merged profile
  std::string sampling_mode;                                  // "process", "real", "none"
  uint32_t sampling_hz = 0;

  std::vector<Function> functions;     // [0] is the root, without a name
  std::vector<Origin> origins = {{}};  // [0] is not known
  std::set<std::string> unoptimized;   // of the program's own modules, those that are debug builds
  std::vector<Thread> threads;
  std::vector<Node> nodes;                  // [0] is the root
  std::map<Position, std::string> awaited;  // the method whose result each await awaits, where its code tells
  Places places;                            // of the nodes
  CallLog calls;                            // empty of a weighed profile
  Coverage coverage;                        // of the whole log, whatever the filter
  Following following;                      // of the whole log
  std::vector<Exceptions> exceptions;       // most thrown first
  uint64_t methods_compiled = 0;            // different methods
  uint64_t compilations = 0;                // more where a method was compiled again, for another tier
  uint64_t images_loaded = 0;

  std::vector<Process> processes;  // one, or those of the logs that were merged, in their order

  Filter filter;                    // what apply() has kept; by default everything
  uint64_t unfiltered_periods = 0;  // of all samples in the log

  Unit unit = Unit::kPeriods;
  // Of a weighed profile, by node: how many calls (of time), objects (of bytes), or bytes (of objects) its own samples
  // stand for.
  std::vector<uint64_t> node_counts;
  uint64_t folded_nodes = 0;  // that fold_scaffolding (scaffolding.h) took out

  uint64_t total_periods() const { return samples.periods(); }
};

// Reads the whole log. Progress goes to `progress` (see log::decode_file).
Result<Profile> load(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress = {});
// Reads the log and applies the filter. Calls are added up while they are read, so their part of a time range can only
// be had in this way; the log is then read twice.
Result<Profile> load(const std::string& path, const Filter& filter,
                     const std::function<void(uint64_t, uint64_t)>& progress);

// Reads several logs and makes one profile of them (merge.h). Times of the filter are since the start of the earliest.
Result<Profile> load(const std::vector<std::string>& paths, const Filter& filter,
                     const std::function<void(uint64_t, uint64_t)>& progress);

// Drops the samples (and collections and pauses out of the time range) that the filter does not keep; of calls and
// allocations, those of other threads and methods. Exceptions and the process's usage stay those of the whole log. To
// be called once.
void apply(const Filter& filter, Profile& profile);

// By thread index: whether it is one of those that `wanted` means. An OS id or a whole name goes before a part of a
// name: "Worker 1" is not also "Worker 12". All if it is empty.
std::vector<bool> matching_threads(const std::string& wanted, const std::vector<Thread>& threads);

// An error, one line for a person, if a thread, a method or a time of the filter is not in the log at all, whatever the
// others choose. Before apply().
Status check_matches(const Filter& filter, const Profile& profile);
// The thread's part of that.
Status check_thread(const std::string& wanted, const std::vector<Thread>& threads);

}  // namespace oriel::profile
