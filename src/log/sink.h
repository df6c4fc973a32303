// The decoder's output: one call per record, in file order. Override the calls of interest; the defaults do nothing.
//
// Strings are valid UTF-8. A node's parent is less than its id, and ids are never larger than the number of bytes
// decoded so far, so that a table of nodes is bounded by the file. All other ids and counts may be arbitrary; if a part
// of the file was damaged, ids may also be undefined.
#pragma once

#include <span>
#include <string>

#include "log/event.h"
#include "log/format.h"

namespace oriel::log {

struct BlockView;
struct CallsBlock;
struct Cursor;

class EventSink {
 public:
  virtual ~EventSink() = default;
  // Whether it takes what blocks of a kind hold: of others only the clocks are told. Names it always takes.
  virtual bool wants(Block) const { return true; }
  // Each plain kind of block: on_intro(const Intro&), on_statistical, on_end, on_process, ….
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) \
  virtual void on_##name(const Record&) {}
#include "log/blocks.def"
  // Each record of records.def: on_load(const Load&), on_image, on_method, on_thread, on_lost, ….
#define ORIEL_RECORD(function, name, Record) \
  virtual void on_##function(const Record&) {}
#include "log/records.def"
  // A pair of counter and time of day from anywhere in the file: for turning counters into time.
  virtual void on_clock(const ClockPair&) {}
  virtual void on_event(const Event&) {}
  // Some of a thread's calls, in order; by default each is an event.
  virtual void on_calls(uint64_t thread, std::span<const Call> calls);
  // Whether it takes a block of calls as it is, to have a CallsDecoder decode it later: then none of its calls,
  // allocations and other events are told. `contents` are what follows the head, and valid only during the call.
  virtual bool on_calls_block(const BlockView& /*block*/, const CallsBlock& /*head*/, const Cursor& /*contents*/) {
    return false;
  }
  // A node, without its `il`; the IL offsets of nodes follow after all nodes of their block.
  virtual void on_stack_node(const StackNode&) {}
  virtual void on_node_il(uint64_t /*node*/, uint32_t /*il*/) {}
  virtual void on_sample(uint64_t /*thread*/, const Sample&) {}
  // Some of a thread's samples, in order; by default each goes to on_sample.
  virtual void on_samples(uint64_t thread, std::span<const Sample> samples) {
    for (const Sample& sample : samples) on_sample(thread, sample);
  }
  // For an earlier sample.
  virtual void on_compiling(uint64_t /*thread*/, const Compiling&) {}
  // A block with many methods comes in several pieces, each with the block's images; pieces add up like blocks.
  virtual void on_coverage(const Coverage&) {}
  // A compressed block follows with its contents, so many bytes more than the file has.
  virtual void on_unpacked(uint64_t /*bytes*/) {}
  // Blocks before here are missing: what threads did there is not known. May come several times for one place.
  virtual void on_hole() {}
  // Likewise of the thread whose block of calls could not be decoded to its end.
  virtual void on_lost_calls(const CallsBlock& /*head*/) { on_hole(); }
  // Something in the file could not be read: a sentence for a person, and where.
  virtual void on_problem(uint64_t /*offset*/, const std::string& /*message*/) {}
};

}  // namespace oriel::log
