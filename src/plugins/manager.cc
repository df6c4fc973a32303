#include "plugins/manager.h"

#include "plugins/code/signature_builder.h"
#include "plugins/engine.h"
#include "plugins/environment.h"
#include "plugins/hooks/hooks.h"
#include "plugins/info/plugin_info.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {
namespace {

constexpr uint32_t kApiVersion = 7;

HResult write_to_log(LoggingFlags kind, const std::string& prefix, const char16_t* text, Log::OwnLevel own = {}) {
  Log& log = Log::of_process();
  if (text != nullptr && log.takes(kind, own)) log.write(kind, prefix + text_of(text), own);
  return kOk;
}

// Writes without a plug-in's prefix, and may be used after the plug-in is gone.
class GlobalLogging final : public Object<IProfilerManagerLogging> {
 public:
  HResult LogMessage(const char16_t* text) override { return write_to_log(kLogTrace, "", text); }
  HResult LogError(const char16_t* text) override { return write_to_log(kLogErrors, "", text); }
  HResult LogDumpMessage(const char16_t* text) override { return write_to_log(kLogResults, "", text); }
  HResult EnableDiagnosticLogToDebugPort(Bool) override { return kOk; }
  HResult GetLoggingFlags(LoggingFlags* flags) override {
    if (flags == nullptr) return kPointerError;
    *flags = Log::of_process().flags();
    return kOk;
  }
  HResult SetLoggingFlags(LoggingFlags flags) override {
    Log::of_process().set_flags(flags);
    return kOk;
  }
};

}  // namespace

Manager::Manager(Engine& engine, const Plugin& plugin)
    : engine_(engine),
      info_(plugin.info),
      name_(plugin.spec.name + " " + guid_text(plugin.spec.class_id)),
      prefix_(environment("DisableLogMethodPrefix").empty() ? "[IM:" + bare_guid_text(plugin.spec.class_id) + "]" : ""),
      own_level_(Log::of_process().add_plugin(plugin.spec.class_id)) {}

HResult Manager::refuse(const char* what, const std::string& why) {
  Log::of_process().error(name_ + ": " + what + " fails: " + why);
  return kFail;
}

HResult Manager::SetupProfilingEnvironment(Bstr* config_paths, uint32_t count) {
  if (config_paths == nullptr && count > 0) return kPointerError;
  if (!engine_.is_starting()) return refuse("SetupProfilingEnvironment", "it may be called in Initialize only");
  for (uint32_t i = 0; i < count; ++i) engine_.read(text_of(config_paths[i]));
  return kOk;
}

HResult Manager::AddRawProfilerHook(IUnknown* callback) {
  if (callback == nullptr) return kPointerError;
  const Status added = Hooks::of_process().add(engine_, info_, "of " + name_, callback);
  return added ? kOk : refuse("AddRawProfilerHook", added.message());
}

HResult Manager::RemoveRawProfilerHook() {
  Hooks::of_process().remove(info_);
  return kOk;
}

HResult Manager::GetCorProfilerInfo(IUnknown** info) {
  if (info == nullptr) return kPointerError;
  *info = info_->interface();
  (*info)->AddRef();
  return kOk;
}

HResult Manager::GetProfilerHost(IProfilerManagerHost**) { return kNotImplemented; }

HResult Manager::GetLoggingInstance(IProfilerManagerLogging** logging) {
  return logging == nullptr ? kPointerError : give(share(this), logging);
}

HResult Manager::SetLoggingHost(IProfilerManagerLoggingHost* host) {
  Log::of_process().set_host(share(host));
  return kOk;
}

HResult Manager::GetAppDomainCollection(IAppDomainCollection** domains) {
  return domains == nullptr ? kPointerError : give(share(&engine_.program()), domains);
}

HResult Manager::CreateSignatureBuilder(ISignatureBuilder** builder) {
  return builder == nullptr ? kPointerError : give(make<SignatureBuilder>(), builder);
}

HResult Manager::GetInstrumentationMethod(const Guid& class_id, IUnknown** object) {
  if (object == nullptr) return kPointerError;
  *object = nullptr;
  const std::shared_ptr<Plugin> found = engine_.plugins().find(class_id);
  return found ? give(found->method, object) : kNoInterface;
}

HResult Manager::RemoveInstrumentationMethod(IInstrumentationMethod* method) {
  if (method == nullptr) return kPointerError;
  return engine_.remove(method) ? kOk : refuse("RemoveInstrumentationMethod", "there is no such method");
}

HResult Manager::AddInstrumentationMethod(Bstr directory, Bstr name, Bstr description, Bstr module, Bstr class_id,
                                          uint32_t priority, IInstrumentationMethod** added) {
  if (module == nullptr || class_id == nullptr || added == nullptr) return kPointerError;
  *added = nullptr;
  PluginSpec spec;
  spec.name = text_of(name);
  spec.description = text_of(description);
  spec.priority = priority;
  const std::string folder = text_of(directory), file = text_of(module);
  spec.path = folder.empty() || file.starts_with('/') ? file : folder + "/" + file;
  if (!coreclr::parse_guid(text_of(class_id).c_str(), spec.class_id)) return kInvalidArgument;
  const auto made = engine_.add(spec);
  if (made) return give((*made)->method, added);
  return refuse("AddInstrumentationMethod", spec.path + ": " + made.message());
}

HResult Manager::GetRuntimeType(RuntimeType* type) {
  if (type == nullptr) return kPointerError;
  *type = RuntimeType::kCoreClr;
  return kOk;
}

HResult Manager::DisableProfiling() {
  if (!engine_.is_starting()) return refuse("DisableProfiling", "it may be called in Initialize only");
  engine_.disable();
  return kOk;
}

HResult Manager::ApplyMetadata(IModuleInfo* module) {
  if (module == nullptr) return kPointerError;
  ModuleID id = 0;
  const HResult result = module->GetModuleID(&id);
  return failed(result) ? result : engine_.runtime().ApplyMetaData(id);
}

HResult Manager::GetApiVersion(uint32_t* version) {
  if (version == nullptr) return kPointerError;
  *version = kApiVersion;
  return kOk;
}

HResult Manager::GetGlobalLoggingInstance(IProfilerManagerLogging** logging) {
  return logging == nullptr ? kPointerError : give(make<GlobalLogging>(), logging);
}

HResult Manager::IsInstrumentationMethodRegistered(const Guid& class_id, Bool* registered) {
  if (registered == nullptr) return kPointerError;
  *registered = engine_.knows(class_id) ? 1 : 0;
  return kOk;
}

HResult Manager::write(LoggingFlags kind, const char16_t* text) {
  return write_to_log(kind, prefix_, text, own_level_);
}

HResult Manager::LogMessage(const char16_t* message) { return write(kLogTrace, message); }
HResult Manager::LogError(const char16_t* error) { return write(kLogErrors, error); }
HResult Manager::LogDumpMessage(const char16_t* message) { return write(kLogResults, message); }
HResult Manager::EnableDiagnosticLogToDebugPort(Bool) { return kOk; }

HResult Manager::GetLoggingFlags(LoggingFlags* flags) {
  if (flags == nullptr) return kPointerError;
  *flags = Log::of_process().flags();
  return kOk;
}

HResult Manager::SetLoggingFlags(LoggingFlags flags) {
  Log::of_process().set_flags(flags);
  return kOk;
}

HResult Manager::FreeString(Bstr string) {
  free_bstr(string);
  return string == nullptr ? kFalse : kOk;
}

}  // namespace oriel::plugins
