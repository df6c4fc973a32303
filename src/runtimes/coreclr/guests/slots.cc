#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

const char* name_of(CallbackSlot slot) {
  static constexpr const char* kNames[] = {
#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT(name, arguments) #name,
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
  };
  return kNames[static_cast<int32_t>(slot)];
}

const char* name_of(InfoSlot slot) {
  static constexpr const char* kNames[] = {
#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT(name, arguments) #name,
#include "runtimes/coreclr/com/info.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
  };
  return kNames[static_cast<int32_t>(slot)];
}

}  // namespace oriel::coreclr
