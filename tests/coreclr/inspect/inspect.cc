// Part of a special liboriel.so for tests: asks the real runtime through the declared interfaces, and checks that the
// answers are consistent. A slot in the wrong place would call another function and return nonsense. Each check prints
// a line "ok WHAT" or "wrong WHAT"; the last line is "mask LOW HIGH".
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "engine/lifecycle.h"
#include "engine/things/entities.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/adapter.h"
#include "runtimes/coreclr/com/wide_text.h"
#include "runtimes/coreclr/names/class_text.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {
namespace {

struct Inspection {
  void (*say)(void* to, const char* line);
  void* to;
  Adapter& adapter;
  UngatedProfilerInfo& info;

  void check(bool holds, const char* what) const { say(to, (std::string(holds ? "ok " : "wrong ") + what).c_str()); }
};

// The target program's method with this name.
oriel_method* known_method(const char* raw_name) {
  for (uint32_t id = 1; id <= oriel_method_count(); ++id) {
    oriel_method* method = oriel_method_by_id(id);
    if (std::strcmp(oriel_method_raw_name(method), raw_name) == 0) return method;
  }
  return nullptr;
}

void check_function(const Inspection& in, FunctionID function) {
  ClassID klass = 0, klass2 = 0;
  ModuleID module = 0, module2 = 0;
  Token token = 0, token2 = 0;
  FunctionID back = 0;
  uint32_t count = 0;
  in.check(succeeded(in.info.GetFunctionInfo(function, &klass, &module, &token)), "GetFunctionInfo");
  in.check(succeeded(in.info.GetFunctionInfo2(function, 0, &klass2, &module2, &token2, 0, &count, nullptr)) &&
               klass2 == klass && module2 == module && token2 == token && count == 0,
           "GetFunctionInfo2");
  in.check(succeeded(in.info.GetFunctionFromToken(module, token, &back)) && back == function, "GetFunctionFromToken");
  Bool dynamic = 1;
  in.check(in.info.IsFunctionDynamic(function, &dynamic) == kOk && !dynamic, "IsFunctionDynamic");
  in.check(failed(in.info.GetDynamicFunctionInfo(function, &module2, nullptr, nullptr, 0, nullptr, nullptr)),
           "GetDynamicFunctionInfo refuses what is not dynamic");
}

void check_code(const Inspection& in, FunctionID function) {
  uintptr_t start = 0;
  uint32_t count = 0;
  in.check(succeeded(in.info.GetNativeCodeStartAddresses(function, 0, 1, &count, &start)) && count >= 1 && start != 0,
           "GetNativeCodeStartAddresses");
  CodeInfo code{}, code2{}, code3{};
  in.check(
      succeeded(in.info.GetCodeInfo4(start, 1, &count, &code)) && count == 1 && code.start == start && code.size > 0,
      "GetCodeInfo4");
  in.check(succeeded(in.info.GetCodeInfo2(function, 1, &count, &code2)) && code2.size > 0, "GetCodeInfo2");
  in.check(succeeded(in.info.GetCodeInfo3(function, 0, 1, &count, &code3)) && code3.start == code2.start,
           "GetCodeInfo3");
  FunctionID at = 0;
  ReJITID version = 1;
  const auto* ip = reinterpret_cast<const uint8_t*>(start + code.size - 1);
  in.check(succeeded(in.info.GetFunctionFromIP3(ip, &at, &version)) && at == function && version == 0,
           "GetFunctionFromIP3");
  in.check(succeeded(in.info.GetFunctionFromIP2(ip, &at, &version)) && at == function, "GetFunctionFromIP2");
  uintptr_t where = 0;
  size_t size = 0;
  oriel_method* method = in.adapter.method_at(start, &where, &size);
  in.check(method != nullptr && method->runtime_id == function && where == code.start && size == code.size,
           "method_at");
}

// A precompiled method of the core library, for which no JIT event was raised.
void check_precompiled(const Inspection& in) {
  ModuleID core = 0;
  for (uint32_t id = 1; id <= oriel_image_count(); ++id) {
    oriel_image* image = oriel_image_by_id(id);
    if (std::strcmp(oriel_image_name(image), "System.Private.CoreLib.dll") == 0) core = image->runtime_id;
  }
  const Held held;
  const ModuleMetadata metadata = in.adapter.modules().metadata(core);
  in.check(metadata.is_open(), "the core library's metadata");
  if (!metadata.is_open()) return;
  Token type = 0;
  FunctionID function = 0;
  uintptr_t start = 0, where = 0;
  uint32_t count = 0;
  size_t size = 0;
  metadata.import().FindTypeDefByName(u"System.Threading.Thread", 0, &type);
  const auto methods = metadata.methods_named(type, "Start");
  for (const Token method : methods) {
    if (failed(in.info.GetFunctionFromToken(core, method, &function))) continue;
    if (failed(in.info.GetNativeCodeStartAddresses(function, 0, 1, &count, &start)) || count == 0) continue;
    oriel_method* found = in.adapter.method_at(start + 1, &where, &size);
    in.check(found != nullptr && where == start && size > 1, "method_at of precompiled code");
    if (found != nullptr) {
      in.check(std::strncmp(oriel_method_name(found), "System.Threading.Thread.Start(", 30) == 0, "its name");
    }
  }
  in.check(start != 0, "a precompiled method that has run");
  in.check(in.adapter.method_at(reinterpret_cast<uintptr_t>(&known_method), &where, &size) == nullptr,
           "method_at of native code");
}

void check_containers(const Inspection& in, ModuleID module) {
  AssemblyID assembly = 0;
  const uint8_t* base = nullptr;
  const std::string path = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return in.info.GetModuleInfo(module, &base, room, length, text, &assembly);
  });
  in.check(path.ends_with("/events.dll") && base != nullptr, "GetModuleInfo");
  uint32_t flags = 0;
  const std::string path2 = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return in.info.GetModuleInfo2(module, &base, room, length, text, &assembly, &flags);
  });
  in.check(path2 == path && (flags & 1) != 0, "GetModuleInfo2");
  AppDomainID domain = 0;
  ModuleID manifest = 0;
  const std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return in.info.GetAssemblyInfo(assembly, room, length, text, &domain, &manifest);
  });
  in.check(name == "events" && manifest == module, "GetAssemblyInfo");
  uintptr_t process = 0;
  const std::string domain_name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return in.info.GetAppDomainInfo(domain, room, length, text, &process);
  });
  in.check(!domain_name.empty() && process != 0, "GetAppDomainInfo");
}

