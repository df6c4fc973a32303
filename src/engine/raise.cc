#include "engine/raise.h"

#include <atomic>
#include <ctime>

#include "base/static_tls.h"
#include "engine/probes.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

constinit std::atomic<bool> stopped{false};
constinit std::atomic<bool> shutdown_end_raised{false};

// The number of threads in callbacks, sharded over cache lines to avoid contention.
struct alignas(64) Shard {
  std::atomic<uint32_t> inside{0};
};
constexpr size_t kShards = 64;
constinit Shard shards[kShards];

ORIEL_STATIC_TLS constinit thread_local char anchor = 0;

// Thread-local storage of different threads is a stack's size and a page apart.
Shard& own_shard() { return shards[(reinterpret_cast<uintptr_t>(&anchor) >> 12) % kShards]; }

class Dispatching {
 public:
  Dispatching() : shard_(own_shard()) { shard_.inside.fetch_add(1); }
  ~Dispatching() { shard_.inside.fetch_sub(1); }
  Dispatching(const Dispatching&) = delete;
  Dispatching& operator=(const Dispatching&) = delete;
  // Sequentially consistent with stop_raising: either that sees this callback, or this sees the stop.
  static bool may_call() { return !stopped.load(); }

 private:
  Shard& shard_;
};

bool any_thread_in_callback() {
  for (const Shard& shard : shards) {
    if (shard.inside.load() != 0) return true;
  }
  return false;
}

}  // namespace

void stop_raising() {
  stopped.store(true);
  close_probe_cells();
}

void resume_raising() {
  shutdown_end_raised.store(false);
  open_probe_cells();
  stopped.store(false);
}

void wait_for_callbacks() {
  const timespec pause{0, 1'000'000};
  for (int i = 0; i < 100 && any_thread_in_callback(); ++i) nanosleep(&pause, nullptr);
}

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                              \
  void dispatch_##name(int ORIEL_SEQ(ORIEL_PARAM, fields)) {                                              \
    if (number == oriel_event_runtime_shutdown_end && shutdown_end_raised.exchange(true)) return;         \
    const Dispatching dispatching;                                                                        \
    if (!dispatching.may_call()) return;                                                                  \
    for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) { \
      if (auto callback = it->name##_cb.load(std::memory_order_acquire)) {                                \
        callback(it->profiler ORIEL_SEQ(ORIEL_ARG, fields));                                              \
      }                                                                                                   \
    }                                                                                                     \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT

}  // namespace oriel
