#include "runtimes/coreclr/unload_gate.h"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <unordered_set>

#include "base/clock.h"
#include "engine/engine.h"

namespace oriel::coreclr {
namespace {

// Naps are counted instead of time, because a process that is stopped for a while (SIGSTOP, a closed laptop) loses time
// but no naps.
constexpr useconds_t kNap = 200;  // microseconds
constexpr int kShortNaps = 100;
constexpr int kNapsForQuestions = 50'000;
constexpr int kNapsInCooperativeMode = 500;
constexpr int kNapsForUnloads = 250;
// An unload whose end is never reported must not stop questions by address for ever.
constexpr uint64_t kLongestUnload = 60'000'000'000;  // nanoseconds

// Questions are counted by the turn, even or odd, in which they began. A waiting thread starts the next turn and waits
// until the previous one is empty; one thread at a time.
std::atomic<uint32_t> gate_turn{0};
std::atomic<uint32_t> gate_asking[2];
std::mutex gate_waiting;

thread_local uint32_t gate_mine[2];
thread_local uint32_t callbacks_of_mine = 0;
thread_local uint32_t unloads_of_mine = 0;
thread_local uintptr_t module_of_mine = 0;
std::atomic<uint32_t> attachments_seen{0};
thread_local uint32_t attachment_of_mine = 0;  // in which the two before were set

std::atomic<uint32_t> unloads_under_way{0};
std::atomic<uint32_t> unloads_so_far{0};
std::atomic<uint64_t> unload_began_at{0};  // nanoseconds; the last unload's begin

std::mutex gone_ids_lock;  // guards the next
std::unordered_set<uintptr_t>& gone_ids() {
  static auto* const ids = new std::unordered_set<uintptr_t>;
  return *ids;
}
std::atomic<size_t> gone_count{0};

// An unload whose end came while Oriel was not attached is over.
void forget_earlier_unloads_of_mine() {
  const uint32_t now = attachments_seen.load(std::memory_order_relaxed);
  if (attachment_of_mine == now) return;
  attachment_of_mine = now;
  unloads_of_mine = 0;
  module_of_mine = 0;
}

bool is_closed_to_me() {
  forget_earlier_unloads_of_mine();
  return unloads_under_way.load() != 0 && unloads_of_mine == 0 &&
         clock_monotonic_ns() - unload_began_at.load() < kLongestUnload;
}

}  // namespace

// If the turn ends before the question is counted, the waiting thread may already have found the turn empty. Then the
// question counts in the new turn.
Held::Held() {
  for (;;) {
    const uint32_t now = gate_turn.load();
    turn_ = now % 2;
    gate_asking[turn_].fetch_add(1);
    if (gate_turn.load() == now) break;
    gate_asking[turn_].fetch_sub(1);
  }
  ++gate_mine[turn_];
}

Held::~Held() {
  --gate_mine[turn_];
  gate_asking[turn_].fetch_sub(1);
}

bool Held::is_gone(uintptr_t id) const {
  forget_earlier_unloads_of_mine();
  return id != module_of_mine && is_gone_for_others(id);
}

bool Held::is_gone_for_others(uintptr_t id) const {
  if (gone_count.load() == 0) return false;
  const std::lock_guard lock(gone_ids_lock);
  return gone_ids().contains(id);
}

bool Held::unload_is_under_way() const { return is_closed_to_me(); }

uint32_t Held::unloads_begun() const { return unloads_so_far.load(); }

InCallback::InCallback() { ++callbacks_of_mine; }
InCallback::~InCallback() { --callbacks_of_mine; }

bool may_use_answers() { return callbacks_of_mine + gate_mine[0] + gate_mine[1] != 0; }

namespace unload {

void begin_anew() {
  const std::lock_guard lock(gone_ids_lock);
  gone_ids().clear();
  gone_count.store(0);
  unloads_under_way.store(0);
  attachments_seen.fetch_add(1, std::memory_order_relaxed);
}

void gone(uintptr_t id) {
  const std::lock_guard lock(gone_ids_lock);
  gone_ids().insert(id);
  gone_count.store(gone_ids().size());
}

void back(uintptr_t id) {
  if (gone_count.load() == 0) return;
  const std::lock_guard lock(gone_ids_lock);
  gone_ids().erase(id);
  gone_count.store(gone_ids().size());
}

void unloads_here(uintptr_t module) {
  forget_earlier_unloads_of_mine();
  module_of_mine = module;
}

namespace {

void nap(int naps) { naps < kShortNaps ? sched_yield() : usleep(kNap); }

bool wait_for_turn(int most_naps) {
  int naps = 0;
  std::unique_lock lock(gate_waiting, std::try_to_lock);
  for (; !lock.owns_lock() && naps < most_naps; ++naps) {
    nap(naps);
    lock.try_lock();
  }
  if (!lock.owns_lock()) return false;
  const auto is_empty = [&](uint32_t turn) {
    for (; gate_asking[turn].load() > gate_mine[turn]; ++naps) {
      if (naps >= most_naps) return false;
      nap(naps);
    }
    return true;
  };
  // The turn before this one is empty but for questions for which a wait was given up.
  const uint32_t now = gate_turn.load() % 2;
  if (!is_empty(1 - now)) return false;
  gate_turn.fetch_add(1);
  return is_empty(now);
}

}  // namespace

bool wait_for_questions_in_cooperative_mode() { return wait_for_turn(kNapsInCooperativeMode); }

bool wait_for_questions() {
  if (wait_for_turn(kNapsForQuestions)) return true;
  static std::atomic<bool> said{false};
  if (!said.exchange(true)) warn("the runtime does not answer; code is unloaded anyway, the program runs on");
  return false;
}

void begins() {
  forget_earlier_unloads_of_mine();
  unload_began_at.store(clock_monotonic_ns());
  unloads_under_way.fetch_add(1);
  unloads_so_far.fetch_add(1);
  ++unloads_of_mine;
  wait_for_questions();
}

void is_over() {
  forget_earlier_unloads_of_mine();
  if (unloads_of_mine == 0) return;  // its begin was not reported
  --unloads_of_mine;
  unloads_under_way.fetch_sub(1);
}

void wait_for_unloads() {
  for (int naps = 0; is_closed_to_me() && naps < kNapsForUnloads; ++naps) usleep(kNap);
}

}  // namespace unload
}  // namespace oriel::coreclr
