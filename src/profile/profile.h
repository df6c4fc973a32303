// A log in memory, as reports and exports read it. The processors in profile/build make it from decoded events.
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

// A function as people see it: a managed method, a native function, or a native library without symbols.
struct Function {
  std::string name;      // Shop.Cart.AddAsync(System.String, int); memcpy; [libcoreclr.so]
  std::string raw_name;  // from metadata; "" if equal to name
  std::string module;    // assembly or library file name, "" if none
  bool managed = false;
  bool type = false;    // a class whose objects were allocated: the callee of their allocation sites
  uint32_t origin = 0;  // of its code: index into Profile::origins
};

// Where an assembly's code comes from.
struct Origin {
  log::Origin kind = log::Origin::kUnknown;
  std::string name;  // of the project, package or framework, with its version
};

struct Thread {
  uint64_t id = 0;  // Oriel's id
  uint64_t os_id = 0;
  bool managed = false;
  std::string name;
  uint32_t process = 0;      // index into processes
  std::string process_name;  // in a merged profile: "Shop (4711)"
  uint64_t samples = 0;      // in periods; in a weighed profile, in Profile::unit
  int64_t first_ns = -1;     // first and last time that it is known to exist, since the start of the log; -1 if not
                             // known
  int64_t last_ns = -1;      // -1 also for a thread that was never sampled, if nothing later than first_ns is known
};

// The frame shown in place of a truncated stack's callers.
inline constexpr const char* kCallersNotKnown = "[callers not known]";
// The frame shown for a stack that could not be read at all.
inline constexpr const char* kUnreadStack = "[stack could not be read]";

// A node of the tree of sampled stacks; nodes[0] is the root. A child's index is always greater than its parent's.
struct Node {
  uint32_t parent = 0;
  uint32_t function = 0;  // index into functions
  bool truncated = false;
  uint32_t position = 0;  // index into Places::positions; some nodes differ only in this
};

// Positions of frames in their methods, as logged. lines.h resolves them to source lines.
struct Image {
  std::string path;           // as it was loaded; "" if not from a file
  std::string pdb_id;         // of its PDB; "" if there is none
  std::string pdb_path;       // path of the PDB when the image was compiled
  std::string build_id = {};  // of a native library, in hexadecimal; "" if it has none
  bool operator==(const Image&) const = default;
};
struct Position {
  uint32_t image = 0;    // index into Places::images
  uint32_t row = 0;      // of the method's definition in the image, from 1; 0 if not known, or native code
  uint32_t il = 0;       // IL offset of the instruction
  uint64_t address = 0;  // of native code: link-time address of its function; 0 if not known, or managed
  auto operator<=>(const Position&) const = default;
};
struct Places {
  std::vector<Image> images = {{}};        // [0] means not known
  std::vector<Position> positions = {{}};  // [0] means not known
  std::vector<Position> boxes;             // where own code boxes values, as far as logged
};

// A node of a logged call tree: a method's calls on one call path of a thread.
struct CallFigures {
  uint32_t thread = 0;  // index into threads
  uint64_t calls = 0;
  uint64_t by_exception = 0;        // of these, ended by an exception
  uint64_t running = 0;             // of these, still running when the log ends
  int64_t self_ns = 0;              // in the method itself, without callees and without probe costs (probe_costs.h)
  int64_t measured_ns = 0;          // self_ns with probe costs
  int64_t taken_ns = 0;             // of measured_ns, the measured costs of logging
  int64_t waited_ns = 0;            // of self_ns, off CPU; waits shorter than 25 us are not seen
  int64_t longest_ns = 0;           // longest call, with callees, without probe costs
  int64_t measured_longest_ns = 0;  // longest call with probe costs, without measured costs of logging
};

// Objects of one class that one method allocated on one call path of a thread.
struct Allocations {
  uint32_t thread = 0;
  uint32_t node = 0;  // index into CallLog::nodes: the logged stack, else the open call; 0 if neither
  uint32_t type = 0;  // indexes into functions
  uint32_t site = 0;  // 0 if not known
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;  // that objects and bytes are estimated from; 0 if each object was logged
};

// The sums of the log's call and allocation events, or of its call graphs.
struct CallLog {
  bool aggregated = false;           // from call graphs: without times of single calls
  std::vector<Node> nodes;           // [0] is the root; its children are the outermost calls of threads, truncated
                                     // where events were lost before them and callers may be missing. Outermost frames
                                     // of allocation stacks, of all threads, are its children too
  std::vector<CallFigures> figures;  // by node; zero for nodes of allocation stacks
  std::vector<Allocations> allocations;
  uint64_t enters = 0;              // of the whole log, whatever the filter
  uint64_t allocated = 0;           // objects, of the whole log
  uint64_t allocation_samples = 0;  // of the whole log; if not 0, all counts of objects and bytes are estimates from
                                    // samples
  uint64_t without_enter = 0;       // leaves of calls that were entered before logging began
  uint64_t without_leave = 0;       // calls whose leave was not logged: it went with a caller's, or events were lost
  uint64_t gaps = 0;                // times that events were lost, and the thread's shadow stack with them
  uint64_t lost_events = 0;         // in the gaps
  uint64_t folded = 0;              // calls and allocations counted in a caller's node, because there were too many
                                    // call paths
};

