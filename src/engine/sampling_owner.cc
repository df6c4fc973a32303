
#include <atomic>
#include <mutex>

#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/lifecycle.h"
#include "engine/profilers.h"
#include "sampling/sampling.h"
#include "sampling/walk/stack_walk.h"

namespace oriel {
namespace {

constinit std::atomic<oriel_profiler_handle> owner{nullptr};
constinit std::atomic<uint64_t> wanted{0};  // mode << 32 | Hz, as last set
constinit std::atomic<bool> ever_on{false};
constinit uint64_t in_force = 0;  // likewise; guarded by the next
constinit std::mutex configuring;
constexpr uint32_t kFullPace = 1000;
constinit oriel_pace pace{kFullPace, 0, 0};  // guarded by the next
constinit std::mutex pacing;
constinit std::atomic<uint32_t> thousandths{kFullPace};  // pace.pace, for those who must not wait

void on_sample(const sampling::Sample& sample) {
  raise_sample_hit(reinterpret_cast<const void*>(sample.ip), static_cast<const void*>(&sample));
}

uint64_t packed(oriel_sample_mode mode, uint32_t hz) { return uint64_t{mode} << 32 | hz; }
oriel_sample_mode mode_of(uint64_t setting) { return static_cast<oriel_sample_mode>(setting >> 32); }
uint32_t hz_of(uint64_t setting) { return static_cast<uint32_t>(setting); }

sampling::Error configure(uint64_t setting) {
  if (mode_of(setting) != ORIEL_SAMPLE_NONE) ever_on.store(true);
  if (const Runtime* runtime = current_runtime()) sampling::share_signal(runtime->signal_to_share());
  return sampling::configure(mode_of(setting), hz_of(setting), on_sample);
}

const sampling::Sample& sample_of(const void* context) { return *static_cast<const sampling::Sample*>(context); }

}  // namespace

void apply_sample_mode() {
  const std::lock_guard guard(configuring);
  uint64_t setting = wanted.load(std::memory_order_acquire);
  if (setting == in_force || is_ending()) return;
  const sampling::Error error = configure(setting);
  in_force = error ? packed(ORIEL_SAMPLE_NONE, 0) : setting;
  if (!error) return;
  warn(error);
  // If it was set again meanwhile, that is tried next.
  wanted.compare_exchange_strong(setting, in_force);
}

void disown_sampling_of(const void* load) {
  const oriel_profiler_handle handle = owner.load();
  if (!handle || handle->load != load) return;
  oriel_set_sample_mode(handle, ORIEL_SAMPLE_NONE, 0);
  const oriel_pace full{kFullPace, 0, 0};
  oriel_set_sampling_pace(handle, &full);
  owner.store(nullptr);
}

double sampling_pace() {
  return static_cast<double>(thousandths.load(std::memory_order_relaxed)) / static_cast<double>(kFullPace);
}

void stop_sampling() {
  const std::lock_guard guard(configuring);
  if (ever_on.load()) sampling::shut_down();
  wanted.store(0, std::memory_order_release);
}

}  // namespace oriel

bool oriel_enable_sampling(oriel_profiler_handle handle) {
  if (!handle) return false;
  oriel_profiler_handle before = nullptr;
  return oriel::owner.compare_exchange_strong(before, handle) || before == handle;
}

// A C caller may pass any number as the mode; it is refused, and must not trip a sanitizer.
__attribute__((no_sanitize("undefined"))) bool oriel_set_sample_mode(oriel_profiler_handle handle,
                                                                     oriel_sample_mode mode, uint32_t hz) {
  if (!handle || oriel::owner.load() != handle) return false;
  const bool off = mode == ORIEL_SAMPLE_NONE;
  if (mode < ORIEL_SAMPLE_NONE || mode > ORIEL_SAMPLE_PROCESS_AND_WAITS) return false;
  if (!off && (hz == 0 || hz > ORIEL_MAX_SAMPLE_HZ)) return false;
  if (oriel::is_ending()) return false;
  oriel::wanted.store(oriel::packed(mode, off ? 0 : hz), std::memory_order_release);
  oriel::engine_thread::wake();
  return true;
}

