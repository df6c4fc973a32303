// CoreCLR's profiling interfaces: the callbacks that the runtime calls (ICorProfilerCallback), the functions that it
// offers (ICorProfilerInfo), its metadata readers (IMetaDataImport2 and others), and their constants. Each interface is
// one class with the slots of all its versions, because a later version only adds slots: query for the version whose
// slots are called.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtimes/coreclr/asked_elsewhere.h"
#include "runtimes/coreclr/com/com.h"
#include "runtimes/coreclr/unload_gate.h"

namespace oriel::coreclr {

using AppDomainID = uintptr_t;
using AssemblyID = uintptr_t;
using ModuleID = uintptr_t;
using ClassID = uintptr_t;
using FunctionID = uintptr_t;
using ThreadID = uintptr_t;
using ObjectID = uintptr_t;
using ReJITID = uintptr_t;
using Token = uint32_t;
using MetaEnum = void*;

// A token's upper byte is the number of its table (II.22), the rest is the row.
inline constexpr Token kTableMask = 0xff000000;
inline constexpr Token kTypeRefTable = 0x01000000, kTypeDefTable = 0x02000000, kFieldTable = 0x04000000,
                       kMethodDefTable = 0x06000000, kMemberRefTable = 0x0a000000, kStandAloneSigTable = 0x11000000,
                       kTypeSpecTable = 0x1b000000, kAssemblyRefTable = 0x23000000, kMethodSpecTable = 0x2b000000,
                       kUserStrings = 0x70000000;
inline Token table_of(Token token) { return token & kTableMask; }

struct CodeInfo {
  uintptr_t start;
  size_t size;
};

struct FieldOffset {
  Token field;
  uint32_t offset;
};

// An entry of an instrumented body's offset map: an instruction's old and new offset (COR_IL_MAP).
struct IlMapEntry {
  uint32_t old_offset;
  uint32_t new_offset;
  Bool is_accurate;
};

struct EventPipeProviderConfig {
  const char16_t* name;
  uint64_t keywords;
  uint32_t level;
  const char16_t* filter;
};

// Every slot returns S_OK; a profiler overrides the callbacks that it wants.
struct ProfilerCallback : IUnknown {
#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT(name, arguments) \
  virtual HResult name arguments { return kOk; }
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT

 protected:
  ~ProfilerCallback() = default;
};

// The interface without the gate, for other profilers: they must know themselves that what they ask about is loaded.
struct UngatedProfilerInfo : IUnknown {
#define ORIEL_SLOT(name, arguments) virtual HResult name arguments = 0;
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT

 protected:
  ~UngatedProfilerInfo() = default;
};

// The same object for Oriel's own questions. Questions about things that can be unloaded require the gate, and none are
// asked about things that are gone.
struct ProfilerInfo : private UngatedProfilerInfo {
  using UngatedProfilerInfo::AddRef;
  using UngatedProfilerInfo::QueryInterface;
  using UngatedProfilerInfo::Release;
#define ORIEL_SLOT(name, arguments) using UngatedProfilerInfo::name;
#define ORIEL_SLOT_OF_MODULE(name, arguments)                                \
  template <typename... Others>                                              \
  HResult name(const Held& held, ModuleID module, Others... others) {        \
    if (held.is_gone(module)) return kFail;                                  \
    return answer_to([&] { return at_own_risk().name(module, others...); }); \
  }
#define ORIEL_SLOT_OF_CODE(name, arguments)                       \
  template <typename... Arguments>                                \
  HResult name(const Held&, Arguments... all) {                   \
    return answer_to([&] { return at_own_risk().name(all...); }); \
  }
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT

  static ProfilerInfo& of(UngatedProfilerInfo& info) { return static_cast<ProfilerInfo&>(info); }
  // For questions that are passed on for a guest.
  UngatedProfilerInfo& at_own_risk() { return *this; }

 protected:
  ~ProfilerInfo() = default;
};

struct MetaDataImport : IUnknown {
#define ORIEL_SLOT(result, name, arguments) virtual result name arguments = 0;
#include "runtimes/coreclr/com/metadata_import.def"
#undef ORIEL_SLOT

 protected:
  ~MetaDataImport() = default;
};

struct MetaDataEmit : IUnknown {
#define ORIEL_SLOT(name, arguments) virtual HResult name arguments = 0;
#include "runtimes/coreclr/com/metadata_emit.def"
#undef ORIEL_SLOT

 protected:
  ~MetaDataEmit() = default;
};

// The version and culture of an assembly (cor.h: ASSEMBLYMETADATA).
struct AssemblyMetadata {
  uint16_t version[4];
  char16_t* locale;
  uint32_t locale_size;
  uint32_t* processors;
  uint32_t processor_count;
  void* systems;
  uint32_t system_count;
};

struct MetaDataAssemblyEmit : IUnknown {
#define ORIEL_SLOT(name, arguments) virtual HResult name arguments = 0;
#include "runtimes/coreclr/com/metadata_assembly_emit.def"
#undef ORIEL_SLOT

