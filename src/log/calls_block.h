// The streams of a calls block: calls and allocations of one thread, in order. Each block can be read by itself, but
// for the sizes of classes.
//
// Each record is a byte of the stream `ops` and a byte of the stream `low`. What they have no room for is in the stream
// `more`, as INTs (base/varint.h). The lowest two bits of an op are an Op. Those with a time have the difference to the
// counter before as a number of 13 bits, whose upper five are the upper five of the op; if the op has kMoreTime, the
// rest of the difference follows in `more`. Records of Op::kOther have a CallOther in the next five bits, and a value,
// whose lowest byte is in `low`; with kMoreValue its rest follows in `more`.
//
// Programs repeat themselves: which method is entered next mostly follows from where the thread is. Writer and reader
// keep the same table of such predictions (Prediction), and an enter that was predicted does not name its method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/varint.h"

namespace oriel::log {

// The maximum number of records of a block.
inline constexpr size_t kMostCallRecords = 1 << 16;
// The maximum number of bytes of a record in `more`.
inline constexpr size_t kMostMoreBytes = 2 * kMaxVarintBytes;

enum class Op : uint8_t {
  kEnterPredicted = 0,
  kLeave = 1,  // the method on top of the stack
  kEnter = 2,  // more: INT method
  kOther = 3,
};
inline constexpr unsigned kOpBits = 2, kOpMask = 3;
inline constexpr uint8_t kMoreTime = 1 << 2;
inline constexpr unsigned kTimeShift = 3, kTimeBits = 13;

enum class CallOther : uint8_t {
  kLeaveByException,       // the top method; value: time; likewise
  kLeaveByTailCall,        //
  kLeaveNamed,             // value: method, more: INT time; likewise
  kNamedLeaveByException,  //
  kNamedLeaveByTailCall,   //
  kStack,                  // value: node
  kLost,                   // value: how many
  kTimed,                  // value: as in CallKind; likewise
  kWaited,                 //
  kTaken,                  //
  // Of these there are many, and the numbers from the one named here on have the value's next three bits.
  kAllocation = 16,  // value: class; more: INT bytes, if the class's instances vary
  kSite = 24,        // value: method
};
inline constexpr unsigned kOtherBits = 5, kWideBits = 3;
constexpr bool is_wide(CallOther what) { return what >= CallOther::kAllocation; }
inline constexpr uint8_t kMoreValue = 1 << 7;

// Where a thread is. A value, so that loops can keep it in registers.
struct CallPlace {
  uint32_t depth = 0;
  uint32_t top = 0;     // the method on top of the stack; 0: not known
  uint32_t before = 0;  // the method that was left last since that one was entered; 0: none
};

// Which method a thread entered when it was in a place before; and its stack.
class Prediction {
 public:
  void forget() { expected_.fill(0); }

  // What would be entered next; 0: not known. The caller stores there what is entered instead.
  uint32_t& expected(const CallPlace& place) {
    return expected_[(place.top ^ place.before << 16 ^ place.before >> 16) * 0x9e3779b1u >> (32 - kBits)];
  }
  // At most kMostCallRecords deep.
  void enter(uint32_t method, CallPlace& place) {
    methods_[++place.depth] = place.top = method;
    place.before = 0;
  }
  void leave_top(CallPlace& place) const {
    place.before = place.top;
    place.depth -= place.depth != 0 ? 1 : 0;
    place.top = methods_[place.depth];
  }
  // Leaves the method, and those above it.
  void leave(uint32_t method, CallPlace& place) const;

 private:
  static constexpr unsigned kBits = 14;

  std::array<uint32_t, 1 << kBits> expected_ = {};
  std::array<uint32_t, kMostCallRecords + 1> methods_ = {};  // on the stack, outermost first, from 1 on
};

}  // namespace oriel::log
