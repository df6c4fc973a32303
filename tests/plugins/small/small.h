// What the small plug-ins of the tests have in common: a method that does nothing, and how an engine finds it.
#pragma once

#include <cstdint>
#include <string>

#include "oriel/plugins/method.h"

namespace small {

using namespace oriel::plugins;

// The last byte of the class id, {5B0C1E5E-0001-4000-8000-0000000000NN}.
using Number = uint8_t;

// One, as long as the process lives. What a plug-in does not override it does not care for.
class Method : public IInstrumentationMethod, public IInstrumentationMethodAttach {
 public:
  explicit Method(Number number) : number_(number) {}

  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult Initialize(IProfilerManager* manager) override {
    manager->AddRef();
    manager_ = manager;
    return start();
  }
  HResult InitializeForAttach(IProfilerManager* manager, IInstrumentationMethodAttachContext*) override {
    return Initialize(manager);
  }
  HResult AttachComplete() override { return kOk; }
  HResult OnAppDomainCreated(IAppDomainInfo*) override { return kOk; }
  HResult OnAppDomainShutdown(IAppDomainInfo*) override { return kOk; }
  HResult OnAssemblyLoaded(IAssemblyInfo*) override { return kOk; }
  HResult OnAssemblyUnloaded(IAssemblyInfo*) override { return kOk; }
  HResult OnModuleLoaded(IModuleInfo*) override { return kOk; }
  HResult OnModuleUnloaded(IModuleInfo*) override { return kOk; }
  HResult OnShutdown() override { return kOk; }
  HResult ShouldInstrumentMethod(IMethodInfo*, Bool, Bool* instrument) override {
    *instrument = 0;
    return kOk;
  }
  HResult BeforeInstrumentMethod(IMethodInfo*, Bool) override { return kOk; }
  HResult InstrumentMethod(IMethodInfo*, Bool) override { return kOk; }
  HResult OnInstrumentationComplete(IMethodInfo*, Bool) override { return kOk; }
  HResult AllowInlineSite(IMethodInfo*, IMethodInfo*, Bool* allow) override {
    *allow = 1;
    return kOk;
  }

 protected:
  virtual HResult start() { return kOk; }
  // What else a plug-in is; null: nothing of that id.
  virtual void* other_face(const Guid&) { return nullptr; }
  ~Method() = default;

  const Number number_;
  IProfilerManager* manager_ = nullptr;
};

// Made by each library.
IInstrumentationMethod* make_method(Number number);

// Text that the engine gave, which is freed.
std::string text_of(Bstr text);
std::string name_of(IMethodInfo* method);  // "Subjects.Leaf"; "" if it has none
std::string name_of(IModuleInfo* module);
// Adds a number to what the method returns, which is an int.
HResult add_to_result(IMethodInfo* method, int32_t number);
// What ORIEL_SMALL says; "" if nothing.
std::string told();

template <typename Interface, typename From>
ComPtr<Interface> query(From* object) {
  ComPtr<Interface> found;
  if (object != nullptr) object->QueryInterface(Interface::kId, reinterpret_cast<void**>(found.receive()));
  return found;
}

}  // namespace small
