// Attaches an item to each app domain, assembly, module and instrumented method of plugins.dll. Prints when the item is
// released, and when the engine reports that the thing is unloaded.
#include <cstdio>

#include "small.h"

namespace small {
namespace {

constexpr Guid kComponent = {0x5b0c1e5e, 2, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 2}};

struct Kept final : Item {
  explicit Kept(const char* of) : of_(of) {}
  ~Kept() override { std::fprintf(stderr, "item of %s gone\n", of_); }
  const char* const of_;
};

template <typename Thing>
void keep_with(Thing* thing, const char* what) {
  auto* item = new Kept(what);
  query<IDataContainer>(thing)->SetDataItem(&kComponent, &kComponent, item);
  item->Release();
}

class Keeping final : public Method {
 public:
  using Method::Method;

  HResult OnAppDomainCreated(IAppDomainInfo* domain) override { return keep_with(domain, "domain"), kOk; }
  HResult OnModuleLoaded(IModuleInfo* module) override {
    if (name_of(module) != "plugins.dll") return kOk;
    keep_with(module, "module");
    ComPtr<IAssemblyInfo> assembly;
    if (succeeded(module->GetAssemblyInfo(assembly.receive())) && assembly) keep_with(assembly.get(), "assembly");
    return kOk;
  }
  HResult OnModuleUnloaded(IModuleInfo* module) override {
    if (name_of(module) == "plugins.dll") std::fprintf(stderr, "module unloaded\n");
    return kOk;
  }
  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    *instrument = name_of(method) == "Subjects.Other";
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override { return keep_with(method, "method"), kOk; }
  HResult OnShutdown() override { return std::fprintf(stderr, "shutdown\n"), kOk; }
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Keeping(number); }

}  // namespace small