// When tracking of sampled objects began, and how many objects were sampled since.
struct Following {
  int64_t from_ns = -1;  // -1 if none were tracked
  uint64_t samples = 0;
  uint64_t bytes = 0;  // estimated, of these samples
};

struct Exceptions {  // of one class
  std::string type;
  uint64_t thrown = 0;
  uint64_t caught = 0;
  std::map<std::string, uint64_t> caught_in;  // counts by method
  std::map<uint32_t, uint64_t> thrown_at;     // counts by node, of those with a logged stack
  struct Message {
    std::string text;
    uint32_t stack = 0;  // of its first exception: index into nodes; 0 if not logged
  };
  std::vector<Message> messages = {};  // the first distinct ones
};

// Whether the log is complete, or may still grow.
enum class LogState {
  kComplete,  // has its end record
  kRunning,   // no end record; the process that writes it still runs on this machine
  kStopped,   // no end record; the process is gone: killed or crashed
  kUnknown,   // no end record; the log is from another machine, or does not name its process
};

// Which samples, calls and allocations to keep.
struct Filter {
  std::string thread;   // name, OS id or part of the name; "" keeps all
  int64_t from_ns = 0;  // since the start of the log
  int64_t to_ns = INT64_MAX;
  std::string method;     // keep only stacks with a frame whose name contains this; "" keeps all
  bool physical = false;  // physical stacks: async methods under the frames of their threads, not under the methods
                          // that await them
  bool idle = false;      // in samples of real time, keep also threads that wait for work

  bool has_time() const { return from_ns > 0 || to_ns != INT64_MAX; }
};

// A process whose log is part of the profile.
struct Process {
  std::string file;
  std::string name;               // program name, as in the log's file name: "Shop" of dotnet Shop.dll
  std::string command;            // as shell words; "" if not known
  uint64_t pid = 0;               // 0 if not known
  std::vector<uint64_t> parents;  // its ancestors' pids, nearest first
  std::string run;                // id of its run; "" if not known
  LogState state = LogState::kComplete;
  bool sdk = false;      // part of the .NET SDK: `dotnet build`, MSBuild, the compiler, the test runner
  int64_t start_ns = 0;  // start of its log, since the start of the profile's
  int64_t wall_ns = 0;
  uint64_t cpu_us = 0;   // the program's own CPU time since its log began; 0 if not known
  uint64_t periods = 0;  // samples that the filter kept
};

// The unit of Sample::periods.
enum class Unit {
  kPeriods,      // sampling periods: load() makes these
  kNanoseconds,  // made by by_weight (weight.h) from logged calls and allocations
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
  std::vector<log::Counter> counters;  // the profiler's own; last known values

  int64_t wall_ns = 0;  // from the start of the log to its last known time
  int64_t start_unix_us = 0;
  log::ProcessUsage usage;                                    // last known
  std::vector<std::pair<int64_t, log::ProcessUsage>> usages;  // by time; empty in a merged profile
  std::string sampling_mode;                                  // "process", "real", "none"
  uint32_t sampling_hz = 0;

  std::vector<Function> functions;     // [0] is the root, which has no name
  std::vector<Origin> origins = {{}};  // [0] means not known
  std::set<std::string> unoptimized;   // debug builds among the program's own modules
  std::vector<Thread> threads;
  std::vector<Node> nodes;                  // [0] is the root
  std::map<Position, std::string> awaited;  // at an await: the method whose result is awaited, where the code tells
  Places places;                            // of nodes
  CallLog calls;                            // empty in a weighed profile
  Coverage coverage;                        // of the whole log, whatever the filter
  Following following;                      // of the whole log
  std::vector<Exceptions> exceptions;       // most thrown first
  uint64_t methods_compiled = 0;            // different methods
  uint64_t compilations = 0;                // more than methods_compiled where methods were compiled again, for another
                                            // tier
  uint64_t images_loaded = 0;

  std::vector<Process> processes;  // one, or those of the merged logs, in their order

  Filter filter;                    // what apply() kept; by default everything
  uint64_t unfiltered_periods = 0;  // of all samples in the log

  Unit unit = Unit::kPeriods;
  // In a weighed profile, by node: the calls (by time), objects (by bytes) or bytes (by objects) that the node's own
  // samples stand for.
  std::vector<uint64_t> node_counts;
  uint64_t folded_nodes = 0;  // removed by fold_scaffolding (scaffolding.h)

  uint64_t total_periods() const { return samples.periods(); }
};

// Reads the whole log, and reports progress to `progress` (see log::decode_file).
Result<Profile> load(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress = {});
// Reads the log and applies the filter. Calls are summed while they are read, so only this function can restrict them
// to a time range; it then reads the log twice.
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
