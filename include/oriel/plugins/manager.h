// The engine's interface for plug-ins.
#pragma once

#include "oriel/plugins/program.h"

namespace oriel::plugins {

struct IInstrumentationMethod;
struct IProfilerManager;

// What is logged.
enum LoggingFlags : int32_t {
  kLogNothing = 0,
  kLogErrors = 1,
  kLogTrace = 2,
  kLogResults = 4,  // each changed method, with its instructions
};

// COR_PRF_RUNTIME_TYPE.
enum class RuntimeType : int32_t { kDesktopClr = 1, kCoreClr = 2 };

// Writes to the engine's log. Any thread.
struct IProfilerManagerLogging : IUnknown {
  static constexpr Guid kId = {0x9cfeced7, 0x2123, 0x4115, {0xbf, 0x06, 0x36, 0x93, 0xd1, 0xd1, 0x9e, 0x22}};

  virtual HResult LogMessage(const char16_t* message) = 0;
  virtual HResult LogError(const char16_t* error) = 0;
  virtual HResult LogDumpMessage(const char16_t* message) = 0;
  virtual HResult EnableDiagnosticLogToDebugPort(Bool enable) = 0;
  virtual HResult GetLoggingFlags(LoggingFlags* logging_flags) = 0;
  virtual HResult SetLoggingFlags(LoggingFlags logging_flags) = 0;

 protected:
  ~IProfilerManagerLogging() = default;
};

// Implemented by receivers of the log.
struct IProfilerManagerLoggingHost : IUnknown {
  static constexpr Guid kId = {0x99f828ee, 0xea00, 0x473c, {0xa8, 0x29, 0xd4, 0x00, 0x23, 0x5c, 0x11, 0xc1}};

  virtual HResult LogMessage(const char16_t* message) = 0;
  virtual HResult LogError(const char16_t* error) = 0;
  virtual HResult LogDumpMessage(const char16_t* message) = 0;

 protected:
  ~IProfilerManagerLoggingHost() = default;
};

// Implemented by code that sets the engine up from inside the process.
struct IProfilerManagerHost : IUnknown {
  static constexpr Guid kId = {0xba9193b4, 0x287f, 0x4bf4, {0x8e, 0x1b, 0x00, 0xfc, 0xe3, 0x38, 0x62, 0xeb}};

  virtual HResult Initialize(IProfilerManager* profiler_manager) = 0;

 protected:
  ~IProfilerManagerHost() = default;
};

// The engine. Each plug-in has its own instance.
struct IProfilerManager : IUnknown {
  static constexpr Guid kId = {0x3a09ad0a, 0x25c6, 0x4093, {0x93, 0xe1, 0x3f, 0x64, 0xeb, 0x16, 0x0a, 0x9d}};

  // Reads configuration files and loads the plug-ins that they name. Only while the runtime starts.
  virtual HResult SetupProfilingEnvironment(Bstr* config_paths, uint32_t count) = 0;
  // An ICorProfilerCallback2 or later that receives the runtime's callbacks, and may change methods after plug-ins did.
  // Any number; at any time, later ones being attached.
  virtual HResult AddRawProfilerHook(IUnknown* callback) = 0;
  // Removes all of this plug-in's hooks.
  virtual HResult RemoveRawProfilerHook() = 0;
  // ICorProfilerInfo for this plug-in: its event mask is added to that of others.
  virtual HResult GetCorProfilerInfo(IUnknown** cor_profiler) = 0;
  // E_NOTIMPL.
  virtual HResult GetProfilerHost(IProfilerManagerHost** profiler_manager_host) = 0;
  virtual HResult GetLoggingInstance(IProfilerManagerLogging** logging) = 0;
  virtual HResult SetLoggingHost(IProfilerManagerLoggingHost* logging_host) = 0;
  virtual HResult GetAppDomainCollection(IAppDomainCollection** app_domain_collection) = 0;
  // A new one, empty.
  virtual HResult CreateSignatureBuilder(ISignatureBuilder** builder) = 0;
  // Another plug-in, by its class.
  virtual HResult GetInstrumentationMethod(const Guid& class_id, IUnknown** object) = 0;
  // At any time: the plug-in is no longer called.
  virtual HResult RemoveInstrumentationMethod(IInstrumentationMethod* instrumentation_method) = 0;
  // Loads a plug-in and initializes it, at any time.
  virtual HResult AddInstrumentationMethod(Bstr directory, Bstr name, Bstr description, Bstr module, Bstr class_id,
                                           uint32_t priority, IInstrumentationMethod** added) = 0;
  virtual HResult GetRuntimeType(RuntimeType* runtime_type) = 0;

 protected:
  ~IProfilerManager() = default;
};

// Ends profiling, and publishes metadata changes to the runtime.
struct IProfilerManager2 : IUnknown {
  static constexpr Guid kId = {0xdcb0764d, 0xe18f, 0x4f9a, {0x91, 0xe8, 0x6a, 0x40, 0xfc, 0xfe, 0x67, 0x75}};

  // Only in Initialize: the process runs on without the engine.
  virtual HResult DisableProfiling() = 0;
  // After metadata was changed outside OnModuleLoaded.
  virtual HResult ApplyMetadata(IModuleInfo* method_info) = 0;

 protected:
  ~IProfilerManager2() = default;
};

// With the API version.
struct IProfilerManager3 : IUnknown {
  static constexpr Guid kId = {0x0b097e56, 0x55ee, 0x4ec4, {0xb2, 0xf4, 0x38, 0x0b, 0x82, 0x44, 0x8b, 0x63}};

  // 7.
  virtual HResult GetApiVersion(uint32_t* version) = 0;

 protected:
  ~IProfilerManager3() = default;
};

// Logging that also works after the engine is gone.
struct IProfilerManager4 : IUnknown {
  static constexpr Guid kId = {0x24100bd8, 0x58f2, 0x483a, {0x94, 0x8a, 0x5b, 0x0b, 0x81, 0x86, 0xe4, 0x51}};

  virtual HResult GetGlobalLoggingInstance(IProfilerManagerLogging** logging) = 0;

 protected:
  ~IProfilerManager4() = default;
};

// With the plug-ins that the configuration names.
struct IProfilerManager5 : IUnknown {
  static constexpr Guid kId = {0xaf78c11d, 0x385a, 0x47b1, {0xa4, 0xfb, 0x8d, 0x6b, 0xa7, 0xfe, 0x9b, 0x2d}};

  virtual HResult IsInstrumentationMethodRegistered(const Guid& class_id, Bool* registered) = 0;

 protected:
  ~IProfilerManager5() = default;
};

// Frees strings that the engine returned.
struct IProfilerStringManager : IUnknown {
  static constexpr Guid kId = {0xd7eaec8f, 0xc4bb, 0x4f5d, {0x99, 0xb9, 0x72, 0x15, 0xfe, 0xb0, 0xed, 0x57}};

  virtual HResult FreeString(Bstr string) = 0;

 protected:
  ~IProfilerStringManager() = default;
};

}  // namespace oriel::plugins
