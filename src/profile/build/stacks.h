// Processor of sampled stacks: the tree of nodes, the samples, and the functions that they meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "log/format.h"
#include "profile/build/clock_map.h"
#include "profile/build/id_map.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class Stacks {
 public:
  Stacks();

  void expect(uint64_t bytes);

  void add(const log::StackNode& node);
  // Where in its method a node is. The node is one of those added last.
  void place(uint64_t node, uint32_t il);
  // `thread` is an index into the profile's threads.
  void add(uint32_t thread, const log::Sample& sample);
  // Version 1's hits: functions without callers, at times between start and end.
  void add_hits(uint32_t thread, const log::Statistical& hits);

  // Moves all into `profile`: functions with their names, nodes, samples with their times. The first to add functions.
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile);

  // The index that the node of that id has in the profile; of one that stands for all others if the log lacks it.
  uint32_t node_of(uint64_t id);

 private:
  uint32_t function_of(log::FrameKind kind, uint64_t id);
  uint32_t new_node(uint32_t parent, uint32_t function, bool truncated);
  // The node of a stack of only this function.
  uint32_t lone_node(uint32_t function);

  // What a function stands for until names are known.
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
  IdMap<uint32_t> node_ids_;  // only of logs whose node ids are not 1, 2, 3, …
  IdMap<uint32_t> lone_nodes_;
  bool dense_ = true;      // a node's index is its id
  uint32_t no_stack_ = 0;  // node; 0: not needed yet
  uint32_t lost_stack_ = 0;
  std::vector<Node> nodes_;      // position holds the offset in the IL + 1 until finish
  std::vector<Sample> samples_;  // ns holds the counter until finish
};

}  // namespace oriel::profile
