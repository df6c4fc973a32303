// A tool attaches plug-ins to a running program: the tool's request, and things that were loaded before it.
#include "plugins/hooks/hooks.h"
#include "plugins/log.h"
#include "plugins/profiler.h"

namespace oriel::plugins {
// The runtime passes bytes and their number; a terminating zero is optional.
HResult Profiler::InitializeForAttach(IUnknown* info, void* data, uint32_t size) {
  try {
    if (info == nullptr) return kPointerError;
    return begin_attached(info, {static_cast<const char*>(data), data == nullptr ? 0 : size});
  } catch (...) {
    return kOutOfMemory;
  }
}

HResult Profiler::begin_attached(IUnknown* info, std::string_view xml) {
  Log::of_process().read_environment();
  while (xml.ends_with('\0')) xml.remove_suffix(1);  // some tools do send one
  const Result<AttachRequest> request = xml.empty() ? Status::error("it does not mention plug-ins") : parse_attach(xml);
  if (!request) {
    say("the data of the attach: " + request.message() + "; nothing is attached");
    return coreclr::kCancelActivation;
  }
  Log::of_process().read_settings(request->log_level, request->log_file_level, request->log_path);
  if (!make_engine(info, true)) return coreclr::kCancelActivation;
  for (const AttachRequest::Method& method : request->methods) engine_->read(method.path, method.settings);
  return run(true);
}

void Profiler::learn_what_is_loaded() {
  ComPtr<coreclr::ModuleEnum> all;
  auto** slot = reinterpret_cast<void**>(all.receive());
  if (failed(engine_->runtime().EnumModules(slot)) || !all) return;
  ModuleID id = 0;
  uint32_t fetched = 0;
  while (all->Next(1, &id, &fetched) == kOk && fetched == 1) {
    AssemblyID assembly = 0;
    if (failed(engine_->runtime().GetModuleInfo(id, nullptr, 0, nullptr, nullptr, &assembly)) || assembly == 0)
      continue;
    if (const ComPtr<AssemblyInfo> its = learn_module(id, assembly)->assembly()) its->domain()->finish();
  }
}

HResult Profiler::ProfilerAttachComplete() {
  try {
    learn_what_is_loaded();
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      if (plugin->attach) call(*plugin, "AttachComplete", [](Plugin& p) { return p.attach->AttachComplete(); });
    return kOk;
  } catch (...) {
    return kOutOfMemory;
  }
}

}  // namespace oriel::plugins
