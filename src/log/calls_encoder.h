// Encodes one thread's calls and allocations as the streams of calls blocks (calls_block.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "log/calls_block.h"
#include "log/class_sizes.h"
#include "log/writer.h"

namespace oriel::log {

class CallsEncoder {
 public:
  // Throws std::bad_alloc.
  CallsEncoder();

  // The streams of up to kMostCallRecords records, valid until the next call; `base` is the counter before the first
  // one. An allocation of a class that `sizes` does not know is left out: a reader could not find its end.
  struct Streams {
    std::span<const uint8_t> ops, low, more;
    uint64_t end;  // counter of the last record that has a time; `base` if there is none
  };
  Streams encode(uint64_t base, std::span<const CallRecord> records, const ClassSizes& sizes);

 private:
  struct Output;
  Output other(Output out, const CallRecord& record, const ClassSizes& sizes) const;
  void leave(Output& out, const CallRecord& record) const;
  static void add(Output& out, const CallRecord& record, const ClassSizes& sizes);

  std::unique_ptr<Prediction> prediction_;
  std::unique_ptr<uint8_t[]> ops_, low_, more_;
};

}  // namespace oriel::log
