// What Oriel and the program have used of the processor, since this was asked last.
#pragma once

#include <cstdint>

#include "budget.h"
#include "modules/process_info.h"

namespace oriel::log_module {

struct Recorder;

// For one thread at a time.
class Spending {
 public:
  // Since the last call; nothing at the first one.
  Spent take(const Recorder& recorder);

 private:
  struct Totals {
    uint64_t time = 0, process = 0, threads = 0, elsewhere = 0;
  };

  modules::OwnCpu own_;
  Totals last_;
};

}  // namespace oriel::log_module
