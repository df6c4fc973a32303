// Encodes one thread's calls and allocations as packed events of events blocks.
#pragma once

#include <span>

#include "log/call_stack.h"
#include "log/class_sizes.h"
#include "log/encoder.h"
#include "log/writer.h"

namespace oriel::log {

class CallsEncoder {
 public:
  // Appends the events of a block whose base is `base`, without the terminating BYTE 0. An allocation of a class that
  // `sizes` does not know is left out: a reader could not find its end. May throw std::bad_alloc; the block must then
  // be dropped, and forget() called.
  void encode(uint64_t base, std::span<const CallRecord> records, const ClassSizes& sizes, ByteBuffer& out);
  // Call if the last encoded block is dropped: the stack is unknown from here on.
  void forget() { stack_.forget(); }

 private:
  uint8_t* one(uint8_t* at, const CallRecord& record, const ClassSizes& sizes);
  uint8_t* leave(uint8_t* at, const CallRecord& record);
  uint8_t* delta(uint8_t* at, uint64_t counter);

  CallStack stack_;
  uint64_t before_ = 0;  // counter of the last event
};

}  // namespace oriel::log
