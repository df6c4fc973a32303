// Decodes and sums the calls of some threads, in the background once there are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "log/calls_block.h"
#include "log/calls_decoder.h"
#include "log/class_sizes.h"
#include "log/event.h"
#include "log/framing.h"
#include "log/layout.h"
#include "log/sample_index.h"
#include "log/sink.h"
#include "profile/build/background.h"
#include "profile/build/calls.h"

namespace oriel::profile {

struct ClassSize {
  uint64_t id = 0;
  uint64_t bytes = 0;
};
// Some that follow one another in the log; all lanes have the same.
using ClassSizesTold = std::shared_ptr<const std::vector<ClassSize>>;

// What a log tells of calls, in its order. Threads are indexes into the profile's threads.
struct EncodedCalls {  // a block of a thread's calls
  uint32_t thread = 0;
  log::BlockView block;  // without its data
  log::CallsBlock head;
  std::vector<uint8_t> contents;                 // what follows the head
  std::vector<ClassSizesTold> class_sizes = {};  // that the log told since the lane's block before
};
struct DecodedCalls {
  uint32_t thread = 0;
  std::vector<log::Call> calls;
};
struct LoggedEvent {
  uint32_t thread = 0;
  log::Event event;
};
struct PassedOver {
  uint32_t thread = 0;
  log::PassedStack stack;
};
struct LostCalls {  // what the thread did here is not known
  uint32_t thread = 0;
};
struct Hole {};  // what all threads did here is not known
using CallStep = std::variant<EncodedCalls, DecodedCalls, LoggedEvent, PassedOver, LostCalls, Hole>;

// A block whose calls could be decoded only in part.
struct DamagedCalls {
  uint64_t offset = 0;  // of the block in the log
  std::string text;     // for a person
};

// The first of them are kept, and all are counted.
struct DamagedBlocks {
  static constexpr size_t kMostKept = 100;  // and so many problems of a log in all
  uint64_t count = 0;
  std::vector<DamagedCalls> first;
};

class CallLane final : private log::EventSink {
 public:
  // So much is handed over at once, which costs little beside summing it, and so many times that may wait.
  static constexpr size_t kBytesAtOnce = 256 << 10, kMostWaiting = 4;
  // What a lane has that is not summed yet, and what it decodes with. Few blocks are larger than what is handed over.
  static constexpr size_t kMostMemory = (kMostWaiting + 2) * kBytesAtOnce + sizeof(log::Prediction);

  explicit CallLane(const log::CounterRange& range) : calls_(range) {}

  // These may wait while much is not summed yet.
  void add(CallStep step);
  // `all_sizes`: all that the log told so far, to which it only adds.
  void add(EncodedCalls calls, const std::vector<ClassSizesTold>& all_sizes);
  void add(uint32_t thread, std::span<const log::Call> calls);
  // Waits until all is summed; nothing may be added afterwards.
  void join();
  // After join().
  Calls& calls() { return calls_; }
  const DamagedBlocks& damaged() const { return damaged_; }

 private:
  using Batch = std::vector<CallStep>;

  void take(Batch& batch);
  void take(const EncodedCalls& encoded);
  void take(const DecodedCalls& decoded) { calls_.add(decoded.thread, decoded.calls); }
  void take(const LoggedEvent& logged) { calls_.add(logged.thread, logged.event); }
  void take(const PassedOver& passed) { calls_.pass_over(passed.thread, passed.stack); }
  void take(const LostCalls& lost) { calls_.lose(lost.thread); }
  void take(const Hole&) { calls_.lose_all(); }
  void hand_over_if_full();

  // What the decoder finds in a block.
  void on_calls(uint64_t, std::span<const log::Call> calls) override { calls_.add(thread_, calls); }
  void on_event(const log::Event& event) override;

  Batch batch_;         // what comes next
  size_t records_ = 0;  // in it, at least
  size_t bytes_ = 0;    // that it takes
  size_t sizes_ = 0;    // how many of all_sizes were added

  // Of the background until join().
  Calls calls_;
  log::ClassSizes class_sizes_;
  std::unique_ptr<log::CallsDecoder> decoder_;  // since the first block; it is large
  uint32_t thread_ = 0;                         // whose block is decoded
  DamagedBlocks damaged_;

  std::optional<Background<Batch>> background_;  // since there was much for the first time
};

}  // namespace oriel::profile
