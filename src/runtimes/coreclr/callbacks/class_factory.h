// What CoreCLR asks liboriel.so for first.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

// The factory of the class ORIEL_CORECLR_CLSID, as DllGetClassObject hands it out.
HResult get_class_object(const Guid& class_id, const Guid& interface_id, void** object);

}  // namespace oriel::coreclr