void check_classes(const Inspection& in, oriel_method* method, ClassID klass) {
  const ClassFacts facts = class_facts(ProfilerInfo::of(in.info), klass);
  ModuleID module = 0;
  Token token = 0;
  in.check(in.info.GetClassIDInfo(klass, &module, &token) == kOk && module == facts.module && token == facts.token,
           "GetClassIDInfo, GetClassIDInfo2");
  ClassID back = 0;
  in.check(succeeded(in.info.GetClassFromToken(module, token, &back)) && back == klass, "GetClassFromToken");
  back = 0;
  in.check(succeeded(in.info.GetClassFromTokenAndTypeArgs(module, token, 0, nullptr, &back)) && back == klass,
           "GetClassFromTokenAndTypeArgs");
  uint32_t kind = 0, rank = 0;
  in.check(in.info.IsArrayClass(klass, &kind, &back, &rank) == kFalse, "IsArrayClass");
  uint32_t fields = 0, size = 0;
  in.check(succeeded(in.info.GetClassLayout(klass, nullptr, 0, &fields, &size)) && size >= 24 && size % 8 == 0,
           "GetClassLayout");
  in.check(
      class_text(in.adapter.names(), klass, metadata::Style::kFull) == oriel_class_name(oriel_method_class(method)),
      "class_text");
}

void check_metadata(const Inspection& in, ModuleID module, Token token) {
  const Held held;
  const ModuleMetadata metadata = in.adapter.modules().metadata(module);
  in.check(metadata.is_open(), "GetModuleMetaData");
  if (!metadata.is_open()) return;
  MetaDataImport& import = metadata.import();
  const NamedMethod row = metadata.named_method(token);
  in.check(row.name == "Signal" && row.signature.size() >= 3, "GetMethodProps");
  const auto signature = metadata::decode_method_signature(row.signature);
  in.check(signature && signature->parameters.size() == 1 && signature->parameters[0].kind == Element::kString,
           "the signature");
  in.check(metadata.type_path(row.type).names == std::vector<std::string>{"Late"}, "GetTypeDefProps");
  in.check(metadata.enclosing_type(row.type) == 0, "GetNestedClassProps of what is not nested");
  in.check(metadata.methods_named(row.type, "Signal") == std::vector<Token>{token}, "EnumMethods");
  in.check(metadata.module_name() == "events.dll", "GetScopeProps");
  Token found = 0;
  in.check(succeeded(import.FindTypeDefByName(u"Late", 0, &found)) && found == row.type, "FindTypeDefByName");
  in.check(import.IsValidToken(token) && !import.IsValidToken(0x06ffffff), "IsValidToken");
  int32_t global = 1;
  in.check(import.IsGlobal(token, &global) == kOk && global == 0, "IsGlobal");
  const std::string version = wide_text(
      [&](char16_t* text, uint32_t room, uint32_t* length) { return import.GetVersionString(text, room, length); });
  in.check(version == "v4.0.30319", "GetVersionString");
}

