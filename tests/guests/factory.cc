// {5B0C1E5E-0000-4000-8000-0000000000NN}: profiler NN of this library; 00 declines the process.
#include "guest.h"

namespace {

constexpr auto kCancelActivation = static_cast<clr::HRESULT>(0x80131375);

class Factory final : public clr::ClassFactory {
 public:
  explicit Factory(Number number) : number_(number) {}
  clr::HRESULT QueryInterface(const clr::GUID& id, void** object) override {
    *object = id == clr::IID_Unknown || id == clr::IID_ClassFactory ? this : nullptr;
    return *object ? clr::S_OK : clr::E_NOINTERFACE;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  clr::HRESULT CreateInstance(clr::Unknown*, const clr::GUID& id, void** object) override {
    Guest* const guest = make_guest(number_);
    return guest != nullptr ? guest->QueryInterface(id, object) : kCancelActivation;
  }
  clr::HRESULT LockServer(clr::BOOL) override { return clr::S_OK; }

 private:
  const Number number_;
};

bool attached = false;

}  // namespace

// Profilers ported from Windows have this function, and initialize themselves in it.
extern "C" __attribute__((visibility("default"))) int32_t DllMain(void*, uint32_t reason, void*) {
  constexpr uint32_t kProcessAttach = 1;
  if (reason == kProcessAttach) attached = true;
  return 1;
}

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& class_id,
                                                                                 const clr::GUID& id, void** object) {
  clr::GUID any = class_id;
  any.d[7] = 0;
  const clr::GUID mine = {0x5b0c1e5e, 0, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 0}};
  if (!(any == mine) || !attached) return static_cast<clr::HRESULT>(0x80040111);
  if (class_id.d[7] == 0) return kCancelActivation;
  return (new Factory(class_id.d[7]))->QueryInterface(id, object);
}
