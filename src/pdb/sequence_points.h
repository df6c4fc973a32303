// Decodes a method's sequence points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pdb/pdb.h"

namespace oriel::pdb {

// The largest line number. A damaged file's larger ones count as no line, so that sums do not overflow.
inline constexpr uint32_t kLastLine = 0x1fffffff;

// `document`: the method's, 0 if it has several; the blob then begins with the first. If the blob is damaged: the
// points before.
std::vector<SequencePoint> read_points(std::span<const uint8_t> blob, uint32_t document);

}  // namespace oriel::pdb
