#include "small.h"

#include <dlfcn.h>

#include <cstdlib>

#include "oriel/plugins/graph.h"

namespace small {

HResult Method::QueryInterface(const Guid& id, void** object) {
  *object = id == kIUnknownId || id == IInstrumentationMethod::kId ? static_cast<IInstrumentationMethod*>(this)
            : id == IInstrumentationMethodAttach::kId
                ? static_cast<void*>(static_cast<IInstrumentationMethodAttach*>(this))
                : other_face(id);
  return *object == nullptr ? kNoInterface : kOk;
}

// Found by name, as the engine's users do it, because they are not linked with it.
std::string text_of(Bstr text) {
  using Free = HResult (*)(Bstr);
  static const auto free = [] {
    void* engine = dlopen("libInstrumentationEngine.so", RTLD_LAZY | RTLD_NOLOAD);
    return engine == nullptr ? nullptr : reinterpret_cast<Free>(dlsym(engine, "InstrumentationEngineFreeString"));
  }();
  std::string narrow;
  for (const char16_t* at = text; at != nullptr && *at != 0; ++at) narrow += static_cast<char>(*at);
  if (text != nullptr && free != nullptr) free(text);
  return narrow;
}

std::string name_of(IMethodInfo* method) {
  Bstr name = nullptr;
  return succeeded(method->GetFullName(&name)) ? text_of(name) : "";
}

std::string name_of(IModuleInfo* module) {
  Bstr name = nullptr;
  return succeeded(module->GetModuleName(&name)) ? text_of(name) : "";
}

HResult add_to_result(IMethodInfo* method, int32_t number) {
  ComPtr<IInstructionGraph> graph;
  ComPtr<IInstructionFactory> factory;
  ComPtr<IInstruction> last, load, add;
  if (HResult result = method->GetInstructions(graph.receive()); failed(result)) return result;
  method->GetInstructionFactory(factory.receive());
  graph->GetLastInstruction(last.receive());
  factory->CreateLoadConstInstruction(number, load.receive());
  factory->CreateInstruction(Opcode::Add, add.receive());
  graph->InsertBefore(last.get(), load.get());
  return graph->InsertBefore(last.get(), add.get());
}

std::string told() {
  const char* value = std::getenv("ORIEL_SMALL");
  return value == nullptr ? "" : value;
}

namespace {

class Factory final : public IClassFactory {
 public:
  explicit Factory(Number number) : number_(number) {}
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId || id == kIClassFactoryId ? this : nullptr;
    return *object == nullptr ? kNoInterface : kOk;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult CreateInstance(IUnknown*, const Guid& id, void** object) override {
    return make_method(number_)->QueryInterface(id, object);
  }
  HResult LockServer(Bool) override { return kOk; }

 private:
  const Number number_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) HResult DllGetClassObject(const Guid& class_id, const Guid& id,
                                                                            void** object) {
  Guid any = class_id;
  any.data4[7] = 0;
  const Guid mine = {0x5b0c1e5e, 1, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 0}};
  if (!(any == mine)) return kClassNotAvailable;
  return (new Factory(class_id.data4[7]))->QueryInterface(id, object);
}

}  // namespace small
