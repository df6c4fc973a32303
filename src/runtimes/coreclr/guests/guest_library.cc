#include "runtimes/coreclr/guests/guest_library.h"

#include <dlfcn.h>

#include <string>

#include "base/process/coreclr_clsid.h"
#include "base/process/foreign_call.h"
#include "base/process/foreign_library.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {
namespace {

using GetClassObject = HResult (*)(const Guid& class_id, const Guid& interface_id, void** object);

// The version that the runtime requires of a profiler.
constexpr int kLeastVersion = 2;

}  // namespace

LoadedGuest known_guest(IUnknown& callback) {
  for (size_t i = std::size(kCallbackVersions); i-- > 0;) {
    LoadedGuest loaded;
    const HResult result = foreign_call([&, to = loaded.callback.receive()] {
      return callback.QueryInterface(kCallbackVersions[i].id, reinterpret_cast<void**>(to));
    });
    loaded.version = static_cast<int>(i + 1);
    if (succeeded(result) && loaded.callback) return loaded.version < kLeastVersion ? LoadedGuest{} : loaded;
  }
  return {};
}

Result<LoadedGuest> load_guest(const GuestSpec& guest) {
  Guid class_id;
  if (!parse_guid(guest.clsid.c_str(), class_id)) return Status::error("its class id is not valid");
  // It would make the engine again, which would load it again.
  if (guest.clsid == ORIEL_CORECLR_CLSID) return Status::error("it is Oriel itself, which is loaded anyway");
  const Result<void*> library = load_foreign_library(guest.path);
  if (!library) return Status::error("its library " + library.message());
  const auto get = reinterpret_cast<GetClassObject>(dlsym(*library, "DllGetClassObject"));
  if (get == nullptr) return Status::error("it does not export DllGetClassObject; is it a profiler?");
  ComPtr<IClassFactory> factory;
  const HResult found = foreign_call(
      [&, to = factory.receive()] { return get(class_id, kIClassFactoryId, reinterpret_cast<void**>(to)); });
  if (found == kCancelActivation) return LoadedGuest{};
  if (failed(found) || !factory)
    return Status::error("it has no class " + guest.clsid + " (DllGetClassObject returned " + hresult_text(found) +
                         ")");
  ComPtr<ProfilerCallback> callback;
  const HResult made = foreign_call([&, to = callback.receive()] {
    return factory->CreateInstance(nullptr, kICorProfilerCallback2Id, reinterpret_cast<void**>(to));
  });
  if (made == kCancelActivation) return LoadedGuest{};
  if (failed(made) || !callback)
    return Status::error("it creates no ICorProfilerCallback2 (CreateInstance returned " + hresult_text(made) + ")");
  LoadedGuest loaded = known_guest(*callback.get());
  if (loaded.version == 0) return Status::error("it is not an ICorProfilerCallback2");
  return loaded;
}

}  // namespace oriel::coreclr
