#include "base/version.h"

#include <features.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

namespace oriel {

const char* version_text() { return ORIEL_VERSION; }

const char* built_for_text() {
#ifdef __GLIBC__
  return "linux-" ORIEL_ARCH ", glibc " TEXT(__GLIBC__) "." TEXT(__GLIBC_MINOR__) " or later";
#else
  return "linux-musl-" ORIEL_ARCH;
#endif
}

}  // namespace oriel
