// Writes blocks of version 1 of the format: names, events of one thread, hits. They are gathered a little and written
// to the file as they become many.
#pragma once

#include <cstdint>
#include <string>

#include "log/encoder.h"
#include "log/format.h"

namespace oriel::log {

class Version1Blocks {
 public:
  // Of an empty file.
  explicit Version1Blocks(int file) : file_(file) {}

  void intro(const Intro& intro);
  void load(const Load& load);
  // Names are ASCII.
  void name(ClassName name);
  void name(MethodName name);
  void hits(const Statistical& hits);
  // As many hits of one function. A block has those of one thread after another, as the log has them.
  void hits(uint64_t thread, uint64_t counter, FrameKind kind, uint64_t function, uint64_t count);
  // What the log says of the time, for blocks that begin or end with a CLOCK.
  void clock(const ClockPair& clock) { clock_ = clock; }

  // Of a thread, in order. `packed`: the codes from kEnter to kLeaveExplicit.
  void call(uint64_t thread, uint64_t counter, Packed packed, uint64_t method);
  void allocation(uint64_t thread, uint64_t counter, uint64_t klass, uint64_t bytes);
  // Of the other codes, with their upper five bits.
  void event(uint64_t thread, uint64_t counter, uint8_t code, uint64_t value);

  void end(const End& end);
  // Writes the rest. The file has no end block if end() was not called: its log has none either.
  void finish();

  // As in errno, of the first write that failed; 0 for none. Nothing is written after it.
  int error() const { return error_; }

 private:
  template <typename Encode>
  void block(Block code, Encode encode);
  void begin_event(uint64_t thread, uint64_t counter, bool takes_no_time);
  void end_names();
  void end_events();
  void end_hits();
  void write();

  int file_;
  int error_ = 0;
  ByteBuffer pending_;  // whole blocks
  ClockPair clock_;
  ClockPair written_clock_;  // the latest that the file has
  Mapping names_;
  size_t name_bytes_ = 0;
  ByteBuffer events_;  // of the block that is open, if `in_events_`
  bool in_events_ = false;
  ClockPair events_start_;
  uint64_t events_thread_ = 0;
  uint64_t base_ = 0, last_ = 0;
  Statistical hits_;
  uint64_t hits_thread_ = 0;
};

}  // namespace oriel::log
