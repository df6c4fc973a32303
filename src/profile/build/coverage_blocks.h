// Coverage of a log's blocks as rows of tables, and the rows as blocks again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "log/format.h"
#include "profile/build/memory/memory_limit.h"
#include "profile/table/add_up.h"
#include "profile/tables.h"

namespace oriel::profile {

// Adds up the blocks of one log. Images are identified by version (MVID), methods by row, their code by place.
class CoverageBlocks {
 public:
  // Drops what exceeds the memory limit. Call all with the same tables.
  void add(log::Coverage block, MemoryLimit& limit, Tables& tables);
  // Adds what the program counted but did not write into the log: only periods that the log does not have.
  void add_counters(std::vector<log::Coverage> periods, MemoryLimit& limit, Tables& tables);
  // Puts the tables in order. Call it once, after all blocks.
  void finish(Tables& tables);

 private:
  void add_rows(log::Coverage block, MemoryLimit& limit, Tables& tables);
  // Raises the limit by a method's hits, as far as the log's size does not say what they take.
  void raise_limit(const log::MethodHits& method, MemoryLimit& limit);

  table::RowIndex<CoveredImage> images_;
  table::RowIndex<CoveredMethod> methods_;
  table::RowIndex<CoveredTest> tests_;
  table::RowIndex<CoveredByTest> by_tests_;
  struct Period {
    std::string label;
    bool is_announced = false;  // the log does not have what ran in it
  };
  std::map<uint64_t, Period> periods_;
  // Hits of one program's code compress to a hundredth, which a limit by the log's size does not allow. So many bytes,
  // enough for a large program, come in addition.
  uint64_t beyond_limit_ = 16'000'000;
};

// If some images have only hits, all counts become hits, as nobody can add up the two.
void drop_counts_beside_hits(Tables& tables);

// Blocks whose sum are these tables.
std::vector<log::Coverage> blocks_of(const Tables& tables);

}  // namespace oriel::profile