bool oriel_get_sample_mode(oriel_profiler_handle handle, oriel_sample_mode* mode, uint32_t* hz) {
  const uint64_t now = oriel::wanted.load(std::memory_order_acquire);
  if (mode) *mode = oriel::mode_of(now);
  if (hz) *hz = oriel::hz_of(now);
  return handle && oriel::owner.load() == handle;
}

bool oriel_set_sampling_pace(oriel_profiler_handle handle, const oriel_pace* wanted) {
  if (!handle || !wanted || oriel::owner.load() != handle) return false;
  if (wanted->pace == 0 || wanted->pace > oriel::kFullPace) return false;
  const oriel_pace now = *wanted;
  bool is_new = false;
  {
    const std::lock_guard guard(oriel::pacing);
    is_new = oriel::pace.pace != now.pace;
    oriel::pace = now;
    if (is_new) oriel::sampling::set_pace(now.pace);
    oriel::thousandths.store(now.pace, std::memory_order_relaxed);
  }
  if (is_new) oriel::raise_sampling_paced(now.pace, now.used, now.limit);
  return true;
}

void oriel_get_sampling_pace(oriel_pace* pace) {
  const std::lock_guard guard(oriel::pacing);
  *pace = oriel::pace;
}

uint64_t oriel_sampling_time(void) { return oriel::sampling::time_in_samples(); }

size_t oriel_stack_walk_async_safe(const void* context, uintptr_t* frames, size_t max, bool* truncated) {
  return oriel::sampling::sample_stack(oriel::sample_of(context), frames, max, truncated);
}

size_t oriel_stack_walk_here(const uintptr_t** frames, bool* truncated) {
  oriel::engine_thread::want_frame_tables();
  const auto caller = reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
  const oriel::sampling::OwnStack stack = oriel::sampling::walk_own_stack(caller);
  *frames = stack.frames;
  if (truncated) *truncated = stack.truncated;
  return stack.depth;
}

uint32_t oriel_sample_thread_slot(const void* context) { return oriel::sample_of(context).slot; }

uint32_t oriel_sample_os_thread(const void* context) { return oriel::sample_of(context).os_thread; }

uint64_t oriel_sample_time(const void* context) { return oriel::sample_of(context).time; }

uint32_t oriel_sample_periods(const void* context) { return oriel::sample_of(context).periods; }

bool oriel_sample_in_page_fault(const void* context) { return oriel::sample_of(context).in_page_fault; }

bool oriel_sample_is_waiting(const void* context) { return oriel::sample_of(context).waits; }

oriel_method* oriel_sample_compiled_method(const void* context, bool* again) {
  bool had_code = false;
  const oriel::Runtime* const runtime = oriel::current_runtime();
  oriel_method* method = nullptr;
  if (runtime && !oriel::sample_of(context).waits) method = runtime->compiled_method(&had_code);
  if (again) *again = method && had_code;
  return method;
}

void oriel_sampling_lost(uint64_t counts[ORIEL_LOST_REASONS]) { oriel::sampling::lost(counts); }

void oriel_sampling_looks(uint64_t* rounds, uint64_t* ns) {
  const oriel::sampling::Looks looks = oriel::sampling::looks();
  if (rounds) *rounds = looks.rounds;
  if (ns) *ns = looks.ns;
}

uint64_t oriel_sampling_ready_ns(void) { return oriel::sampling::ready_ns(); }

const char* oriel_lost_reason_name(uint32_t reason) {
  static constexpr const char* kNames[] = {
#define ORIEL_LOST(symbol, name, what, words) name,
#define ORIEL_LOST_IN_LOG(symbol, name, what, words)
#include "oriel/lost.def"
#undef ORIEL_LOST
#undef ORIEL_LOST_IN_LOG
  };
  return reason < std::size(kNames) ? kNames[reason] : "unknown";
}
