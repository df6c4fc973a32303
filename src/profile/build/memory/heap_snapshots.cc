#include "profile/build/memory/heap_snapshots.h"

#include <algorithm>

namespace oriel::profile {
namespace {

// A corrupt log may claim more.
int64_t time_told(uint64_t ns) { return static_cast<int64_t>(std::min(ns, uint64_t{1} << 50)); }
uint64_t most_bytes_told(uint64_t bytes) { return std::min(bytes, uint64_t{1} << 50); }

}  // namespace

void HeapSnapshots::add(const log::HeapSnapshot& told, Threads& threads) {
  Snapshot& snapshot = snapshots_.emplace_back();
  snapshot.counter = told.counter;
  snapshot.row = {0,
                  told.number,
                  told.cause,
                  time_told(told.frozen_ns),
                  time_told(told.walked_ns),
                  most_bytes_told(told.objects),
                  most_bytes_told(told.bytes),
                  told.missing,
                  told.not_copied,
                  0};
  for (const log::HeapType& type : told.types)
    if (type.objects != 0)
      snapshot.types.push_back({type.number, type.klass, most_bytes_told(type.objects), most_bytes_told(type.bytes)});
  snapshot.roots = log::group_roots(told.roots);
  snapshot.roots.group_of = {};
  for (const log::HeapRootGroup& group : snapshot.roots.groups)
    snapshot.threads.push_back(group.thread == 0 ? table::kNone : threads.index(group.thread));
}

void HeapSnapshots::finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) {
  for (Snapshot& snapshot : snapshots_) {
    const auto row = static_cast<uint32_t>(profile.heap_snapshots.size());
    snapshot.row.ns = clock.ns(snapshot.counter);
    profile.heap_snapshots.push_back(std::move(snapshot.row));
    for (const OfType& type : snapshot.types)
      profile.heap_types.push_back(
          {row, type.klass == 0 ? 0 : functions.add(names.type(type.klass)), type.number, type.objects, type.bytes});
    for (size_t i = 0; i < snapshot.roots.groups.size(); ++i) {
      log::HeapRootGroup& group = snapshot.roots.groups[i];
      const uint32_t function = group.method == 0 ? 0 : functions.add(names.method(group.method));
      profile.heap_roots.push_back(
          {row, group.kind, std::move(group.name), snapshot.threads[i], function, group.roots});
    }
  }
  snapshots_ = {};
}

}  // namespace oriel::profile
