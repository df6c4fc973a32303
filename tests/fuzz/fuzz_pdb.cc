// Any bytes may come to the reader of PDBs, and any method be asked for.
#include <cstdint>
#include <cstdlib>

#include "pdb/pdb.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::pdb;
  const oriel::Result<Pdb> pdb = Pdb::parse({data, data + size});
  if (!pdb) {
    if (pdb.message().empty()) std::abort();
    return 0;
  }
  if (pdb->id().size() != 40) std::abort();
  constexpr uint32_t kRows = 300;
  for (uint32_t row = 0; row < kRows; ++row) {
    uint32_t before = 0;
    for (const SequencePoint& point : pdb->points(row)) {
      if (point.il < before) std::abort();
      before = point.il;
    }
    pdb->document(row);
    pdb->source(row);
  }
  pdb->state_machines();
  pdb->source_link();
  return 0;
}
