// Encodes one thread's calls and allocations as the streams of a calls block (calls_block.h).
#pragma once

#include <cstddef>
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

  // Begins a block whose base is `base`, the counter before its first record.
  void begin(uint64_t base);
  // Appends records for which the block has room. An allocation of a class that `sizes` does not know is left out: a
  // reader could not find its end.
  void add(std::span<const CallRecord> records, const ClassSizes& sizes);

  size_t count() const { return static_cast<size_t>(out_.ops - ops_.get()); }
  size_t room() const { return kMostCallRecords - count(); }
  // The counter of the last record that has a time, or the base.
  uint64_t last() const { return out_.before; }

  // What has been encoded since begin(), valid until more is.
  struct Streams {
    std::span<const uint8_t> ops, low, more;
    size_t bytes() const { return ops.size() + low.size() + more.size(); }
  };
  Streams streams() const;

 private:
  // Where the next record goes, and what it depends on.
  struct Output {
    uint8_t* ops = nullptr;
    uint8_t* low = nullptr;
    uint8_t* more = nullptr;
    uint64_t before = 0;  // counter of the last record with a time
    CallPlace place = {};

    uint64_t passed_until(uint64_t counter);
    void add(CallOther what, uint64_t value);
  };
  Output other(Output out, const CallRecord& record, const ClassSizes& sizes) const;
  void leave(Output& out, const CallRecord& record) const;
  static void add_untimed(Output& out, const CallRecord& record, const ClassSizes& sizes);

  std::unique_ptr<Prediction> prediction_;
  std::unique_ptr<uint8_t[]> ops_, low_, more_;
  Output out_;
};

}  // namespace oriel::log
