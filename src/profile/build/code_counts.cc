#include "profile/build/code_counts.h"

#include <algorithm>
#include <utility>

namespace oriel::profile {
namespace {

// The compiler is native code. If the thread runs managed code, its last known compilation has failed, which the
// runtime does not report.
bool runs_managed_code(uint32_t node, const Profile& profile) {
  return profile.functions[profile.nodes[node].function].managed;
}

}  // namespace

void CodeCounts::add(const log::Load& load) {
  const uint8_t wanted = log::kLoadModule | log::kLoadSuccess;
  if (!load.unload && (load.kind & wanted) == wanted) ++image_loads_;
}

void CodeCounts::saw(uint64_t thread, std::span<const log::Sample> samples) {
  constexpr size_t kMost = 1 << 16;  // of one block, about
  if (thread != seen_thread_) seen_.clear();
  if (seen_.size() > 2 * kMost) seen_.erase(seen_.begin(), seen_.end() - kMost);
  seen_thread_ = thread;
  seen_.insert(seen_.end(), samples.begin(), samples.end());
}

uint64_t CodeCounts::node_of(uint64_t thread, uint64_t counter) const {
  if (thread != seen_thread_) return 0;
  const auto found = std::ranges::lower_bound(seen_, counter, {}, &log::Sample::counter);
  return found == seen_.end() || found->counter != counter ? 0 : found->node;
}

void CodeCounts::add(uint32_t thread, uint32_t node, const log::Compiling& compiling) {
  const auto periods = std::min<uint64_t>(compiling.periods, UINT32_MAX);  // as for samples
  compiling_.push_back({thread, compiling.method, compiling.again, compiling.counter, periods, node});
}

void CodeCounts::method_jit(const Incoming& told) {
  if (told.event.values[1] == 0) compiled(told);
}

void CodeCounts::compiled(const Incoming& told) {
  ++compilations_;
  methods_.at(told.event.values[0]) = 1;
}

void CodeCounts::image_loaded(const Incoming&) { ++image_events_; }

void CodeCounts::finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) const {
  profile.code_counts = {{.images_loaded = std::max(image_loads_, image_events_),
                          .methods_compiled = methods_.size(),
                          .compilations = compilations_}};
  for (const CompilingRecord& one : compiling_) {
    if (one.node < profile.nodes.size() && runs_managed_code(one.node, profile)) continue;
    const uint32_t function = functions.add(names.method(one.method));
    profile.compiling.push_back({clock.ns(one.counter), one.thread, function, one.again, one.periods});
  }
}

}  // namespace oriel::profile
