// Decodes the bytes of a method body.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// `bytes` begins with the method header, aligned as in the image, and may be longer than the body (see
// Body::encoded_bytes). A malformed body is refused with the place and the reason: "IL_0012: …".
Result<Body> decode(std::span<const uint8_t> bytes);

}  // namespace oriel::il
