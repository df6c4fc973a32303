#include "profile/work/purpose.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "log/properties.h"
#include "profile/mono_wrappers.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

using Yields = Purpose::Yields;

struct Row {
  std::string_view begins;
  Category category;
};

// CoreCLR helpers written in C#.
constexpr Row kManagedHelpers[] = {
    {"System.Runtime.CompilerServices.CastHelpers.", Category::kCasts},
    {"System.Runtime.CompilerServices.GenericsHelpers.", Category::kLookups},
    {"System.Runtime.CompilerServices.StaticsHelpers.", Category::kLookups},
    {"System.Runtime.CompilerServices.VirtualDispatchHelpers.", Category::kLookups},
    {"System.Runtime.CompilerServices.InitHelpers.", Category::kTypes},
    {"System.Threading.Monitor.", Category::kLocks},
    {"System.Threading.Lock.", Category::kLocks},
    {"System.GC.Collect(", Category::kGc},
    {"System.GC._Collect(", Category::kGc},
    {"System.GC.Allocate", Category::kAllocation},
    {"System.Runtime.EH.", Category::kExceptions},
    {"System.Runtime.StackFrameIterator.", Category::kExceptions},
};

// Code that Mono makes around methods and for itself, by the kind in front of its name.
constexpr Row kMonoWrappers[] = {
    {"alloc", Category::kAllocation},         {"stelemref", Category::kCasts},
    {"castclass", Category::kCasts},          {"write-barrier", Category::kCasts},
    {"runtime-invoke", Category::kFramework}, {"dynamic-method", Category::kGenerated},
};

// Functions of Mono's that such code calls, or that are called from outside.
constexpr Row kMonoFunctions[] = {
    {"__icall_wrapper_mono_gc_alloc", Category::kAllocation},
    {"__icall_wrapper_ves_icall_object_new", Category::kAllocation},
    {"__icall_wrapper_ves_icall_array_new", Category::kAllocation},
    {"__icall_wrapper_ves_icall_string_alloc", Category::kAllocation},
    {"mono_main", Category::kStart},
    {"mono_jit_init", Category::kStart},
};
constexpr std::string_view kMonoLibraries[] = {"mono-sgen", "mono-boehm", "libmonosgen", "libmonoboehm", "libmono-2.0"};

// Names that arch/x64/modules/native_code.cc gives.
constexpr Row kNamedByCode[] = {
    {"[PGO counting]", Category::kPgo},        {"[call counting]", Category::kTiering},
    {"[call preparation]", Category::kTypes},  {"[look-up]", Category::kLookups},
    {"[taking a lock]", Category::kLocks},     {"[leaving a lock]", Category::kLocks},
    {"[write barrier]", Category::kCasts},     {"[allocation]", Category::kAllocation},
    {"[call thunk]", Category::kStubs},        {"[helper thunk]", Category::kStubs},
    {"[virtual call stub]", Category::kStubs}, {"[interface call stub]", Category::kStubs},
    {"[runtime stub]", Category::kStubs},
};

// The runtime's functions, if it has symbols.
constexpr Row kRuntimeFunctions[] = {
    {"JIT_CountProfile", Category::kPgo},
    {"JIT_ClassProfile", Category::kPgo},
    {"JIT_DelegateProfile", Category::kPgo},
    {"JIT_VTableProfile", Category::kPgo},
    {"JIT_ValueProfile", Category::kPgo},
    {"JIT_New", Category::kAllocation},
    {"RhpNew", Category::kAllocation},
    {"RhpGcAlloc", Category::kAllocation},
    {"JIT_WriteBarrier", Category::kCasts},
    {"JIT_CheckedWriteBarrier", Category::kCasts},
    {"JIT_ByRefWriteBarrier", Category::kCasts},
    {"ThePreStub", Category::kTypes},
    {"DelayLoad_", Category::kTypes},
    {"OnCallCountThresholdReached", Category::kTiering},
    {"WKS::gc_heap::", Category::kGc},
    {"SVR::gc_heap::", Category::kGc},
    {"WKS::GCHeap::GarbageCollect", Category::kGc},
    {"SVR::GCHeap::GarbageCollect", Category::kGc},
    {"IL_Throw", Category::kExceptions},
    {"IL_Rethrow", Category::kExceptions},
    {"ThreadSuspend::", Category::kSuspension},
};

constexpr Row kLibraries[] = {
    {"libclrjit", Category::kJit},    {"libmono-jit", Category::kJit},      {"libclrgc", Category::kGc},
    {"libhostfxr", Category::kStart}, {"libhostpolicy", Category::kStart},  {"libnethost", Category::kStart},
    {"liboriel", Category::kOriel},   {"libSystem.", Category::kFramework},
};

constexpr std::string_view kOfC[] = {"libc.", "libc-", "libm.", "ld-musl"};
constexpr std::string_view kOfSystem[] = {"libc.",    "libc-",   "libm.", "libpthread", "libstdc++", "libgcc_s",
                                          "ld-linux", "ld-musl", "ld.",   "linux-vdso", "[vdso]"};

// .NET's own assemblies, where the log does not give origins.
constexpr std::string_view kNamedAsFramework[] = {"System.", "Microsoft.", "mscorlib.", "netstandard.", "FSharp.Core."};

const Row* find(std::span<const Row> rows, std::string_view name) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) { return name.starts_with(row.begins); });
  return found == rows.end() ? nullptr : &*found;
}

