#include "base/version.h"

namespace oriel {

const char* version_text() { return ORIEL_VERSION; }

}  // namespace oriel
