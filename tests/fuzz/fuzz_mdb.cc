// Any bytes may come to the reader of .mdb files, and any method be asked for.
#include <cstdint>
#include <cstdlib>

#include "pdb/mdb.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::pdb;
  const oriel::Result<Mdb> mdb = Mdb::parse({data, data + size});
  if (!mdb) {
    if (mdb.message().empty()) std::abort();
    return 0;
  }
  if (mdb->id().size() != 32) std::abort();
  constexpr uint32_t kRows = 300;
  size_t points = 0;
  for (uint32_t row = 0; row < kRows; ++row) {
    uint32_t before = 0;
    for (const SequencePoint& point : mdb->points(row)) {
      if (point.il < before || point.end_line < point.line) std::abort();
      before = point.il;
      ++points;
    }
    if (mdb->document(row).path.size() > 4096) std::abort();
  }
  if (points > size) std::abort();
  return 0;
}
