// What the exports have in common: functions as frames with clean names, and samples summed up over stacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "lines/lines.h"
#include "profile/profile.h"

namespace oriel::exporting {

enum class FrameKind : uint8_t {
  kManaged = 0,
  kNative = 1,
  kRuntime = 2,  // native code of the runtime itself: its host, engine, JIT compiler, collector, native libraries
  kType = 3,     // no code: a class whose objects were allocated
};

struct Frame {
  std::string name;      // clean
  std::string raw_name;  // clean; "" if the same
  std::string module;    // clean file name; "" if none
  FrameKind kind = FrameKind::kManaged;
  std::string file = {};  // clean path of its source; "" if not known, as until add_files
  uint32_t line = 0;      // where it begins there
};

// Functions that nobody can tell apart (same name, module and kind) share a frame.
struct FrameTable {
  std::vector<Frame> frames;
  std::vector<uint32_t> of_function;  // a function's frame
  uint32_t truncated = 0;             // stands for callers that could not be walked
  uint32_t no_stack = 0;              // stands for a stack of which nothing could be read
};
FrameTable make_frames(const profile::Profile& profile);

// Finds the source files of those frames whose PDBs are on this machine.
void add_files(const profile::Profile& profile, lines::Lines& lines, FrameTable& table);

FrameKind kind_of(const profile::Function& function);

// Samples with the same thread and stack, summed up.
struct Weight {
  uint32_t thread = 0;
  uint32_t node = 0;  // the leaf, in Profile::nodes
  uint64_t periods = 0;
  uint64_t second = 0;  // the same by another measure, where there is one
  uint32_t group = 0;   // what they were for, where samples are told apart by that
  uint32_t part = 0;    // of the run in which they were, where that is told too
};
// By thread, then node.
std::vector<Weight> sum_samples(const profile::Profile& profile);

// The stack of a node, outermost frame first, never empty: frames.no_stack stands for the root.
void stack_of(const profile::Profile& profile, const FrameTable& frames, uint32_t node, std::vector<uint32_t>& stack);

// Nanoseconds a sampling period lasts; 0 if the log does not say. 1 of a profile weighed by time, 0 of any other
// weighed one.
uint64_t period_ns(const profile::Profile& profile);

// Whether samples count CPU time, not elapsed time. The time of calls is elapsed time.
bool counts_cpu(const profile::Profile& profile);

// "Name" or "Thread 1234", clean, and the same for no two threads of the profile.
std::vector<std::string> thread_labels(const profile::Profile& profile);

// The program's command line, clean; the log's file name if the log does not say.
std::string title_of(const profile::Profile& profile);
// An intro property's value, clean; "" if there is none.
std::string property_of(const profile::Profile& profile, std::string_view name);

// Fine if every index in the profile points to something and parents come before children.
Status check_profile(const profile::Profile& profile);

}  // namespace oriel::exporting
