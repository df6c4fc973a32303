#include "profile/build/memory/sampled_allocations.h"

#include <algorithm>
#include <cmath>

#include "profile/build/memory/allocation_stacks.h"

namespace oriel::profile {
namespace {

// More rows (class, thread and stack) than any program has; a corrupt log could claim any number.
constexpr uint32_t kMostAllocationRows = 1u << 22;

// Limits the number of objects that a corrupt log may claim.
uint64_t rounded(double objects) { return static_cast<uint64_t>(std::llround(std::min(objects, 4e18))); }

}  // namespace

void SampledAllocations::limit(uint64_t from, uint64_t to) {
  from_ = from;
  to_ = std::max(from, to);
}

void SampledAllocations::add_followed(const Incoming& told) {
  if (!leaves_out_followed_) add(told);
}

void SampledAllocations::add(const Incoming& told) {
  const log::Event& event = told.event;
  const uint64_t size = std::max<uint64_t>(event.values[1], 1);
  const uint64_t represented = event.values[2];
  const double objects = static_cast<double>(represented) / static_cast<double>(size);
  ++samples_;
  objects_ += objects;
  if (event.counter < from_ || event.counter > to_) return;
  const Timed allocation{event.values[0], event.counter, represented, objects, told.thread, told.stack};
  if (!keeps_times_) {
    add_to_row(allocation);
  } else if (timed_.size() < kMostAllocationRows) {
    timed_.push_back(allocation);
  } else {
    ++not_counted_;
  }
}

void SampledAllocations::add_to_row(const Timed& allocation) {
  Row key;
  key.klass = allocation.klass;
  key.thread = allocation.thread;
  key.stack = allocation.stack;
  uint32_t at = rows_.find(key);
  if (at == HashedRows<Row>::kNone) {
    if (rows_.size() >= kMostAllocationRows) {
      ++not_counted_;
      return;
    }
    at = rows_.add(key);
  }
  Row& row = rows_[at];
  ++row.samples;
  row.bytes += allocation.bytes;
  row.objects += allocation.objects;
}

void SampledAllocations::finish(const Names& names, const ClockMap& clock, LogicalStacks& logical, Functions& functions,
                                Profile& profile) {
  if (samples_ == 0 || profile.call_total().allocated > 0) return;
  for (Timed& allocation : timed_) {
    allocation.stack = logical.of(allocation.thread, clock.ns(allocation.counter), allocation.stack);
    add_to_row(allocation);
  }
  timed_ = {};
  if (profile.call_nodes.empty()) {
    profile.call_nodes.resize(1);
    profile.call_figures.resize(1);
  }
  CallTotal& total = profile.call_totals.front();
  total.allocation_samples = samples_;
  total.allocated = std::max<uint64_t>(rounded(objects_), 1);
  total.folded += not_counted_;
  IdMap<uint32_t> types;
  AllocationStacks stacks(profile);
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    bool made = false;
    uint32_t& type = types.at(row.klass, &made);
    if (made) type = functions.add(names.type(row.klass));
    Allocations entry;
    entry.thread = row.thread;
    entry.type = type;
    if (row.stack != 0) {
      entry.node = stacks.in_calls(row.stack);
      entry.site = stacks.site_of(row.stack);
    }
    entry.objects = rounded(row.objects);
    entry.bytes = row.bytes;
    entry.samples = row.samples;
    profile.allocations.push_back(entry);
  }
}

}  // namespace oriel::profile
