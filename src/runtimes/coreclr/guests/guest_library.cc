#include "runtimes/coreclr/guests/guest_library.h"

#include <dlfcn.h>

#include <string>

#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {
namespace {

using GetClassObject = HResult (*)(const Guid& class_id, const Guid& interface_id, void** object);

// What the runtime asks of the only profiler it has.
constexpr int kLeastVersion = 2;

std::string load_error() {
  const char* message = dlerror();
  return message ? message : "unknown error";
}

// The newest version it answers for, and all before: a profiler has no gaps.
int version_of(ProfilerCallback& callback) {
  int version = 0;
  for (const InterfaceVersion& one : kCallbackVersions) {
    ComPtr<ProfilerCallback> same;
    if (failed(callback.QueryInterface(one.id, reinterpret_cast<void**>(same.receive()))) || !same) break;
    ++version;
  }
  return version;
}

}  // namespace

Result<LoadedGuest> load_guest(const GuestSpec& guest) {
  Guid class_id;
  if (!parse_guid(guest.clsid.c_str(), class_id)) return Status::error("its class id is none");
  void* const library = dlopen(guest.path.c_str(), RTLD_LAZY);
  if (library == nullptr) return Status::error("its library cannot be loaded: " + load_error());
  const auto get = reinterpret_cast<GetClassObject>(dlsym(library, "DllGetClassObject"));
  if (get == nullptr) return Status::error("it does not export DllGetClassObject; is it a profiler?");
  ComPtr<IClassFactory> factory;
  const HResult found = get(class_id, kIClassFactoryId, reinterpret_cast<void**>(factory.receive()));
  if (failed(found) || !factory)
    return Status::error("it has no class " + guest.clsid + " (DllGetClassObject answered " + hresult_text(found) +
                         ")");
  LoadedGuest loaded;
  const HResult made =
      factory->CreateInstance(nullptr, kICorProfilerCallback2Id, reinterpret_cast<void**>(loaded.callback.receive()));
  if (failed(made) || !loaded.callback)
    return Status::error("it makes no ICorProfilerCallback2 (CreateInstance answered " + hresult_text(made) + ")");
  loaded.version = version_of(*loaded.callback.get());
  if (loaded.version < kLeastVersion) return Status::error("it is no ICorProfilerCallback2");
  return loaded;
}

}  // namespace oriel::coreclr
