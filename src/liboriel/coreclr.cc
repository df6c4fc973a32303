// The two functions by which CoreCLR loads a profiler, and the factory that it asks for one.
#include <cstdio>
#include <new>

#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/clsid.h"

namespace oriel::coreclr {
namespace {

// Reads "{9A8FE63E-…}".
bool parse_guid(const char* text, Guid& id) {
  unsigned part[11];
  const int read = std::sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}", &part[0], &part[1], &part[2], &part[3],
                               &part[4], &part[5], &part[6], &part[7], &part[8], &part[9], &part[10]);
  if (read != 11) return false;
  id.data1 = part[0];
  id.data2 = static_cast<uint16_t>(part[1]);
  id.data3 = static_cast<uint16_t>(part[2]);
  for (int i = 0; i < 8; ++i) id.data4[i] = static_cast<uint8_t>(part[3 + i]);
  return true;
}

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
    auto* callback = new (std::nothrow) Callback;
    if (callback == nullptr) return kFail;
    return callback->QueryInterface(id, object);
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
