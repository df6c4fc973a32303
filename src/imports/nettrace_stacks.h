// Stacks of a .nettrace file as nodes of a log.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "imports/log_maker.h"
#include "imports/nettrace_blocks.h"
#include "imports/nettrace_process.h"

namespace oriel::imports {

// How a thread was when its stack was taken.
enum class ThreadWas : uint8_t {
  kInManaged,  // or it raised an event, and its innermost frame is what did
  kOutside,    // in native code, or waiting
};

class TraceStacks {
 public:
  TraceStacks(TraceProcess& process, LogMaker& maker, const TraceHead& head)
      : process_(process), maker_(maker), pointer_bytes_(head.pointer_bytes), is_cut_(head.version < 6) {}

  struct Leaf {
    uint64_t node = 0;         // 0 for an empty stack
    bool has_managed = false;  // a frame
  };
  // `number` as in TraceEvent.
  Leaf leaf_of(uint32_t number, std::span<const uint8_t> stack, uint64_t time, ThreadWas was);
  // The numbers begin anew.
  void forget_numbers() { known_.clear(); }

  uint64_t deep() const { return deep_; }  // stacks that were cut

 private:
  struct Walked {
    Leaf leaf;
    uint32_t method = CodeHistory::kNone;  // innermost
    bool deep = false;
  };
  Walked walk(std::span<const uint8_t> stack, uint64_t time);
  NamedFrame unknown(uint64_t address);
  uint32_t method_at(uint64_t address, uint64_t time);
  void drop_old_answers();

  TraceProcess& process_;
  LogMaker& maker_;
  uint32_t pointer_bytes_;
  bool is_cut_;  // deep stacks are
  uint64_t version_ = 0;
  std::unordered_map<uint64_t, uint32_t> methods_;  // by address
  std::unordered_map<uint32_t, Walked> known_;      // by the stack's number
  uint64_t deep_ = 0;
};

}  // namespace oriel::imports
