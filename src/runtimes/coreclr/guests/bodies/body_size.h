// The length of a method body that comes from a guest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::coreclr {

// `body` may contain anything: nothing outside of it is read. 0: it is no valid body.
size_t body_size(const uint8_t* body);

}  // namespace oriel::coreclr
