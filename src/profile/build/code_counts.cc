#include "profile/build/code_counts.h"

#include <algorithm>
#include <map>
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

void CodeCounts::add(uint32_t thread, const log::Compiling& compiling) {
  const auto periods = std::min<uint64_t>(compiling.periods, UINT32_MAX);  // as for samples
  compiling_.push_back({thread, compiling.method, compiling.again, compiling.counter, periods});
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
  std::map<std::pair<uint32_t, int64_t>, bool> compiles;  // by the sample's thread and time
  for (const CompilingRecord& one : compiling_) compiles[{one.thread, clock.ns(one.counter)}] = true;
  for (const Sample& sample : profile.samples)
    if (const auto at = compiles.find({sample.thread, sample.ns}); at != compiles.end())
      at->second = !runs_managed_code(sample.node, profile);
  for (const CompilingRecord& one : compiling_) {
    if (!compiles.at({one.thread, clock.ns(one.counter)})) continue;
    const uint32_t function = functions.add(names.method(one.method));
    profile.compiling.push_back({clock.ns(one.counter), one.thread, function, one.again, one.periods});
  }
}

}  // namespace oriel::profile
