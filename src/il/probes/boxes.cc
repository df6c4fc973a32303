#include "il/probes/boxes.h"

namespace oriel::il {

std::vector<uint32_t> boxes(const Body& body) {
  std::vector<uint32_t> offsets;
  for (const Instruction* at = body.first(View::kOriginal); !at->is_end(); at = at->next(View::kOriginal))
    if (at->opcode() == Opcode::Box) offsets.push_back(at->original_offset());
  return offsets;
}

}  // namespace oriel::il
