// MD5 (RFC 1321), for what others hashed with it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace oriel {

std::array<uint8_t, 16> md5(std::span<const uint8_t> bytes);

}  // namespace oriel
