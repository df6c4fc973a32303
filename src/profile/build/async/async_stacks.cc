#include "profile/build/async/async_stacks.h"

#include <algorithm>
#include <iterator>

namespace oriel::profile {

LogicalStacks::LogicalStacks(std::vector<AsyncRun> runs, QueueingWaits handed, Profile& profile)
    : runs_(std::move(runs)), handed_(std::move(handed)), profile_(profile) {
  of_thread_.resize(profile.threads.size());
  for (uint32_t i = 0; i < runs_.size(); ++i)
    if (runs_[i].thread < of_thread_.size()) of_thread_[runs_[i].thread].push_back(i);
}

uint32_t LogicalStacks::of(uint32_t thread, int64_t ns, uint32_t node) {
  const uint32_t run = run_at(thread, ns);
  if (node == 0) return node;
  if (run == AsyncRun::kNone) return under_queueing_wait(ns, node);
  const auto [known, made] = moved_.try_emplace({node, key_of(run)}, node);
  if (made) known->second = moved(node, run);
  return known->second;
}

namespace {

// The node that was waiting at that time; the latest of several; 0: none.
uint32_t waiting_at(int64_t ns, const std::vector<QueueingWait>& waits) {
  constexpr int kMost = 100;
  auto at = std::ranges::upper_bound(waits, ns, {}, &QueueingWait::start_ns);
  for (int i = 0; i < kMost && at != waits.begin(); ++i) {
    --at;
    if (at->end_ns < 0 || at->end_ns >= ns) return at->node;
  }
  return 0;
}

}  // namespace

uint32_t LogicalStacks::under_queueing_wait(int64_t ns, uint32_t leaf) {
  if (handed_.empty()) return leaf;
  std::vector<uint32_t> frames;  // innermost first
  size_t kept = 0;
  const std::vector<QueueingWait>* waits = nullptr;
  for (uint32_t node = leaf; node != 0; node = profile_.nodes[node].parent) {
    frames.push_back(node);
    const auto found = handed_.find(profile_.nodes[node].function);
    if (found == handed_.end()) continue;
    waits = &found->second;
    kept = frames.size();
  }
  const uint32_t under = waits == nullptr ? 0 : waiting_at(ns, *waits);
  if (under == 0) return leaf;
  frames.resize(kept);
  return put_under(under, frames);
}

// The innermost run at that time.
uint32_t LogicalStacks::run_at(uint32_t thread, int64_t ns) const {
  if (thread >= of_thread_.size()) return AsyncRun::kNone;
  const std::vector<uint32_t>& all = of_thread_[thread];
  const auto after = std::ranges::upper_bound(all, ns, {}, [&](uint32_t run) { return runs_[run].begin_ns; });
  uint32_t run = after == all.begin() ? AsyncRun::kNone : *std::prev(after);
  while (run != AsyncRun::kNone && runs_[run].end_ns >= 0 && runs_[run].end_ns < ns) run = runs_[run].outer;
  return run;
}

LogicalStacks::RunKey LogicalStacks::key_of(uint32_t run) const {
  uint32_t depth = 0;
  const uint32_t innermost = runs_[run].function;
  while (runs_[run].is_of_outer) {
    run = runs_[run].outer;
    ++depth;
  }
  return {innermost, runs_[run].under, depth};
}

// The stack's node, moved under the awaiters of the run, or of the outer runs that the stack shows.
uint32_t LogicalStacks::moved(uint32_t leaf, uint32_t run) {
  std::vector<uint32_t> frames;  // innermost first
  for (uint32_t node = leaf; node != 0; node = profile_.nodes[node].parent) {
    frames.push_back(node);
    if (profile_.nodes[node].function != runs_[run].function) continue;
    if (!runs_[run].is_of_outer) return runs_[run].under == 0 ? leaf : put_under(runs_[run].under, frames);
    run = runs_[run].outer;
  }
  return leaf;  // the stack belongs to something else
}

uint32_t LogicalStacks::put_under(uint32_t node, const std::vector<uint32_t>& frames) {
  for (size_t i = frames.size(); i-- > 0;) node = child(node, frames[i]);
  return node;
}

// A child with the method and position of `like`.
uint32_t LogicalStacks::child(uint32_t parent, uint32_t like) {
  Node made = profile_.nodes[like];
  made.parent = parent;
  made.truncated = false;
  const auto next = static_cast<uint32_t>(profile_.nodes.size());
  const auto [known, is_new] = children_.try_emplace({parent, made.function, made.position}, next);
  if (is_new) profile_.nodes.push_back(made);
  return known->second;
}

}  // namespace oriel::profile
