// Methods' code as profilers' rewriters leave it, before probes are put in.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/entities.h"

namespace oriel {

// What is wrong with a body, if anything.
using BodyCheck = std::function<Status(std::span<const uint8_t> body)>;

// Has all rewriters that choose the method change its body, one after the other; empty if none did. Calls modules, so
// no lock may be held. What a rewriter gives that `check` refuses is said, and so is one that throws; the body stays as
// the rewriter found it.
std::vector<uint8_t> rewritten_body(oriel_method& method, oriel_image* image, std::span<const uint8_t> original,
                                    const BodyCheck& check);

}  // namespace oriel
