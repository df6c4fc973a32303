// Adds the raw profiler hooks that ORIEL_SMALL lists, which are profilers that know nothing of the engine: "PATH=NN",
// separated by colons, where NN is the last byte of the class id in tests/guests.
#include <dlfcn.h>

#include <cstdio>
#include <sstream>

#include "small.h"

namespace small {
namespace {

using GetClassObject = HResult (*)(const Guid& class_id, const Guid& id, void** object);

constexpr Guid kCallback2 = {0x8a8cc829, 0xccf2, 0x49fe, {0xbb, 0xae, 0x0f, 0x02, 0x22, 0x28, 0x07, 0x1a}};

class Hooking final : public Method {
 public:
  using Method::Method;

  // The same changes as those of hooks, before them.
  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    *instrument = number_ != 0 && name_of(method) == "Marked.Value";
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override { return add_to_result(method, number_); }

  void remove() { manager_->RemoveRawProfilerHook(); }

 private:
  HResult start() override {
    std::istringstream all(told());
    for (std::string one; std::getline(all, one, ':');) {
      const size_t equals = one.find('=');
      const HResult result =
          add(one.substr(0, equals), static_cast<Number>(std::stoi(one.substr(equals + 1), nullptr, 16)));
      std::fprintf(stderr, "hook %08x\n", static_cast<unsigned>(result));
    }
    return kOk;
  }

  HResult add(const std::string& path, Number number) {
    void* library = dlopen(path.c_str(), RTLD_NOW);
    if (library == nullptr) return kFail;
    if (auto* main = reinterpret_cast<int (*)(void*, uint32_t, void*)>(dlsym(library, "DllMain")))
      main(library, 1, nullptr);
    const Guid id = {0x5b0c1e5e, 0, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, number}};
    ComPtr<IClassFactory> factory;
    ComPtr<IUnknown> hook;
    auto* get = reinterpret_cast<GetClassObject>(dlsym(library, "DllGetClassObject"));
    get(id, kIClassFactoryId, reinterpret_cast<void**>(factory.receive()));
    factory->CreateInstance(nullptr, kCallback2, reinterpret_cast<void**>(hook.receive()));
    return manager_->AddRawProfilerHook(hook.get());
  }
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Hooking(number); }

}  // namespace small
