// Shared by exports: functions as frames with sanitized names, and samples summed by stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "lines/lines.h"
#include "profile/profile.h"

namespace oriel::exports {

enum class FrameKind : uint8_t {
  kManaged = 0,
  kNative = 1,
  kRuntime = 2,  // native code of .NET itself: host, runtime, JIT compiler, GC, native libraries
  kType = 3,     // not code: a class whose objects were allocated
  kObject = 4,   // not code: objects in a snapshot of the heap
  kRoot = 5,     // not code: what keeps them alive
};

struct Frame {
  std::string name;      // sanitized
  std::string raw_name;  // sanitized; "" if equal to name
  std::string module;    // sanitized file name; "" if none
  FrameKind kind = FrameKind::kManaged;
  std::string file = {};  // sanitized path of its source; "" if not known, or before add_files
  uint32_t line = 0;      // its first line there
};

// Functions with equal name, module and kind share a frame.
struct FrameTable {
  std::vector<Frame> frames;
  std::vector<uint32_t> of_function;  // by function: its frame
  uint32_t truncated = 0;             // the frame for unknown callers
  uint32_t no_stack = 0;              // the frame for an unreadable stack
};
FrameTable make_frames(const profile::Profile& profile);

// Sets the source files of frames whose PDBs are on this machine.
void add_files(const profile::Profile& profile, lines::Lines& lines, FrameTable& table);

FrameKind kind_of(const profile::Function& function);

// Sum of samples with one thread and stack.
struct Weight {
  uint32_t thread = 0;
  uint32_t node = 0;  // the leaf, in Profile::nodes
  uint64_t periods = 0;
  uint64_t second = 0;  // by a second measure, if there is one
  uint32_t group = 0;   // of Groups, if samples are split by purpose
};
// By thread, then node.
std::vector<Weight> sum_samples(const profile::Profile& profile);

// The stack of a node, outermost frame first; never empty, because the root becomes frames.no_stack.
void stack_of(const profile::Profile& profile, const FrameTable& frames, uint32_t node, std::vector<uint32_t>& stack);

// Nanoseconds per period; 0 if the log does not say. In a weighed profile 1 for time, else 0.
uint64_t period_ns(const profile::Profile& profile);

// Whether samples count CPU time; otherwise, and for calls, elapsed time.
bool counts_cpu(const profile::Profile& profile);

// "Name" or "Thread 1234", sanitized and unique in the profile.
std::vector<std::string> thread_labels(const profile::Profile& profile);

// The program's command line, sanitized; the log's file name if the log does not say.
std::string title_of(const profile::Profile& profile);
// An intro property's value, sanitized; "" if there is none.
std::string property_of(const profile::Profile& profile, std::string_view name);

// An error unless all indexes in the profile are valid and parents precede children.
Status check_profile(const profile::Profile& profile);

}  // namespace oriel::exports
