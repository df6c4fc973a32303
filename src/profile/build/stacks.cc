#include "profile/build/stacks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "profile/hashed_rows.h"

namespace oriel::profile {
namespace {

// No log is that long. The limit keeps sums over a corrupt log from overflowing.
uint64_t periods_of(const log::Sample& sample) {
  return std::min<uint64_t>(sample.periods, std::numeric_limits<uint32_t>::max());
}

}  // namespace

Stacks::Stacks() : frames_(1), nodes_(1) {}

void Stacks::expect(uint64_t bytes) {
  constexpr uint64_t kBytesASample = 8;
  if (limit_.from != 0 || limit_.to != UINT64_MAX) return;  // nobody knows how many
  samples_.expect(bytes / kBytesASample);
}

uint32_t Stacks::function_of(log::FrameKind kind, uint64_t id) {
  const bool managed = kind == log::FrameKind::kManaged;
  bool made = false;
  uint32_t& function = (managed ? methods_ : natives_).at(id, &made);
  if (made) {
    function = static_cast<uint32_t>(frames_.size());
    frames_.push_back({managed ? Stand::kManaged : Stand::kNative, id});
  }
  return function;
}

uint32_t Stacks::new_node(uint32_t parent, uint32_t function, bool truncated) {
  nodes_.push_back({parent, function, truncated, 0});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void Stacks::add(const log::StackNode& node) {
  uint32_t parent = 0;
  bool truncated = node.truncated;
  if (node.parent != 0) {
    parent = node_of(node.parent);
    if (parent == lost_stack_) {  // its block was corrupt: the known stack begins here
      parent = 0;
      truncated = true;
    }
  }
  const uint32_t index = new_node(parent, function_of(node.kind, node.frame), truncated);
  if (dense_ && node.id == index) return;
  if (dense_) {
    for (uint32_t known = 1; known < index; ++known) node_ids_.at(known) = known;
    dense_ = false;
  }
  node_ids_.at(node.id) = index;
}

void Stacks::place(uint64_t node, uint32_t il) { nodes_[node_of(node)].position = il + 1; }

// The node of an id that is not its index, or the node that stands for all missing ones.
uint32_t Stacks::find_node(uint64_t id) {
  if (const uint32_t* node = dense_ ? nullptr : node_ids_.find(id)) return *node;
  if (lost_stack_ == 0) {
    if (dense_) {  // the new node takes an index that may be an id
      for (uint32_t known = 1; known < nodes_.size(); ++known) node_ids_.at(known) = known;
      dense_ = false;
    }
    lost_stack_ = new_node(0, lone_frame(Stand::kLostStack), false);
  }
  return lost_stack_;
}

uint32_t Stacks::lone_frame(Stand stand) {
  frames_.push_back({stand, 0});
  return static_cast<uint32_t>(frames_.size() - 1);
}

uint32_t Stacks::node_of(const log::Sample& sample) { return sample.node != 0 ? node_of(sample.node) : no_stack(); }

void Stacks::add(uint32_t thread, std::span<const log::Sample> samples) {
  std::array<Sample, 256> rows;
  size_t used = 0;
  const auto put = [&] { samples_.add(std::span(rows).first(std::exchange(used, 0))); };
  for (const log::Sample& sample : samples) {
    const uint32_t node = node_of(sample);
    if (sample.counter < limit_.from || sample.counter > limit_.to) {
      leave_out(node, periods_of(sample));
      continue;
    }
    rows[used++] = {static_cast<int64_t>(sample.counter), thread, node, periods_of(sample)};
    if (used == rows.size()) put();
  }
  put();
}

// Its node is created at the end, so that ids stay dense.
uint32_t Stacks::no_stack() {
  if (no_stack_ == 0) no_stack_ = std::numeric_limits<uint32_t>::max();
  return no_stack_;
}

void Stacks::leave_out(std::span<const log::Sample> samples) {
  for (const log::Sample& sample : samples) leave_out(node_of(sample), periods_of(sample));
}

void Stacks::leave_out(const log::PassedFrame& passed) {
  if (!passed.has_stack) return leave_out(no_stack(), passed.periods);
  const uint32_t function = function_of(passed.kind, passed.frame);
  if (function >= passed_periods_.size()) passed_periods_.resize(frames_.size());
  passed_periods_[function] += passed.periods;
}

void Stacks::leave_out(uint32_t node, uint64_t periods) {
  const uint32_t known = node < nodes_.size() ? node : 0;  // 0: there is no stack
  if (known >= left_out_.size()) left_out_.resize(size_t{known} + 4096);
  left_out_[known] += periods;
}

uint32_t Stacks::lone_node(uint32_t function) {
  bool made = false;
  uint32_t& node = lone_nodes_.at(function, &made);
  if (made) node = new_node(0, function, false);
  return node;
}

void Stacks::add_hits(uint32_t thread, const log::Statistical& hits) {
  const uint64_t count = hits.methods.size() + hits.natives.size();
  const uint64_t length = hits.end > hits.start ? hits.end - hits.start : 0;
  const uint64_t step = count == 0 ? 0 : length / count;
  uint64_t counter = hits.start;
  const auto hit = [&](log::FrameKind kind, uint64_t id) {
    const uint32_t node = lone_node(function_of(kind, id));
    const Sample sample{static_cast<int64_t>(counter), thread, node, 1};
    samples_.add({&sample, 1});
    counter += step;
  };
  for (const uint64_t id : hits.methods) hit(log::FrameKind::kManaged, id);
  for (const uint64_t id : hits.natives) hit(log::FrameKind::kNative, id);
}

Function Stacks::describe(const Frame& frame, const Names& names) const {
  switch (frame.stand) {
    case Stand::kManaged:
      return names.method(frame.id);
    case Stand::kNative:
      return names.native(frame.id);
    case Stand::kNoStack:
      return {kUnreadStack, "", "", false};
    case Stand::kLostStack:
      return {"[stack not in the log]", "", "", false};
    case Stand::kRoot:
      break;
  }
  return {};
}

namespace {

struct PlaceKey {
  uint32_t frame = 0;
  uint32_t il = 0;
  uint32_t position = 0;
  uint64_t hash() const { return mix(frame, il); }
  bool same(const PlaceKey& other) const { return frame == other.frame && il == other.il; }
};

}  // namespace

// Unnamed native functions of a library are one function. Their start addresses tell them apart.
void Stacks::find_native_positions(const Names& names, Places& places) {
  std::vector<uint32_t> position_of(frames_.size());
  IdMap<uint32_t> libraries;
  for (size_t i = 0; i < frames_.size(); ++i) {
    const uint64_t address = frames_[i].stand == Stand::kNative ? names.address(frames_[i].id) : 0;
    if (address == 0) continue;
    const uint64_t library = names.library_of(frames_[i].id);
    bool made = false;
    uint32_t& image = libraries.at(library, &made);
    if (made) {
      image = static_cast<uint32_t>(places.images.size());
      places.images.push_back(names.library(library));
    }
    position_of[i] = static_cast<uint32_t>(places.positions.size());
    places.positions.push_back({.image = image, .address = address});
  }
  for (Node& node : nodes_)
    if (position_of[node.function] != 0) node.position = position_of[node.function];
}

void Stacks::find_positions(const Names& names, Places& places) {
  HashedRows<PlaceKey> keys;
  IdMap<uint32_t> images;
  for (Node& node : nodes_) {
    if (node.position == 0) continue;
    PlaceKey key{node.function, node.position - 1, static_cast<uint32_t>(places.positions.size())};
    const uint32_t known = keys.find(key);
    if (known == HashedRows<PlaceKey>::kNone) {
      const log::MethodDefinition definition = names.definition(frames_[node.function].id);
      bool made = false;
      uint32_t& image = images.at(definition.image, &made);
      if (made) {
        image = static_cast<uint32_t>(places.images.size());
        places.images.push_back(names.image(definition.image));
      }
      places.positions.push_back({image, static_cast<uint32_t>(definition.row), key.il});
      keys.add(key);
    }
    node.position = known == HashedRows<PlaceKey>::kNone ? key.position : keys[known].position;
  }
  for (const log::MethodBox& box : names.boxes()) {
    const log::MethodDefinition definition = names.definition(box.method);
    if (const uint32_t* image = images.find(definition.image); image && box.il < log::kNoIl)
      places.boxes.push_back({*image, static_cast<uint32_t>(definition.row), static_cast<uint32_t>(box.il)});
  }
}

void Stacks::finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) {
  const uint32_t placeholder = no_stack_;
  if (placeholder != 0) no_stack_ = new_node(0, lone_frame(Stand::kNoStack), false);

  find_positions(names, profile.places);
  find_native_positions(names, profile.places);
  std::vector<uint32_t> merged;
  for (const Frame& frame : frames_) merged.push_back(functions.add(describe(frame, names)));
  for (Node& node : nodes_) node.function = merged[node.function];
  std::vector<uint64_t> left_out(size_t{std::ranges::max(merged)} + 1);
  for (size_t node = 0; node < std::min(left_out_.size(), nodes_.size()); ++node)
    left_out[nodes_[node].function] += left_out_[node];
  for (size_t i = 0; i < passed_periods_.size(); ++i) left_out[merged[i]] += passed_periods_[i];
  left_out_ = std::move(left_out);
  std::vector<Sample> samples = samples_.take();
  for (Sample& sample : samples) {
    sample.ns = clock.ns(static_cast<uint64_t>(sample.ns));
    if (placeholder != 0 && sample.node == placeholder) sample.node = no_stack_;
  }
  profile.nodes = std::move(nodes_);
  profile.samples.change() = std::move(samples);
  profile.sample_window_ns = clock.duration_ns(samples_.window());
  if (profile.sample_window_ns > 0) profile.sample_weight = samples_.mean_weight();
}

}  // namespace oriel::profile
