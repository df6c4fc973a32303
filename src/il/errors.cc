#include "il/errors.h"

#include <cinttypes>
#include <cstdio>

namespace oriel::il {

Status error_at(uint32_t il_offset, const std::string& what) {
  char place[24];
  std::snprintf(place, sizeof place, "IL_%04" PRIx32 ": ", il_offset);
  return Status::error(place + what);
}

Status error_at(const Instruction& at, const std::string& what) {
  const Instruction* original = &at;
  while (original->original_offset() == kNoOffset && !original->is_end() && original->next())
    original = original->next();
  if (original == &at) return error_at(at.original_offset(), what);
  if (original->original_offset() == kNoOffset) return Status::error("inserted at the end: " + what);
  const Status place = error_at(original->original_offset(), what);
  return Status::error("inserted before " + place.message());
}

}  // namespace oriel::il
