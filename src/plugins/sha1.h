// SHA-1 (FIPS 180-4), for assemblies' public key tokens. It protects nothing here.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace oriel::plugins {

std::array<uint8_t, 20> sha1(std::span<const uint8_t> bytes);

}  // namespace oriel::plugins
