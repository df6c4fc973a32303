// Counts of a method's code.
#pragma once

#include <string>
#include <vector>

#include "log/format.h"

namespace oriel::report {

// "0:2 4/0:2 4/1:0": each place's offset, of an outcome of a branch its number, and the count.
inline std::string hits_text(const std::vector<log::CoverageHit>& hits) {
  std::string text;
  for (const log::CoverageHit& hit : hits) {
    if (!text.empty()) text += ' ';
    text += std::to_string(hit.il);
    if (hit.is_outcome) text += "/" + std::to_string(hit.outcome);
    text += ":" + std::to_string(hit.count);
  }
  return text;
}

}  // namespace oriel::report
