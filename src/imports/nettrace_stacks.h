// Stacks of a .nettrace file as nodes of a log.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "imports/log_maker.h"
#include "imports/nettrace_names.h"

namespace oriel::imports {

// How a thread was when its stack was taken.
enum class ThreadWas : uint8_t {
  kInManaged,  // or it raised an event, and its innermost frame is what did
  kOutside,    // in native code, or waiting
};

class TraceStacks {
 public:
  TraceStacks(TraceNames& names, LogMaker& maker, uint32_t pointer_bytes)
      : names_(names), maker_(maker), pointer_bytes_(pointer_bytes) {}

  // The leaf's node; 0 for an empty stack. `number` as in TraceEvent.
  uint64_t leaf_of(uint32_t number, std::span<const uint8_t> stack, uint64_t time, ThreadWas was);
  // The numbers begin anew.
  void forget_numbers() { known_.clear(); }

  uint64_t deep() const { return deep_; }  // stacks that were cut

 private:
  struct Frame {
    uint32_t method = CodeHistory::kNone;
  };
  struct Leaf {
    uint64_t node = 0;
    uint32_t method = CodeHistory::kNone;
    bool deep = false;
  };
  Leaf walk(std::span<const uint8_t> stack, uint64_t time);
  uint32_t method_at(uint64_t address, uint64_t time);
  void drop_old_answers();

  TraceNames& names_;
  LogMaker& maker_;
  uint32_t pointer_bytes_;
  uint64_t version_ = 0;
  std::unordered_map<uint64_t, uint32_t> methods_;  // by address
  std::unordered_map<uint32_t, Leaf> known_;        // by the stack's number
  uint64_t deep_ = 0;
};

}  // namespace oriel::imports
