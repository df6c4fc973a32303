// A method's new version, made of the changes of all who asked for it.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// The runtime wants the method's new version: asks those guests, and Oriel, in their order, each on top of what those
// before it made, and gives it the result. `asked`: bits of those to ask.
void make_version(House& house, uint32_t asked, const MethodKey& key, FunctionControl& control);

}  // namespace oriel::coreclr
