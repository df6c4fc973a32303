#include "log/heap_roots.h"

#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

namespace oriel::log {

HeapRootGroups group_roots(const std::vector<HeapRoot>& roots) {
  HeapRootGroups all;
  all.group_of.reserve(roots.size());
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, std::string_view>, uint32_t> known;
  for (const HeapRoot& root : roots) {
    const auto [at, is_new] =
        known.try_emplace({root.kind, root.thread, root.method, root.name}, static_cast<uint32_t>(all.groups.size()));
    if (is_new) {
      const auto kind = static_cast<HeapRootKind>(root.kind <= UINT8_MAX ? root.kind : 0);
      all.groups.push_back({kind, root.thread, root.method, root.name, 0});
    }
    ++all.groups[at->second].roots;
    all.group_of.push_back(at->second);
  }
  return all;
}

HeapRootStrength strength_of(HeapRootKind kind) {
  switch (kind) {
    case HeapRootKind::kStatic:
      return HeapRootStrength::kStatic;
    case HeapRootKind::kThreadStatic:
      return HeapRootStrength::kThreadStatic;
    case HeapRootKind::kStack:
      return HeapRootStrength::kStack;
    case HeapRootKind::kFinalizer:
      return HeapRootStrength::kFinalizer;
    case HeapRootKind::kNative:
      return HeapRootStrength::kNative;
    case HeapRootKind::kDependent:
    case HeapRootKind::kWeakHandle:
      return HeapRootStrength::kKeepsNothing;
    default:  // kinds of later versions too
      return HeapRootStrength::kHandle;
  }
}

const char* heap_root_kind_name(HeapRootKind kind) {
  constexpr const char* kNames[] = {"other",     "static",        "thread-static",  "stack",
                                    "handle",    "pinned-handle", "counted-handle", "dependent-handle",
                                    "finalizer", "native",        "weak-handle"};
  const auto number = static_cast<size_t>(kind);
  return kNames[number < std::size(kNames) ? number : 0];
}

}  // namespace oriel::log
