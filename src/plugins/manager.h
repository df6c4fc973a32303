// The engine's interface for one plug-in. Each plug-in has its own.
#pragma once

#include <string>

#include "oriel/plugins/manager.h"
#include "plugins/info/object.h"
#include "plugins/log.h"

namespace oriel::plugins {

class Engine;
class PluginInfo;
struct Plugin;

class Manager final : public Object<IProfilerManager, IProfilerManager2, IProfilerManager3, IProfilerManager4,
                                    IProfilerManager5, IProfilerManagerLogging, IProfilerStringManager> {
 public:
  // For this plug-in, which it may outlive.
  Manager(Engine& engine, const Plugin& plugin);

  HResult SetupProfilingEnvironment(Bstr* config_paths, uint32_t count) override;
  HResult AddRawProfilerHook(IUnknown* callback) override;
  HResult RemoveRawProfilerHook() override;
  HResult GetCorProfilerInfo(IUnknown** info) override;
  HResult GetProfilerHost(IProfilerManagerHost** host) override;
  HResult GetLoggingInstance(IProfilerManagerLogging** logging) override;
  HResult SetLoggingHost(IProfilerManagerLoggingHost* host) override;
  HResult GetAppDomainCollection(IAppDomainCollection** domains) override;
  HResult CreateSignatureBuilder(ISignatureBuilder** builder) override;
  HResult GetInstrumentationMethod(const Guid& class_id, IUnknown** object) override;
  HResult RemoveInstrumentationMethod(IInstrumentationMethod* method) override;
  HResult AddInstrumentationMethod(Bstr directory, Bstr name, Bstr description, Bstr module, Bstr class_id,
                                   uint32_t priority, IInstrumentationMethod** added) override;
  HResult GetRuntimeType(RuntimeType* type) override;
  HResult DisableProfiling() override;
  HResult ApplyMetadata(IModuleInfo* module) override;
  HResult GetApiVersion(uint32_t* version) override;
  HResult GetGlobalLoggingInstance(IProfilerManagerLogging** logging) override;
  HResult IsInstrumentationMethodRegistered(const Guid& class_id, Bool* registered) override;

  HResult LogMessage(const char16_t* message) override;
  HResult LogError(const char16_t* error) override;
  HResult LogDumpMessage(const char16_t* message) override;
  HResult EnableDiagnosticLogToDebugPort(Bool enable) override;
  HResult GetLoggingFlags(LoggingFlags* flags) override;
  HResult SetLoggingFlags(LoggingFlags flags) override;

  HResult FreeString(Bstr string) override;

 private:
  HResult write(LoggingFlags kind, const char16_t* text);
  // Returns E_FAIL and logs the reason.
  HResult refuse(const char* what, const std::string& why);

  Engine& engine_;
  PluginInfo* const info_;
  const std::string name_;    // the plug-in's, for people
  const std::string prefix_;  // of its lines in the log
  const Log::OwnLevel own_level_;
};

}  // namespace oriel::plugins
