// Methods' code in the metadata.
#pragma once

#include <cstdint>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// As oriel_method_is_trivial. On a thread that may ask (functions.h).
bool is_trivial_method(MonoImage* image, uint32_t token);

}  // namespace oriel::mono
