// Decodes calls blocks (calls_block.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "log/calls_block.h"
#include "log/class_sizes.h"
#include "log/field_reader.h"
#include "log/sink.h"

namespace oriel::log {

// How many bytes the block has behind its head, at least.
uint64_t stored_bytes(const CallsBlock& block);

class CallsDecoder {
 public:
  explicit CallsDecoder(EventSink& sink) : sink_(sink), prediction_(std::make_unique<Prediction>()) {}

  // Passes the block's records to the sink; `in` is behind the block's fields. False if one is invalid: earlier ones
  // were passed on.
  bool decode(const CallsBlock& block, Cursor& in, const ClassSizes& sizes);

 private:
  // One of the block's three streams, unpacked into `room` if it is a zstd frame. False if it is damaged.
  static bool stream(Cursor& in, uint64_t bytes, uint64_t frame, std::vector<uint8_t>& room, const uint8_t*& at);
  bool records(const uint8_t* ops, const uint8_t* low, uint64_t count, Cursor more, const ClassSizes& sizes);
  bool other(uint8_t op, uint64_t value, Cursor& more, const ClassSizes& sizes);
  bool leave(uint32_t number, bool named, uint64_t value, Cursor& more);
  bool allocate(uint64_t klass, Cursor& more, const ClassSizes& sizes);
  void add(const Call& call);
  void tell_calls();
  void tell_event();

  static constexpr size_t kCallsAtOnce = 512;

  EventSink& sink_;
  std::unique_ptr<Prediction> prediction_;
  std::vector<uint8_t> ops_, low_, more_;
  std::array<Call, kCallsAtOnce> calls_;
  size_t calls_count_ = 0;
  uint64_t thread_ = 0, counter_ = 0;
  CallPlace place_;
  uint64_t site_ = 0, stack_ = 0;  // of the block's allocations
  Event event_;
};

}  // namespace oriel::log
