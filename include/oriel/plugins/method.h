// A plug-in is an instrumentation method; it may implement further interfaces to receive more events.
#pragma once

#include "oriel/plugins/manager.h"

namespace oriel::plugins {

// A plug-in. Failures that it returns are logged, and the program runs on.
struct IInstrumentationMethod : IUnknown {
  static constexpr Guid kId = {0x0d92a8d9, 0x6645, 0x4803, {0xb9, 0x4b, 0x06, 0xa1, 0xc4, 0xf4, 0xe6, 0x33}};

  virtual HResult Initialize(IProfilerManager* profiler_manager) = 0;
  virtual HResult OnAppDomainCreated(IAppDomainInfo* app_domain_info) = 0;
  virtual HResult OnAppDomainShutdown(IAppDomainInfo* app_domain_info) = 0;
  virtual HResult OnAssemblyLoaded(IAssemblyInfo* assembly_info) = 0;
  virtual HResult OnAssemblyUnloaded(IAssemblyInfo* assembly_info) = 0;
  virtual HResult OnModuleLoaded(IModuleInfo* module_info) = 0;
  virtual HResult OnModuleUnloaded(IModuleInfo* module_info) = 0;
  virtual HResult OnShutdown() = 0;
  // Asked once before each compilation of a method.
  virtual HResult ShouldInstrumentMethod(IMethodInfo* method_info, Bool is_rejit, Bool* instrument) = 0;
  // For IInstructionGraph::CreateBaseline, and nothing else.
  virtual HResult BeforeInstrumentMethod(IMethodInfo* method_info, Bool is_rejit) = 0;
  // In order of priority, the lowest number first.
  virtual HResult InstrumentMethod(IMethodInfo* method_info, Bool is_rejit) = 0;
  // Called for all plug-ins, including those that did not instrument.
  virtual HResult OnInstrumentationComplete(IMethodInfo* method_info, Bool is_rejit) = 0;
  // Called only for methods that may be inlined at all.
  virtual HResult AllowInlineSite(IMethodInfo* inlinee, IMethodInfo* caller, Bool* allow_inline) = 0;

 protected:
  ~IInstrumentationMethod() = default;
};

// The runtime's callbacks of the same names; the plug-in sets COR_PRF_MONITOR_EXCEPTIONS in Initialize.
struct IInstrumentationMethodExceptionEvents : IUnknown {
  static constexpr Guid kId = {0x8310b758, 0x6642, 0x46ad, {0x94, 0x23, 0xdd, 0xa5, 0xf9, 0xe2, 0x78, 0xae}};

  virtual HResult ExceptionCatcherEnter(IMethodInfo* method_info, uintptr_t object_id) = 0;
  virtual HResult ExceptionCatcherLeave() = 0;
  virtual HResult ExceptionSearchCatcherFound(IMethodInfo* method_info) = 0;
  virtual HResult ExceptionSearchFilterEnter(IMethodInfo* method_info) = 0;
  virtual HResult ExceptionSearchFilterLeave() = 0;
  virtual HResult ExceptionSearchFunctionEnter(IMethodInfo* method_info) = 0;
  virtual HResult ExceptionSearchFunctionLeave() = 0;
  virtual HResult ExceptionThrown(uintptr_t thrown_object_id) = 0;
  virtual HResult ExceptionUnwindFinallyEnter(IMethodInfo* method_info) = 0;
  virtual HResult ExceptionUnwindFinallyLeave() = 0;
  virtual HResult ExceptionUnwindFunctionEnter(IMethodInfo* method_info) = 0;
  virtual HResult ExceptionUnwindFunctionLeave() = 0;

 protected:
  ~IInstrumentationMethodExceptionEvents() = default;
};

// Each JitStarted is followed by one JitComplete.
struct IInstrumentationMethodJitEvents : IUnknown {
  static constexpr Guid kId = {0x9b028f9e, 0xe2e0, 0x4a61, {0x86, 0x2b, 0xa4, 0xe1, 0x15, 0x86, 0x57, 0xd0}};

  virtual HResult JitStarted(FunctionID function_id, Bool is_rejit) = 0;
  virtual HResult JitComplete(FunctionID function_id, Bool is_rejit, HResult jit_result) = 0;

 protected:
  ~IInstrumentationMethodJitEvents() = default;
};

// If implemented, the first interface is not called.
struct IInstrumentationMethodJitEvents2 : IInstrumentationMethodJitEvents {
  using Base = IInstrumentationMethodJitEvents;
  static constexpr Guid kId = {0xdc5b373d, 0xc38d, 0x4299, {0x83, 0xd9, 0x12, 0x9b, 0x6a, 0xcc, 0xee, 0x2f}};

  using IInstrumentationMethodJitEvents::JitComplete;
  virtual HResult JitComplete(IMethodJitInfo* jit_info) = 0;

 protected:
  ~IInstrumentationMethodJitEvents2() = default;
};

// A setting in the XML that an attaching tool passed.
struct IInstrumentationMethodSetting : IUnknown {
  static constexpr Guid kId = {0xef0b0c79, 0x08e7, 0x4c3a, {0xa4, 0xc5, 0x02, 0xa9, 0xc9, 0xce, 0x88, 0x09}};

  virtual HResult GetName(Bstr* name) = 0;
  virtual HResult GetValue(Bstr* value) = 0;

 protected:
  ~IInstrumentationMethodSetting() = default;
};

struct IEnumInstrumentationMethodSettings
    : Enumerator<IEnumInstrumentationMethodSettings, IInstrumentationMethodSetting> {
  static constexpr Guid kId = {0x9b03d87e, 0x72f0, 0x4d8e, {0xa4, 0xb1, 0x15, 0xbc, 0xd8, 0x22, 0x70, 0x73}};

 protected:
  ~IEnumInstrumentationMethodSettings() = default;
};

// The data of the attach request.
struct IInstrumentationMethodAttachContext : IUnknown {
  static constexpr Guid kId = {0x2c37b76c, 0xb350, 0x4738, {0x8b, 0x29, 0xb9, 0x2c, 0x7e, 0xd6, 0xc5, 0x22}};

  virtual HResult EnumSettings(IEnumInstrumentationMethodSettings** all) = 0;

 protected:
  ~IInstrumentationMethodAttachContext() = default;
};

// Implemented by plug-ins that can attach to a running program.
struct IInstrumentationMethodAttach : IUnknown {
  static constexpr Guid kId = {0x3bd6c171, 0x4f3c, 0x45c3, {0x8c, 0xb9, 0xbc, 0x8c, 0x33, 0x7d, 0x16, 0x83}};

  // Instead of IInstrumentationMethod::Initialize.
  virtual HResult InitializeForAttach(IProfilerManager* profiler_manager,
                                      IInstrumentationMethodAttachContext* context) = 0;
  // From here on, what is loaded may be queried.
  virtual HResult AttachComplete() = 0;

 protected:
  ~IInstrumentationMethodAttach() = default;
};

}  // namespace oriel::plugins
