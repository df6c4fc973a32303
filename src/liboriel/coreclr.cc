// The two functions by which CoreCLR loads a profiler.
#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/class_factory.h"

extern "C" ORIEL_API oriel::coreclr::HResult DllGetClassObject(const oriel::coreclr::Guid& class_id,
                                                               const oriel::coreclr::Guid& interface_id,
                                                               void** object) {
  return oriel::coreclr::get_class_object(class_id, interface_id, object);
}

// Never: threads may be in the engine until the process ends.
extern "C" ORIEL_API oriel::coreclr::HResult DllCanUnloadNow() { return oriel::coreclr::kFalse; }
