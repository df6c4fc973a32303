#include "profile/build/call_lanes.h"

#include <algorithm>
#include <utility>

#include "log/field_reader.h"
#include "log/framing.h"
#include "log/layout.h"
#include "profile/build/call_nodes.h"
#include "profile/build/threads.h"

namespace oriel::profile {
namespace {

// No writer makes a block with so many bytes behind its head: compressed ones are smaller than these.
constexpr uint64_t kMostStored = log::kMostCallRecords * (2 + log::kMostMoreBytes);

}  // namespace

CallLane& CallLanes::lane_of(uint32_t thread) {
  std::shared_ptr<CallLane>& lane = lanes_[thread % kCallLanes];
  if (lane == nullptr) lane = std::make_shared<CallLane>(range_);
  return *lane;
}

bool CallLanes::add(uint32_t thread, const log::BlockView& block, const log::CallsBlock& head,
                    const log::Cursor& contents) {
  const uint64_t stored = log::stored_bytes(head);
  if (stored > contents.left() || stored > kMostStored) return false;
  EncodedCalls encoded{thread, block, head, {contents.at, contents.at + stored}};
  encoded.block.data = nullptr;
  if (!new_sizes_.empty())
    class_sizes_.push_back(std::make_shared<const std::vector<ClassSize>>(std::exchange(new_sizes_, {})));
  lane_of(thread).add(std::move(encoded), class_sizes_);
  return true;
}

void CallLanes::add(const log::ClassName& klass) {
  if (known_sizes_.of(klass.id) == klass.instance_size) return;
  known_sizes_.set(klass.id, klass.instance_size);
  new_sizes_.push_back({klass.id, klass.instance_size});
}

void CallLanes::lose_all() {
  for (const auto& lane : lanes_)
    if (lane != nullptr) lane->add(Hole{});
}

void CallLanes::lose(uint32_t thread) { lane_of(thread).add(LostCalls{thread}); }

void CallLanes::take(const Incoming& told) {
  const log::Event& event = told.event;
  const uint64_t method = event.values[0];
  if (event.number >= oriel_event_method_enter && event.number <= oriel_event_method_exception_leave &&
      method <= UINT32_MAX) {
    const log::Call call{event.counter, event.number, static_cast<uint32_t>(method)};
    return add(told.thread, {&call, 1});
  }
  LoggedEvent logged{told.thread, event};
  logged.event.text = {};
  if (event.stack != 0) logged.event.stack = kIsNode | told.stack;
  lane_of(told.thread).add(std::move(logged));
}

void CallLanes::end_thread(const Incoming& told) {
  const uint32_t thread = told.threads.index(told.event.values[0]);
  if (thread >= ended_.size()) ended_.resize(thread + 1);
  ended_[thread] = told.event.counter;
}

void CallLanes::pass_over(const log::PassedCalls& passed) {
  passed_.enters += passed.enters;
  first_passed_ = std::min(first_passed_, passed.first_enter);
  passed_.without_enter += passed.without_enter;
  passed_.without_leave += passed.without_leave;
  passed_.gaps += passed.gaps;
  passed_.lost_events += passed.lost_events;
  passed_.allocated += passed.allocated;
}

void CallLanes::pass_over(uint32_t thread, const log::PassedStack& passed) {
  lane_of(thread).add(PassedOver{thread, passed});
}

void CallLanes::join(const std::function<uint32_t(uint64_t)>& node_of) {
  for (const auto& lane : lanes_) {
    if (lane == nullptr) continue;
    lane->join();
    lane->calls().set_stacks(node_of);
  }
}

void CallLanes::each_thread(const std::function<void(uint32_t, const log::CounterRange&)>& see) const {
  for (const auto& lane : lanes_)
    if (lane != nullptr) lane->calls().each_thread(see);
}

DamagedBlocks CallLanes::damaged() const {
  DamagedBlocks all;
  for (const auto& lane : lanes_) {
    if (lane == nullptr) continue;
    all.count += lane->damaged().count;
    all.first.insert(all.first.end(), lane->damaged().first.begin(), lane->damaged().first.end());
  }
  std::ranges::stable_sort(all.first, {}, &DamagedCalls::offset);
  all.first.resize(std::min(all.first.size(), DamagedBlocks::kMostKept));
  return all;
}

void CallLanes::finish(const Names& names, const ClockMap& clock, uint64_t last_counter, const ProbeCosts& costs,
                       Functions& functions, Profile& profile) {
  LoggedCalls all{{}, passed_, {first_passed_, last_counter}};
  for (const auto& lane : lanes_) {
    if (lane == nullptr) continue;
    lane->calls().close_open_calls(last_counter, ended_);
    all.lanes.push_back(&lane->calls());
  }
  add_logged_calls(all, names, clock, costs, functions, profile);
  lanes_ = {};
}

}  // namespace oriel::profile
