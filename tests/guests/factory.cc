// {5B0C1E5E-0000-4000-8000-0000000000NN}: the profiler NN of this library.
#include "guest.h"

namespace {

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
    return make_guest(number_)->QueryInterface(id, object);
  }
  clr::HRESULT LockServer(clr::BOOL) override { return clr::S_OK; }

 private:
  const Number number_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& class_id,
                                                                                 const clr::GUID& id, void** object) {
  clr::GUID any = class_id;
  any.d[7] = 0;
  const clr::GUID mine = {0x5b0c1e5e, 0, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 0}};
  if (!(any == mine)) return static_cast<clr::HRESULT>(0x80040111);
  return (new Factory(class_id.d[7]))->QueryInterface(id, object);
}
