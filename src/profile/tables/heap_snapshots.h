// Snapshots of the heap: what they count by type and by root. Objects and references stay in the log, for those who
// need them (heap/graph.h).
#pragma once

#include <cstdint>
#include <string>

#include "log/heap_roots.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct HeapSnapshot {
  int64_t ns = 0;
  uint64_t number = 0;  // within its log
  std::string cause;
  int64_t frozen_ns = 0;
  int64_t walked_ns = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
  std::string missing;
  std::string not_copied;
  uint32_t process = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = HeapSnapshot;
    return describe(Order::kAsTold, Part::kWhole,
                    field<Kind::kTime>("at", &Row::ns, "when the program was stopped for it"),
                    field<Kind::kNumber>("number", &Row::number, "which one of its log, from 1"),
                    field<Kind::kText>("cause", &Row::cause, "what asked for it: request, exit, interval, growth, …"),
                    field<Kind::kDuration>("frozen", &Row::frozen_ns, "how long the program was stopped"),
                    field<Kind::kDuration>("walked", &Row::walked_ns, "how long the walk over the objects took"),
                    field<Kind::kCount>("objects", &Row::objects, "how many objects there were, garbage included"),
                    field<Kind::kBytes>("bytes", &Row::bytes, "their bytes"),
                    field<Kind::kText>("missing", &Row::missing, "what is not in it and why; empty if it is complete"),
                    field<Kind::kText>("not_copied", &Row::not_copied,
                                       "why the program was stopped for the whole walk; empty if a copy was walked"),
                    field<Kind::kProcess>("process", &Row::process, "whose heap it is"));
  }
};

struct HeapType {
  uint32_t snapshot = 0;
  uint32_t type = 0;
  uint64_t number = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = HeapType;
    return describe(Order::kAsTold, Part::kWhole,
                    row_of<HeapSnapshot>("snapshot", &Row::snapshot, "row of the snapshot"),
                    field<Kind::kType>("type", &Row::type, "the type"),
                    field<Kind::kNumber>("number", &Row::number, "which one of the snapshot's types"),
                    field<Kind::kCount>("objects", &Row::objects, "how many objects, garbage included"),
                    field<Kind::kBytes>("bytes", &Row::bytes, "their bytes"));
  }
};

struct HeapRoots {
  uint32_t snapshot = 0;
  log::HeapRootKind kind = log::HeapRootKind::kStatic;
  std::string name;
  uint32_t thread = table::kNone;
  uint32_t function = 0;
  uint64_t roots = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = HeapRoots;
    return describe(
        Order::kAsTold, Part::kWhole, row_of<HeapSnapshot>("snapshot", &Row::snapshot, "row of the snapshot"),
        derived<Kind::kWord>(
            "kind", [](const Row& row) { return log::heap_root_kind_name(row.kind); }, "what refers to objects"),
        field<Kind::kText>("name", &Row::name, "of a static field, its class and name"),
        field<Kind::kThread>("thread", &Row::thread, "whose stack or field it is"),
        field<Kind::kFunction>("method", &Row::function, "of a stack, the method whose variables they are"),
        field<Kind::kCount>("roots", &Row::roots, "how many references"));
  }
};

}  // namespace oriel::profile
