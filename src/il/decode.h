// From the bytes of a method body to a Body.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// `bytes` begins with the method header, aligned as in the image, and may be longer than the body (Body::encoded_bytes
// tells). A malformed body is refused with its place and what is wrong: "IL_0012: …".
Result<Body> decode(std::span<const uint8_t> bytes);

}  // namespace oriel::il
