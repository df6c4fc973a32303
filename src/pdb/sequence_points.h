// A method's sequence points as a portable PDB packs them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pdb/pdb.h"

namespace oriel::pdb {

// `document`: the method's, 0 if it is in several, the first of which stands in the blob. Where that is damaged: those
// before.
std::vector<SequencePoint> read_points(std::span<const uint8_t> blob, uint32_t document);

}  // namespace oriel::pdb
