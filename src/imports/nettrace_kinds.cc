#include "imports/nettrace_kinds.h"

#include <algorithm>
#include <string_view>

namespace oriel::imports {
namespace {

constexpr std::string_view kOfRuntime = "Microsoft-Windows-DotNETRuntime";
constexpr std::string_view kOfRundown = "Microsoft-Windows-DotNETRuntimeRundown";
constexpr std::string_view kOfSamples = "Microsoft-DotNETCore-SampleProfiler";
constexpr std::string_view kOfPipe = "Microsoft-DotNETCore-EventPipe";
// Of a trace of a machine (UniversalProviders.md of the PerfView project). Their events have names and no lasting
// numbers.
constexpr std::string_view kOfSystem = "Universal.System", kOfMachine = "Universal.Events";

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

struct NamedKind {
  std::string_view name;
  TraceWhat what;
};
constexpr NamedKind kSystemKinds[] = {
    {"ExistingProcess", TraceWhat::kProcessName},
    {"ProcessCreate", TraceWhat::kProcessName},
    {"ProcessExit", TraceWhat::kIgnored},
    {"ProcessMapping", TraceWhat::kMapping},
    {"ProcessMappingMetadata", TraceWhat::kIgnored},
    {"ProcessSymbol", TraceWhat::kSymbol},
};

TraceWhat system_kind(std::string_view name) {
  const auto* found = std::ranges::find(kSystemKinds, name, &NamedKind::name);
  return found == std::end(kSystemKinds) ? TraceWhat::kOther : found->what;
}

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
  if (kind.provider == kOfSystem) return system_kind(kind.name);
  if (kind.provider == kOfMachine && kind.name == "cpu") return TraceWhat::kCpuSample;
  return TraceWhat::kOther;
}

void TraceKinds::add(uint32_t number, const TraceKind& kind) {
  told_[number] = {kind, {what_is(kind), kind.version}, {}};
}

TraceKinds::Known* TraceKinds::find(const TraceEvent& event) {
  const auto found = told_.find(event.kind);
  if (found == told_.end()) return nullptr;
  Told& told = found->second;
  if (!event.version || *event.version == told.known.version) return &told.known;
  const auto [other, is_new] = told.others.try_emplace(*event.version);
  if (is_new) {
    TraceKind kind = told.kind;
    kind.version = *event.version;
    other->second = {what_is(kind), kind.version};
  }
  return &other->second;
}

}  // namespace oriel::imports
