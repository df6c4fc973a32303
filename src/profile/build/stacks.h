// Processor of sampled stacks: the tree of nodes, the samples, and their functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "log/format.h"
#include "log/sample_index.h"
#include "profile/build/clock_map.h"
#include "profile/build/id_map.h"
#include "profile/build/names.h"
#include "profile/build/sample_rows.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class Stacks {
 public:
  Stacks();

  void expect(uint64_t bytes);
  // Keeps only samples between these counters, and counts the others.
  void limit(const log::CounterRange& range) { limit_ = range; }
  const log::CounterRange& limit() const { return limit_; }

  void add(const log::StackNode& node);
  // Sets the IL offset of a node, which must be one of those added last.
  void place(uint64_t node, uint32_t il);
  // `thread` is an index into the profile's threads.
  void add(uint32_t thread, std::span<const log::Sample> samples);
  // Counts samples that are not kept; the second, such as need not be told one by one.
  void leave_out(std::span<const log::Sample> samples);
  void leave_out(const log::PassedFrame& passed);
  // Adds hits of format version 1: functions without callers, at times spread between start and end.
  void add_hits(uint32_t thread, const log::Statistical& hits);

  // Moves functions with names, nodes, and samples with times into `profile`. Must be the first to add functions.
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile);

  // After finish(): by function, the periods of the samples that were not kept, as their innermost frame is of it.
  const std::vector<uint64_t>& left_out() const { return left_out_; }

  // The profile's index of the node with that id; if the log lacks it, that of one node for all missing ones.
  uint32_t node_of(uint64_t id) { return dense_ && id < nodes_.size() ? static_cast<uint32_t>(id) : find_node(id); }

 private:
  uint32_t find_node(uint64_t id);
  uint32_t function_of(log::FrameKind kind, uint64_t id);
  uint32_t node_of(const log::Sample& sample);
  uint32_t no_stack();
  void leave_out(uint32_t node, uint64_t periods);
  uint32_t new_node(uint32_t parent, uint32_t function, bool truncated);
  // The node of a stack with only this function.
  uint32_t lone_node(uint32_t function);

  // The kind of a function while names are not known.
  enum class Stand : uint8_t { kRoot, kManaged, kNative, kNoStack, kLostStack };
  struct Frame {
    Stand stand = Stand::kRoot;
    uint64_t id = 0;
  };
  uint32_t lone_frame(Stand stand);
  void find_positions(const Names& names, Places& places);
  void find_native_positions(const Names& names, Places& places);
  Function describe(const Frame& frame, const Names& names) const;

  std::vector<Frame> frames_;  // by function index
  IdMap<uint32_t> methods_;    // function index by id
  IdMap<uint32_t> natives_;
  IdMap<uint32_t> node_ids_;  // only for logs whose node ids are not 1, 2, 3, …
  IdMap<uint32_t> lone_nodes_;
  bool dense_ = true;      // node ids are indexes
  uint32_t no_stack_ = 0;  // its node; 0: not needed yet
  uint32_t lost_stack_ = 0;
  std::vector<Node> nodes_;  // position is the IL offset + 1 until finish()
  SampleRows samples_;
  log::CounterRange limit_;
  std::vector<uint64_t> left_out_;        // by node until finish()
  std::vector<uint64_t> passed_periods_;  // by function index
};

}  // namespace oriel::profile
