// The log module's options: "sample=process,hz=250,events=gc+jit,calls=MyApp.*|!*.ToString,alloc,out=PATH".
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/text/patterns.h"
#include "call_chunks.h"
#include "modules/file_limits.h"
#include "modules/heap_when.h"
#include "modules/options.h"
#include "modules/save_when.h"
#include "oriel/oriel.h"

namespace oriel::log_module {

using EventSet = std::bitset<oriel_event_number_end>;  // by number in events.def

// The events of sampled allocations and of their objects' lifetimes.
EventSet followed_allocations();

// In the order of the words of its row in the table.
enum class Sample : uint8_t { kProcess, kCpu, kReal, kNone };
// Which blocks of the log are compressed: all, but calls only while the log's thread has a processor to itself; none;
// all.
enum class Compress : uint8_t { kAuto, kNone, kAll };

struct Options : modules::GivenOptions {
  // As given.
  Sample sample = Sample::kProcess;
  uint32_t hz = 250;
  std::string groups;                         // groups of events, separated by '+'
  std::optional<MethodPatterns> calls;        // methods whose calls are logged; nullopt: none
  bool trivial_calls = false;                 // also calls of trivial methods, such as getters
  std::optional<MethodPatterns> async;        // async methods whose awaits are logged; nullopt: none
  bool allocations_sampled = false;           // log the runtime's samples of allocations, without probes
  std::optional<MethodPatterns> allocations;  // methods in whose code allocations are logged; nullopt: none
  bool allocation_stacks = false;             // log allocations with stacks; sampled ones always have them
  std::string allocations_followed;           // types whose every object is followed, separated by commas; "": none
  bool block_inlining = false;
  bool gc_phases = false;    // log the phases of collections from the start
  bool locks = false;        // log waits for locks from the start
  std::string meters;        // meters to log, separated by commas; "": none
  std::string activities;    // sources of activities to log, likewise
  bool no_messages = false;  // leave out exceptions' messages
  std::string budget;        // the share of CPU time that Oriel may take (budget.h); "": any
  std::string rotate;        // the limits of a file (modules/file_limits.h); "": none
  WhenFull when_full = WhenFull::kWait;
  Compress compress = Compress::kAuto;
  std::string buffer;    // memory for what waits for the writer (in bytes: room); "": kUsualRoom
  uint32_t keep = 0;     // this process's files that stay, with the current one; 0: all
  std::string recorder;  // what a flight recorder holds: a time and a size, "60s/64MB"; "": there is none
  modules::SaveSignal on_signal = modules::SaveSignal::kUsr1;  // when it saves that; only what was given counts
  std::string on_exception, on_cpu, on_pause, on_request;
  std::string heap;                 // when snapshots of the heap are taken (modules/heap_when.h)
  std::string out = "%n-%p.oriel";  // a template (base/files/file_template.h)

  // Derived from these.
  std::string text;  // those that were given, without the file: "hz=100,calls=Shop.*"
  oriel_sample_mode sample_mode = ORIEL_SAMPLE_PROCESS_AND_WAITS;
  EventSet events;                      // what is logged, including events of calls and allocations
  bool locks_when_seen = false;         // log waits for locks once a sample finds one
  bool phases_when_paused = false;      // log the phases of collections once pauses add up
  bool allocations_when_grown = false;  // log sampled allocations and their lifetimes while the heap grows
  bool allocations_chosen = false;      // the user gave patterns for them
  uint32_t budget_limit = 0;            // millionths; 0: none
  uint64_t room = kUsualRoom;
  modules::FileLimits rotation;  // when the next file begins
  modules::FileLimits held;      // by a flight recorder; none: there is none
  modules::SaveWhen save_when;
  modules::HeapWhen heap_when;
};

// sample=process|cpu|real|none, hz=N, events=GROUP+…, calls[=PATTERNS] with trivial, async[=PATTERNS], alloc[=exact]
// with alloc-in=PATTERNS (default: all code) or alloc=sampled, alloc-stacks, locks, counters[=METERS],
// activities[=SOURCES], no-messages, inlining=keep|block, budget=PERCENT, rotate=SIZE[/TIME] with keep=FILES,
// heap[=WHEN], when-full=wait|drop-new|drop-old, buffer=SIZE, compress=auto|none|all, recorder=TIME[/SIZE] with
// keep=FILES and on-signal, on-exception, on-cpu, on-pause and on-request, out=PATH (in the working directory).
extern const modules::OptionTable kTable;

// Parses a module's text and derives the other options. Errors name the options that do not fit.
Result<Options> parse_options(const std::string& text);

// The groups whose events are all in the set, as `events=` takes them: "runtime+gc"; or "none".
std::string event_groups(const EventSet& events);

}  // namespace oriel::log_module
