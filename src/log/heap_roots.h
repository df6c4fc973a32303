// Roots of a heap snapshot as people read them: those of one static field, or of one method's locals, are one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/heap_records.h"

namespace oriel::log {

struct HeapRootGroup {
  HeapRootKind kind = HeapRootKind::kStrongHandle;
  uint64_t thread = 0;  // thread id, of stacks and thread statics
  uint64_t method = 0;  // method id, of stacks; 0 if not known
  std::string name;     // of a static field
  uint64_t roots = 0;
};

// By root the number of its group; the groups stand in the order of their first roots.
struct HeapRootGroups {
  std::vector<HeapRootGroup> groups;
  std::vector<uint32_t> group_of;
};
HeapRootGroups group_roots(const std::vector<HeapRoot>& roots);

// What keeps an object alive for good comes before what does so for a while. Objects count for the first of these that
// reaches them. kKeepsNothing: a root that keeps no object alive by itself.
enum class HeapRootStrength : uint8_t { kStatic, kThreadStatic, kHandle, kStack, kFinalizer, kNative, kKeepsNothing };
HeapRootStrength strength_of(HeapRootKind kind);

// "static", "stack", "pinned-handle": as reports and tables name it.
const char* heap_root_kind_name(HeapRootKind kind);

}  // namespace oriel::log
