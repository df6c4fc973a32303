// The two functions by which CoreCLR loads a profiler, and the factory that it asks for one.
#include "oriel/oriel.h"
#include "runtimes/coreclr/before_abort.h"
#include "runtimes/coreclr/clsid.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/create_profiler.h"

namespace oriel::coreclr {
namespace {

// Static and without members: its reference count is of no consequence.
class Factory final : public IClassFactory {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    if (object == nullptr) return kPointerError;
    *object = id == kIUnknownId || id == kIClassFactoryId ? this : nullptr;
    return *object ? kOk : kNoInterface;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult CreateInstance(IUnknown* outer, const Guid& id, void** object) override {
    if (outer != nullptr) return kNoAggregation;
    try {
      hear_of_abort();
      return make_profiler(id, object);
    } catch (...) {
      return kFail;
    }
  }
  HResult LockServer(Bool) override { return kOk; }
};

}  // namespace

// Hands out the factory of the class ORIEL_CORECLR_CLSID.
extern "C" ORIEL_API HResult DllGetClassObject(const Guid& class_id, const Guid& interface_id, void** object) {
  static Factory factory;
  Guid own;
  if (!parse_guid(ORIEL_CORECLR_CLSID, own) || !(class_id == own)) return kClassNotAvailable;
  return factory.QueryInterface(interface_id, object);
}

// Never: threads may be in the engine until the process ends.
extern "C" ORIEL_API HResult DllCanUnloadNow() { return kFalse; }

}  // namespace oriel::coreclr
