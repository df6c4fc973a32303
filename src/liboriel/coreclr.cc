// The two functions by which CoreCLR loads a profiler.
#include "base/process/coreclr_clsid.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/before_abort.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/create_profiler.h"

namespace oriel::coreclr {
namespace {

HResult create(const Guid& id, void** object) {
  try {
    install_abort_hook();
    return create_profiler(id, object);
  } catch (...) {
    return kFail;
  }
}

}  // namespace

// Returns the factory of the class ORIEL_CORECLR_CLSID.
extern "C" ORIEL_API HResult DllGetClassObject(const Guid& class_id, const Guid& interface_id, void** object) {
  static ClassFactory<create> factory;
  Guid own;
  if (!parse_guid(ORIEL_CORECLR_CLSID, own) || !(class_id == own)) return kClassNotAvailable;
  return factory.QueryInterface(interface_id, object);
}

// Never: threads may be in the engine until the process ends.
extern "C" ORIEL_API HResult DllCanUnloadNow() { return kFalse; }

}  // namespace oriel::coreclr
