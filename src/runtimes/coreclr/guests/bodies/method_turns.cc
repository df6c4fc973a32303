#include "runtimes/coreclr/guests/bodies/method_turns.h"

namespace oriel::coreclr {

MethodTurns::Turn::Turn(MethodTurns& turns, const MethodKey& key) : turns_(turns), key_(key) {
  const auto own = std::this_thread::get_id();
  std::unique_lock guard(turns_.lock_);
  turns_.ended_.wait(guard, [&] {
    const auto holder = turns_.holders_.find(key_);
    return holder == turns_.holders_.end() || holder->second.thread == own;
  });
  Holder& holder = turns_.holders_[key_];
  holder.thread = own;
  ++holder.depth;
}

MethodTurns::Turn::~Turn() {
  {
    const std::lock_guard guard(turns_.lock_);
    const auto holder = turns_.holders_.find(key_);
    if (--holder->second.depth != 0) return;
    turns_.holders_.erase(holder);
  }
  turns_.ended_.notify_all();
}

bool MethodTurns::is_mine(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto holder = holders_.find(key);
  return holder != holders_.end() && holder->second.thread == std::this_thread::get_id();
}

}  // namespace oriel::coreclr
