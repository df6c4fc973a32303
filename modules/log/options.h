// The log module's options: "sample=process,hz=250,events=gc+jit,calls=MyApp.*|!*.ToString,alloc,out=PATH".
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/text/patterns.h"
#include "modules/options.h"
#include "oriel/oriel.h"

namespace oriel::log_module {

using EventSet = std::bitset<oriel_event_number_end>;  // by number in events.def

// Those that tell of sampled allocations, and how long their objects live.
EventSet followed_allocations();

// The first words of its row in the table.
enum class Sample : uint8_t { kProcess, kCpu, kReal, kNone };

struct Options : modules::GivenOptions {
  // As they were given.
  Sample sample = Sample::kProcess;
  uint32_t hz = 250;
  std::string groups;                         // of events, with '+' between them
  std::optional<MethodPatterns> calls;        // the methods whose calls are logged; none: no calls
  bool trivial_calls = false;                 // of getters and the like too
  std::optional<MethodPatterns> async;        // the async methods whose awaits are logged; none: none
  bool allocations_sampled = false;           // not one by one: through the runtime's own samples, without probes
  std::optional<MethodPatterns> allocations;  // the methods in whose code allocations are logged; none: no allocations
  bool allocation_stacks = false;             // each logged allocation with its stack; sampled ones always have it
  bool block_inlining = false;
  bool gc_phases = false;           // how collections go, from the start
  bool locks = false;               // waits for locks, from the start
  std::string meters;               // whose counters are logged, with commas between them; "": none
  std::string activities;           // the sources of activities that are logged, likewise
  bool no_messages = false;         // of exceptions
  std::string out = "%n-%p.oriel";  // a template (base/files/file_template.h)

  // What follows from these.
  std::string text;  // those that were given, without the file: "hz=100,calls=Shop.*"
  oriel_sample_mode sample_mode = ORIEL_SAMPLE_PROCESS_AND_WAITS;
  EventSet events;                      // what is logged, those of calls and allocations too if they are wanted
  bool locks_when_seen = false;         // waits for locks, from the first one on that a sample meets
  bool phases_when_paused = false;      // how collections go, once they have taken a while
  bool allocations_when_grown = false;  // sampled ones and how long they live, while the heap grows
  bool allocations_chosen = false;      // by patterns of the user's
};

// sample=process|cpu|real|none, hz=N, events=GROUP+…, calls[=PATTERNS] with trivial, async[=PATTERNS], alloc[=exact]
// with alloc-in=PATTERNS (default: all code) or alloc=sampled, alloc-stacks, locks, counters[=METERS],
// activities[=SOURCES], no-messages, inlining=keep|block, out=PATH (in the working directory).
extern const modules::OptionTable kTable;

// Those of a module's text, with what follows from them. The message names those that do not fit.
Result<Options> parse_options(const std::string& text);

// The groups all of whose events are among these, as `events=` takes them: "runtime+gc"; "none".
std::string event_groups(const EventSet& events);

}  // namespace oriel::log_module
