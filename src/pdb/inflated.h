// Deflated data in images and PDBs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oriel::pdb {

// Exactly `size` bytes; empty if the data is invalid.
std::vector<uint8_t> inflated(std::span<const uint8_t> data, uint32_t size);
std::string inflated_text(std::span<const uint8_t> data, uint32_t size);

}  // namespace oriel::pdb