void check_threads(const Inspection& in) {
  ThreadID self = 0;
  uint32_t os_id = 0;
  in.check(succeeded(in.info.GetCurrentThreadID(&self)) && self != 0, "GetCurrentThreadID");
  in.check(succeeded(in.info.GetThreadInfo(self, &os_id)) && os_id == oriel_thread_os_id(oriel_thread_current()),
           "GetThreadInfo");
  ComPtr<ThreadEnum> threads;
  const HResult result = in.info.EnumThreads(reinterpret_cast<void**>(threads.receive()));
  bool main_is_there = false;
  ThreadID thread = 0;
  uint32_t fetched = 0, count = 0;  // GetCount returns the number left
  in.check(succeeded(result) && threads->GetCount(&count) == kOk && count >= 2, "EnumThreads, GetCount");
  while (succeeded(result) && threads->Next(1, &thread, &fetched) == kOk && fetched == 1) {
    main_is_there |= succeeded(in.info.GetThreadInfo(thread, &os_id)) && os_id == static_cast<uint32_t>(getpid());
  }
  in.check(main_is_there, "EnumThreads, Next");
}

// The slots of interfaces newer than ICorProfilerInfo9, on the newest one.
void check_newest(const Inspection& in) {
  ComPtr<UngatedProfilerInfo> newest;
  const HResult result = in.info.QueryInterface(kICorProfilerInfo15Id, reinterpret_cast<void**>(newest.receive()));
  in.check(succeeded(result), "ICorProfilerInfo15");
  if (failed(result)) return;
  uint32_t threshold = 0;
  in.check(succeeded(newest->GetLOHObjectSizeThreshold(&threshold)) && threshold == 85000, "GetLOHObjectSizeThreshold");
  const std::string value = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return newest->GetEnvironmentVariable(u"CORECLR_ENABLE_PROFILING", room, length, text);
  });
  in.check(value == "1", "GetEnvironmentVariable");
  uintptr_t provider = 0;
  in.check(succeeded(newest->EventPipeCreateProvider(u"Oriel-Inspect", &provider)) && provider != 0,
           "EventPipeCreateProvider");
  const std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return newest->EventPipeGetProviderInfo(provider, room, length, text);
  });
  in.check(name == "Oriel-Inspect", "EventPipeGetProviderInfo");
  uint32_t ranges = 0;
  in.check(succeeded(newest->GetNonGCHeapBounds(0, &ranges, nullptr)), "GetNonGCHeapBounds");
}

void inspect(const Inspection& in) {
  oriel_method* method = known_method("Late.Signal(System.String)");
  in.check(method != nullptr, "the method to look at is known");
  if (method == nullptr) return;
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  in.info.GetFunctionInfo(method->runtime_id, &klass, &module, &token);
  check_function(in, method->runtime_id);
  check_code(in, method->runtime_id);
  check_containers(in, module);
  check_classes(in, method, klass);
  check_metadata(in, module, token);
  check_precompiled(in);
  check_newest(in);
}

}  // namespace

extern "C" ORIEL_API void oriel_inspect(void (*say)(void* to, const char* line), void* to) {
  auto* adapter = static_cast<Adapter*>(current_runtime());
  const Inspection in{say, to, *adapter, adapter->info().at_own_risk()};
  check_threads(in);
  // On a separate thread, like that of modules that ask for names: some functions are refused in a callback.
  std::thread([&] { inspect(in); }).join();
  uint32_t low = 0, high = 0;
  adapter->info().GetEventMask2(&low, &high);
  say(to, ("mask " + std::to_string(low) + " " + std::to_string(high)).c_str());
}

}  // namespace oriel::coreclr