bool begins_with_any(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view begins) { return text.starts_with(begins); });
}

std::string without_version(const std::string& name) { return name.substr(0, name.rfind(' ')); }

// The row of "object.[alloc] AllocVector" or "object.[managed-to-native] __icall_wrapper_mono_gc_alloc_obj".
const Row* row_of(const MonoWrapper& wrapper) {
  const Row* const kind = find(kMonoWrappers, wrapper.kind);
  return kind ? kind : find(kMonoFunctions, wrapper.method);
}

Purpose by_origin(const Function& function, const Profile& profile) {
  if (const Row* helper = find(kManagedHelpers, function.name)) return {helper->category, ""};
  const Origin& origin = profile.origins[function.origin];
  switch (origin.kind) {
    case log::Origin::kProject:
      return {Category::kOwn, ""};
    case log::Origin::kPackage:
      return {Category::kPackage, without_version(origin.name)};
    case log::Origin::kFramework:
      return {Category::kFramework, without_version(origin.name)};
    case log::Origin::kUnknown:
      break;
  }
  if (function.module.empty()) return {Category::kGenerated, ""};
  return {begins_with_any(function.module, kNamedAsFramework) ? Category::kFramework : Category::kOwn, ""};
}

// Code that Mono made for a method of the program is no more the program's than a stub of CoreCLR's.
Purpose of_managed(const Function& function, const Profile& profile) {
  // Version 1 of the format does not say which image a method is of.
  if (profile.intro.version == log::kVersion1 && function.module.empty())
    return {begins_with_any(function.name, kNamedAsFramework) ? Category::kFramework : Category::kOwn, ""};
  const Purpose purpose = by_origin(function, profile);
  const std::optional<MonoWrapper> wrapper = is_of_mono(profile) ? mono_wrapper(function.name) : std::nullopt;
  if (!wrapper) return purpose;
  if (const Row* row = row_of(*wrapper)) return {row->category, row->category == Category::kFramework ? "Mono" : ""};
  const bool is_for_program = purpose.category == Category::kOwn || purpose.category == Category::kPackage;
  return is_for_program && passes_on(*wrapper) ? Purpose{Category::kGenerated, ""} : purpose;
}

// The property is like "libagent.so {324F817A-…}, libother.so {…}".
bool is_guest(const std::string& module, const Profile& profile) {
  const std::string* guests = property(profile.intro, log::property::kGuests);
  if (guests == nullptr || module.empty()) return false;
  const size_t at = guests->find(module + " {");
  return at == 0 || (at != guests->npos && (*guests)[at - 1] == ' ');
}

Purpose of_native(const Function& function, const Profile& profile) {
  // PGO instrumentation does not belong to the work whose code it instruments.
  const auto yields = [](const Row& row) { return row.category == Category::kPgo ? Yields::kNever : Yields::kToWork; };
  // What Mono generates beside methods calls the runtime for many purposes.
  if (is_of_mono(profile) && function.name == "[runtime stub]") return {Category::kRuntime, "", Yields::kToNet};
  if (const Row* named = find(kNamedByCode, function.name)) return {named->category, "", yields(*named)};
  const bool by_perf = function.module == "[kernel.kallsyms]";  // of imported text of perf script
  if (by_perf || function.name == "[kernel]" || function.name == "[page fault]")
    return {Category::kKernel, "", Yields::kToWork};
  if (function.name == "[waiting]") return {Category::kWaiting, "", Yields::kNever};
  if (is_runtime(function)) {
    const Row* known =
        find(is_of_mono(profile) ? std::span<const Row>(kMonoFunctions) : kRuntimeFunctions, function.name);
    return known ? Purpose{known->category, "", yields(*known)} : Purpose{Category::kRuntime, "", Yields::kToNet};
  }
  if (const Row* library = find(kLibraries, function.module))
    return {library->category, "", library->category == Category::kOriel ? Yields::kNever : Yields::kToWork};
  if (is_guest(function.module, profile)) return {Category::kGuest, function.module, Yields::kNever};
  if (function.module == "dotnet") return {Category::kStart, "", Yields::kToWork};
  if (function.module.empty() || begins_with_any(function.module, kOfSystem))
    return {Category::kUnknown, "", Yields::kToAny};
  return {Category::kNative, function.module, Yields::kToWork};
}

}  // namespace

bool is_work(Category category) {
  switch (category) {
    case Category::kJit:
    case Category::kPgo:
    case Category::kTiering:
    case Category::kTypes:
    case Category::kLookups:
    case Category::kLocks:
    case Category::kCasts:
    case Category::kStubs:
    case Category::kAllocation:
    case Category::kGc:
    case Category::kExceptions:
    case Category::kSuspension:
    case Category::kOriel:
    case Category::kGuest:
      return true;
    default:
      return false;
  }
}

bool is_runtime(const Function& function) {
  return !function.managed && (function.module.starts_with("libcoreclr") || function.name.starts_with("[runtime in ") ||
                               begins_with_any(function.module, kMonoLibraries) || function.module == "mono");
}

bool is_c_library(const Function& function) { return !function.managed && begins_with_any(function.module, kOfC); }

Purpose purpose_of(const Function& function, const Profile& profile) {
  return function.managed ? of_managed(function, profile) : of_native(function, profile);
}

}  // namespace oriel::profile
