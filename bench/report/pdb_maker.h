// Makes a portable PDB as a compiler leaves one beside an assembly: what report lines reads.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace oriel::bench {

// Of every method: a point every so many bytes of its IL, each at the next line.
inline constexpr uint32_t kPointsAMethod = 12;
inline constexpr uint32_t kIlAPoint = 8;

// Writes the PDB of an assembly with so many methods, all in one source file. `id` is 40 hexadecimal digits.
Status make_pdb(const std::string& path, const std::string& id, uint32_t methods);

}  // namespace oriel::bench
