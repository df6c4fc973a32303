#include "imports/nettrace_kinds.h"

#include <algorithm>
#include <string_view>

namespace oriel::imports {
namespace {

constexpr std::string_view kOfRuntime = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kOfRundown = "Microsoft-Windows-DotNETRuntimeRundown";
constexpr std::string_view kOfSamples = "Microsoft-DotNETCore-SampleProfiler";
constexpr std::string_view kOfPipe = "Microsoft-DotNETCore-EventPipe";

struct KindRow {
  uint32_t id;
  TraceWhat what;
  uint32_t first_version = 0;  // earlier ones have too few fields
};

constexpr KindRow kRuntimeKinds[] = {
    {1, TraceWhat::kGcStart, 1},
    {2, TraceWhat::kGcEnd, 1},
    {3, TraceWhat::kResumeEnd},
    {4, TraceWhat::kGcHeap},
    {7, TraceWhat::kResumeBegin},
    {8, TraceWhat::kSuspendEnd},
    {9, TraceWhat::kSuspendBegin, 1},
    {10, TraceWhat::kAllocationTick, 2},
    {55, TraceWhat::kPool},
    {80, TraceWhat::kThrow, 1},
    {81, TraceWhat::kLockWait},
    {91, TraceWhat::kLockTaken, 1},
    {143, TraceWhat::kMethodLoaded},
    {144, TraceWhat::kMethodUnloaded},
    {145, TraceWhat::kMethodCompiling},
    {151, TraceWhat::kIgnored},
    {152, TraceWhat::kModuleLoaded},
    {187, TraceWhat::kRuntime},
    {250, TraceWhat::kCatch},
    {303, TraceWhat::kAllocationSampled},
};
// 141 to 146 and 151 to 158: at the begin, odd ones, and at the end. Those without names say what the verbose ones do.
constexpr KindRow kRundownKinds[] = {
    {141, TraceWhat::kIgnored},     {142, TraceWhat::kIgnored}, {143, TraceWhat::kMethodThere},
    {144, TraceWhat::kMethodThere}, {145, TraceWhat::kIgnored}, {146, TraceWhat::kIgnored},
    {151, TraceWhat::kIgnored},     {152, TraceWhat::kIgnored}, {153, TraceWhat::kModuleThere},
    {154, TraceWhat::kModuleThere}, {155, TraceWhat::kIgnored}, {156, TraceWhat::kIgnored},
    {157, TraceWhat::kIgnored},     {158, TraceWhat::kIgnored}, {187, TraceWhat::kRuntime},
};

template <size_t kCount>
TraceWhat row_of(const KindRow (&rows)[kCount], const TraceKind& kind) {
  const auto* found = std::ranges::find(rows, kind.id, &KindRow::id);
  if (found == std::end(rows) || kind.version < found->first_version) return TraceWhat::kOther;
  return found->what;
}

}  // namespace

TraceWhat what_is(const TraceKind& kind) {
  if (kind.provider == kOfRuntime) return row_of(kRuntimeKinds, kind);
  if (kind.provider == kOfRundown) return row_of(kRundownKinds, kind);
  if (kind.provider == kOfSamples) return TraceWhat::kSample;
  if (kind.provider == kOfPipe) return kind.name == "ProcessInfo" ? TraceWhat::kProcess : TraceWhat::kIgnored;
  return TraceWhat::kOther;
}

}  // namespace oriel::imports
