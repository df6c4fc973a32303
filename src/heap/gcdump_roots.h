// The nodes above objects in .gcdump files, as dotnet-gcdump makes them: each kind of roots has one, some of these
// below one node more; below that of static fields there is one a field. PerfView finds paths to roots by these names.
// Their types have names in brackets, and no size.
#pragma once

#include <string_view>

#include "log/heap_records.h"

namespace oriel::heap {

inline constexpr char kAllRootsNode[] = "[.NET Roots]";
inline constexpr char kOtherRootsNode[] = "[other roots]";

struct GcdumpRoots {
  log::HeapRootKind kind;
  const char* node;
  const char* of_group = nullptr;  // what a group's node begins with, before the group's name; nullptr: there are none
  bool is_other = false;           // below kOtherRootsNode
};
inline constexpr GcdumpRoots kGcdumpRoots[] = {
    {log::HeapRootKind::kStatic, "[static vars]", "[static var "},
    {log::HeapRootKind::kThreadStatic, "[thread static vars]", "[static var "},
    {log::HeapRootKind::kStack, "[local vars]", "[local vars of "},
    {log::HeapRootKind::kStrongHandle, "[strong Handles]", nullptr, true},
    {log::HeapRootKind::kPinnedHandle, "[pinning Handles]", nullptr, true},
    {log::HeapRootKind::kRefCounted, "[COM/WinRT Objects]", nullptr, true},
    {log::HeapRootKind::kFinalizer, "[finalizer Handles]", nullptr, true},
    {log::HeapRootKind::kNative, "[native memory]", nullptr, true},
    // All others.
    {log::HeapRootKind::kStrongHandle, "[other Handles]", nullptr, true},
};

}  // namespace oriel::heap