 protected:
  ~MetaDataAssemblyEmit() = default;
};

struct MetaDataAssemblyImport : IUnknown {
#define ORIEL_SLOT(name, arguments) virtual HResult name arguments = 0;
#include "runtimes/coreclr/com/metadata_assembly.def"
#undef ORIEL_SLOT

 protected:
  ~MetaDataAssemblyImport() = default;
};

// Opens metadata of files; created by MetaDataGetDispenser of the runtime's library.
struct MetaDataDispenser : IUnknown {
#define ORIEL_SLOT(name, arguments) virtual HResult name arguments = 0;
#include "runtimes/coreclr/com/metadata_dispenser.def"
#undef ORIEL_SLOT

 protected:
  ~MetaDataDispenser() = default;
};
#undef ORIEL_INTERFACE

inline constexpr Guid kCorMetaDataDispenserClass = {
    0xe5cb7a31, 0x7512, 0x11d2, {0x89, 0xce, 0x00, 0x80, 0xc7, 0x92, 0xe5, 0xd8}};

// kICorProfilerInfo9Id and the like.
#define ORIEL_INTERFACE(name, a, b, c, ...) inline constexpr Guid k##name##Id = {a, b, c, {__VA_ARGS__}};
#define ORIEL_SLOT(...)
#include "runtimes/coreclr/com/callback.def"
#include "runtimes/coreclr/com/info.def"
#include "runtimes/coreclr/com/metadata_assembly.def"
#include "runtimes/coreclr/com/metadata_assembly_emit.def"
#include "runtimes/coreclr/com/metadata_dispenser.def"
#include "runtimes/coreclr/com/metadata_emit.def"
#include "runtimes/coreclr/com/metadata_import.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE

// Bits of SetEventMask2's first argument. Those in kMonitorImmutable can be set only during Initialize.
enum EventMaskLow : uint32_t {
  kMonitorFunctionUnloads = 0x1,
  kMonitorClassLoads = 0x2,
  kMonitorModuleLoads = 0x4,
  kMonitorAssemblyLoads = 0x8,
  kMonitorAppDomainLoads = 0x10,
  kMonitorJitCompilation = 0x20,
  kMonitorExceptions = 0x40,
  kMonitorGc = 0x80,
  kMonitorObjectAllocated = 0x100,
  kMonitorThreads = 0x200,
  kMonitorRemoting = 0x400,
  kMonitorCodeTransitions = 0x800,
  kMonitorEnterLeave = 0x1000,
  kMonitorCcw = 0x2000,
  kMonitorSuspends = 0x10000,
  kMonitorCacheSearches = 0x20000,
  kEnableReJit = 0x40000,
  kEnableInprocDebugging = 0x80000,
  kEnableJitMaps = 0x100000,
  kDisableInlining = 0x200000,
  kDisableOptimizations = 0x400000,
  kEnableObjectAllocated = 0x800000,
  kMonitorClrExceptions = 0x1000000,
  kEnableFunctionArgs = 0x2000000,
  kEnableFunctionRetval = 0x4000000,
  kEnableFrameInfo = 0x8000000,
  kEnableStackSnapshot = 0x10000000,
  kUseProfileImages = 0x20000000,
  kDisableTransparencyChecks = 0x40000000,
  kDisableAllNgenImages = 0x80000000,
};
inline constexpr uint32_t kMonitorImmutable = kMonitorCodeTransitions | kMonitorRemoting | 0x4000 | 0x8000 |
                                              kEnableInprocDebugging | kEnableJitMaps | kEnableObjectAllocated |
                                              kEnableFunctionArgs | kEnableFunctionRetval | kEnableFrameInfo |
                                              kUseProfileImages | kDisableTransparencyChecks | kDisableAllNgenImages;
// What a profiler may enable that was attached to a running program (corprof.idl: COR_PRF_ALLOWABLE_AFTER_ATTACH).
inline constexpr uint32_t kMonitorAfterAttach =
    kMonitorThreads | kMonitorModuleLoads | kMonitorAssemblyLoads | kMonitorAppDomainLoads | kEnableStackSnapshot |
    kMonitorGc | kMonitorSuspends | kMonitorClassLoads | kMonitorExceptions | kMonitorJitCompilation | kEnableReJit |
    kDisableInlining | kDisableOptimizations;

// What a notification-only profiler may enable (corprof.idl: COR_PRF_ALLOWABLE_NOTIFICATION_PROFILER).
inline constexpr uint32_t kMonitorForNotification = 0xb1e32b7f;

// Bits of its second argument.
enum EventMaskHigh : uint32_t {
  kHighAddAssemblyReferences = 0x1,
  kHighInMemorySymbolsUpdated = 0x2,
  kHighMonitorDynamicFunctionUnloads = 0x4,
  kHighDisableTieredCompilation = 0x8,
  kHighBasicGc = 0x10,
  kHighMonitorGcMovedObjects = 0x20,
  kHighMonitorLargeObjectAllocated = 0x40,
  kHighMonitorEventPipe = 0x80,
  kHighMonitorPinnedObjectAllocated = 0x100,
};
inline constexpr uint32_t kHighMonitorImmutable = kHighDisableTieredCompilation;
inline constexpr uint32_t kHighMonitorAfterAttach = kHighInMemorySymbolsUpdated | kHighMonitorDynamicFunctionUnloads |
                                                    kHighBasicGc | kHighMonitorGcMovedObjects |
                                                    kHighMonitorLargeObjectAllocated | kHighMonitorEventPipe;

inline constexpr uint32_t kHighMonitorForNotification = kHighMonitorAfterAttach | kHighDisableTieredCompilation;

// Results of the profiling functions (corerror.h).
inline constexpr HResult kProfilerDetaching = static_cast<HResult>(0x80131367);
inline constexpr HResult kCallback3Required = static_cast<HResult>(0x8013136e);
inline constexpr HResult kNotWhenAttached = static_cast<HResult>(0x8013136f);
inline constexpr HResult kIrreversiblePresent = static_cast<HResult>(0x80131370);
inline constexpr HResult kNotStartedYet = static_cast<HResult>(0x80131371);
inline constexpr HResult kImmutableFlagsSet = static_cast<HResult>(0x80131372);
inline constexpr HResult kCallback4Required = static_cast<HResult>(0x8013137b);
inline constexpr HResult kReJitNotEnabled = static_cast<HResult>(0x8013137c);
inline constexpr HResult kCallback6Required = static_cast<HResult>(0x80131380);
inline constexpr HResult kCallback7Required = static_cast<HResult>(0x80131382);

// A part of a generation: where an object is, and what else is there (corprof.idl: COR_PRF_GC_GENERATION_RANGE).
struct GenerationRange {
  uint32_t generation;  // 0 to 2; 3: large objects; 4: pinned object heap
  ObjectID start;
  uintptr_t length, reserved;
};

// A part of the heap with objects that are never collected (corprof.idl: COR_PRF_NONGC_HEAP_RANGE).
struct FrozenRange {
  ObjectID start;
  uintptr_t length, reserved;
};

enum SuspendReason : uint32_t {
  kSuspendOther = 0,
  kSuspendForGc = 1,
  kSuspendForAppDomainShutdown = 2,
  kSuspendForCodePitching = 3,
  kSuspendForShutdown = 4,
  kSuspendForInprocDebugger = 6,
  kSuspendForGcPrep = 7,
  kSuspendForReJit = 8,
  kSuspendForProfiler = 9,
};

// Ids from here on mean that the runtime does not know yet, such as a module's assembly while the module is being
// loaded.
inline constexpr uintptr_t kUnknownParent = 0xfffffffd;

inline constexpr uint32_t kGcInduced = 1;
// GetModuleMetaData's flag.
inline constexpr uint32_t kOpenRead = 0;
inline constexpr uint32_t kOpenWrite = 1;
// Flags of RequestReJITWithInliners: recompile also the methods that have listed methods inlined; and ask for their
// bodies too, which would otherwise be those of their default versions.
inline constexpr uint32_t kReJitBlockInlining = 1;
inline constexpr uint32_t kReJitInliningCallbacks = 2;

// The memory of GetILFunctionBodyAllocator (IMethodMalloc), which lives as long as the module.
struct MethodMalloc : IUnknown {
  virtual void* Alloc(uint32_t size) = 0;

