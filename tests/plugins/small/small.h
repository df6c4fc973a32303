// What the tests' small plug-ins share: a method that does nothing, and how an engine finds it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "oriel/plugins/method.h"

namespace small {

using namespace oriel::plugins;

// The last byte of the class id, {5B0C1E5E-0001-4000-8000-0000000000NN}.
using Number = uint8_t;

// There is one, which lives as long as the process. Plug-ins override what they care about.
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
  // A further interface of the plug-in; null if it has none with that id.
  virtual void* other_face(const Guid&) { return nullptr; }
  ~Method() = default;

  const Number number_;
  IProfilerManager* manager_ = nullptr;
};

// ICorProfilerInfo 11 to 15.
inline constexpr Guid kInfoIds[] = {{0x06398876, 0x8987, 0x4154, {0xb6, 0x21, 0x40, 0xa0, 0x0d, 0x6e, 0x4d, 0x04}},
                                    {0x27b24ccd, 0x1cb1, 0x47c5, {0x96, 0xee, 0x98, 0x19, 0x0d, 0xc3, 0x09, 0x59}},
                                    {0x6e6c7ee2, 0x0701, 0x4ec2, {0x9d, 0x29, 0x2e, 0x87, 0x33, 0xb6, 0x69, 0x34}},
                                    {0xf460e352, 0xd76d, 0x4fe9, {0x83, 0x5f, 0xf6, 0xaf, 0x9d, 0x6e, 0x86, 0x2d}},
                                    {0xb446462d, 0xbd22, 0x41dd, {0x87, 0x2d, 0xdc, 0x71, 0x4c, 0x49, 0xeb, 0x56}}};

// Calls one of them by the index of a slot in the vtable, after the three of IUnknown.
template <typename... Arguments>
HResult ask_runtime(IProfilerManager* manager, int version, int slot, Arguments... arguments) {
  ComPtr<IUnknown> any, info;
  if (HResult result = manager->GetCorProfilerInfo(any.receive()); failed(result)) return result;
  if (HResult result = any->QueryInterface(kInfoIds[version - 11], reinterpret_cast<void**>(info.receive()));
      failed(result))
    return result;
  using Function = HResult (*)(IUnknown*, Arguments...);
  return reinterpret_cast<Function>((*reinterpret_cast<void***>(info.get()))[3 + slot])(info.get(), arguments...);
}

// Enables the exception callbacks.
inline HResult enable_exception_callbacks(IProfilerManager* manager) {
  constexpr int kSetMask = 13;
  constexpr uint32_t kExceptions = 0x40;
  return ask_runtime(manager, 11, kSetMask, kExceptions);
}

// An object that a plug-in attaches to a thing of the program; deleted with the last reference.
class Item : public IUnknown {
 public:
  virtual ~Item() = default;
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId ? this : nullptr;
    if (*object != nullptr) AddRef();
    return *object == nullptr ? kNoInterface : kOk;
  }
  uint32_t AddRef() override { return ++references_; }
  uint32_t Release() override {
    const uint32_t left = --references_;
    if (left == 0) delete this;
    return left;
  }

 private:
  std::atomic<uint32_t> references_{1};
};

// Calls each(thing) for all of an enumerator.
template <typename Thing, typename List, typename Each>
void for_each(List* list, Each each) {
  if (list == nullptr) return;
  for (;;) {
    ComPtr<Thing> thing;
    uint32_t fetched = 0;
    if (failed(list->Next(1, thing.receive(), &fetched)) || fetched == 0) return;
    each(thing.get());
  }
}

// Defined by each library.
IInstrumentationMethod* make_method(Number number);

// The text of a string from the engine, which is freed.
std::string text_of(Bstr text);
std::string name_of(IMethodInfo* method);  // "Subjects.Leaf"; "" if it has none
std::string name_of(IModuleInfo* module);
// Adds a number to the method's result, which is an int.
HResult add_to_result(IMethodInfo* method, int32_t number);
// The value of ORIEL_SMALL; "" if it is not set.
std::string told();

template <typename Interface, typename From>
ComPtr<Interface> query(From* object) {
  ComPtr<Interface> found;
  if (object != nullptr) object->QueryInterface(Interface::kId, reinterpret_cast<void**>(found.receive()));
  return found;
}

}  // namespace small
