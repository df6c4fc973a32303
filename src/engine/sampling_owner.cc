#include "engine/sampling_owner.h"

#include <atomic>
#include <mutex>

#include "engine/control.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/or_else.h"
#include "engine/profilers.h"
#include "sampling/sampling.h"
#include "sampling/walk_here.h"

namespace oriel {
namespace {

static_assert(static_cast<uint32_t>(sampling::Mode::kNone) == ORIEL_SAMPLE_NONE);
static_assert(static_cast<uint32_t>(sampling::Mode::kProcess) == ORIEL_SAMPLE_PROCESS);
static_assert(static_cast<uint32_t>(sampling::Mode::kReal) == ORIEL_SAMPLE_REAL);
static_assert(sampling::kMaxSlots == ORIEL_MAX_SAMPLED_THREADS);
static_assert(sampling::kLostReasons == ORIEL_LOST_REASONS);

constexpr uint32_t kMaxHz = 10'000;

constinit std::atomic<oriel_profiler_handle> owner{nullptr};
constinit std::atomic<uint64_t> in_force{0};  // mode << 32 | Hz
constinit std::atomic<bool> ever_on{false};
constinit std::mutex configuring;

void on_sample(const sampling::Sample& sample) {
  raise_sample_hit(reinterpret_cast<const void*>(sampling::sample_ip(sample)), static_cast<const void*>(&sample));
}

bool configure(oriel_sample_mode mode, uint32_t hz) {
  const std::lock_guard guard(configuring);
  if (is_ending()) return false;
  if (mode != ORIEL_SAMPLE_NONE) ever_on.store(true);
  if (const Runtime* runtime = current_runtime()) sampling::share_signal(runtime->signal_to_share());
  if (sampling::Error error = sampling::configure(static_cast<sampling::Mode>(mode), hz, on_sample)) {
    warn(error);
    return false;
  }
  in_force.store(uint64_t{mode} << 32 | hz, std::memory_order_release);
  return true;
}

const sampling::Sample& sample_of(const void* context) { return *static_cast<const sampling::Sample*>(context); }

}  // namespace

void disown_sampling_of(const void* load) {
  const oriel_profiler_handle handle = owner.load();
  if (!handle || handle->load != load) return;
  oriel_set_sample_mode(handle, ORIEL_SAMPLE_NONE, 0);
  owner.store(nullptr);
}

void stop_sampling() {
  const std::lock_guard guard(configuring);
  if (ever_on.load()) sampling::shut_down();
  in_force.store(0, std::memory_order_release);
}

}  // namespace oriel

bool oriel_enable_sampling(oriel_profiler_handle handle) {
  if (!handle) return false;
  oriel_profiler_handle before = nullptr;
  return oriel::owner.compare_exchange_strong(before, handle) || before == handle;
}

// A C caller may hand over any number as the mode; it is refused, and is no fault of ours to a sanitizer.
__attribute__((no_sanitize("undefined"))) bool oriel_set_sample_mode(oriel_profiler_handle handle,
                                                                     oriel_sample_mode mode, uint32_t hz) {
  if (!handle || oriel::owner.load() != handle) return false;
  const bool off = mode == ORIEL_SAMPLE_NONE;
  if (!off && mode != ORIEL_SAMPLE_PROCESS && mode != ORIEL_SAMPLE_REAL) return false;
  if (!off && (hz == 0 || hz > oriel::kMaxHz)) return false;
  if (!oriel::or_else(false, [&] { return oriel::configure(mode, off ? 0 : hz); })) return false;
  oriel::control::wake();
  return true;
}

void oriel_get_sample_mode(oriel_sample_mode* mode, uint32_t* hz) {
  const uint64_t now = oriel::in_force.load(std::memory_order_acquire);
  if (mode) *mode = static_cast<oriel_sample_mode>(now >> 32);
  if (hz) *hz = static_cast<uint32_t>(now);
}

size_t oriel_stack_walk_async_safe(const void* context, uintptr_t* frames, size_t max, bool* truncated) {
  return oriel::sampling::sample_stack(oriel::sample_of(context), frames, max, truncated);
}

size_t oriel_stack_walk_here(const uintptr_t** frames, bool* truncated) {
  oriel::control::want_frame_tables();
  const auto caller = reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
  const oriel::sampling::OwnStack stack = oriel::sampling::walk_own_stack(caller);
  *frames = stack.frames;
  if (truncated) *truncated = stack.truncated;
  return stack.depth;
}

uint32_t oriel_sample_thread_slot(const void* context) {
  return oriel::sampling::sample_slot(oriel::sample_of(context));
}

uint32_t oriel_sample_os_thread(const void* context) {
  return oriel::sampling::sample_os_thread(oriel::sample_of(context));
}

uint64_t oriel_sample_time(const void* context) { return oriel::sampling::sample_time(oriel::sample_of(context)); }

uint32_t oriel_sample_periods(const void* context) {
  return oriel::sampling::sample_periods(oriel::sample_of(context));
}

void oriel_sampling_lost(uint64_t counts[ORIEL_LOST_REASONS]) { oriel::sampling::lost(counts); }

const char* oriel_lost_reason_name(uint32_t reason) {
  static constexpr const char* kNames[] = {"thread-limit", "thread-ended", "nested",    "timer-failed",
                                           "buffer-full",  "stack-broken", "stack-deep"};
  static_assert(std::size(kNames) == ORIEL_LOST_REASONS);
  return reason < std::size(kNames) ? kNames[reason] : "unknown";
}