 protected:
  ~MethodMalloc() = default;
};

// The argument of GetReJITParameters (ICorProfilerFunctionControl).
struct FunctionControl : IUnknown {
  virtual HResult SetCodegenFlags(uint32_t flags) = 0;
  virtual HResult SetILFunctionBody(uint32_t size, const uint8_t* body) = 0;
  virtual HResult SetILInstrumentedCodeMap(uint32_t count, IlMapEntry* entries) = 0;

 protected:
  ~FunctionControl() = default;
};

// The results of the runtime's Enum… functions: ICorProfilerThreadEnum, ICorProfilerModuleEnum.
template <typename Id>
struct IdEnum : IUnknown {
  virtual HResult Skip(uint32_t count) = 0;
  virtual HResult Reset() = 0;
  virtual HResult Clone(IdEnum** copy) = 0;
  virtual HResult GetCount(uint32_t* count) = 0;
  virtual HResult Next(uint32_t count, Id* ids, uint32_t* fetched) = 0;

 protected:
  ~IdEnum() = default;
};
using ThreadEnum = IdEnum<ThreadID>;
using ModuleEnum = IdEnum<ModuleID>;

// A method in the runtime's lists (corprof.idl: COR_PRF_METHOD).
struct MethodOfModule {
  ModuleID module;
  Token token;
};
using MethodEnum = IdEnum<MethodOfModule>;

// A version of a function that was compiled (corprof.idl: COR_PRF_FUNCTION).
struct JitedFunction {
  FunctionID function;
  ReJITID version;
};
using FunctionEnum = IdEnum<JitedFunction>;

}  // namespace oriel::coreclr
