// Gathers samples in memory that a signal handler may write: what the tests of sampling look at.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <functional>
#include <vector>

#include "sampling/sampling.h"

namespace oriel::sampling::testing {

struct Taken {
  std::atomic<uint32_t> os_thread;  // written last: 0 while the sample is being taken
  uintptr_t ip;
  uint32_t slot;
  uint32_t periods;
  uint32_t depth;
  bool truncated;
  bool in_page_fault;
  bool waits;
  uintptr_t frames[ORIEL_MAX_FRAMES];
};

// Forgets all samples; keeps the stacks of the next ones only if told so.
void clear_samples(bool with_stacks = false);

// The handler to configure sampling with.
void collect(const Sample& sample);

// Samples since clear_samples, oldest first; at most kMaxTaken are kept.
inline constexpr size_t kMaxTaken = 16384;
size_t sample_count();
const Taken& sample_at(size_t index);

// Periods of all samples, or of one thread's; of these, those of its waits.
uint64_t total_periods();
uint64_t periods_of(uint32_t os_thread);
uint64_t waits_of(uint32_t os_thread);

// CPU time of the calling thread, of the process; time that passes.
int64_t thread_cpu_ns();
int64_t wall_ns();

// Keeps the calling thread busy until it used so much CPU time.
void burn_cpu(int64_t ns);

// How many samples come in a time is nothing to rely on: a machine that is busy or stalls gives few, which then stand
// for more periods each. Tests wait for what they need. Both of these give up after 30 s of CPU time.

// Keeps the calling thread busy until the condition holds; whether it does.
bool burn_until(const std::function<bool()>& condition);

// Keeps the calling thread busy until its samples stand for all its CPU time since its clock said `since_ns`, to within
// two periods: one that has just begun, and one for the phase that is drawn at random. Whether they do.
bool samples_catch_up(int64_t since_ns, uint32_t hz);

// Whether the manager knows the thread.
bool is_found(uint32_t os_thread);

// ThreadSanitizer hands signals over when the program makes its next call, and forbids threads in a forked child.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kSignalsComeLate = true;
#else
inline constexpr bool kSignalsComeLate = false;
#endif

// configure() refuses while a handler takes longer than its patience, as on a machine that stalls: asks again then.
Error configure_patiently(oriel_sample_mode mode, uint32_t hz, SampleHandler handler);

// Turns sampling on for a scope.
class Sampling {
 public:
  Sampling(oriel_sample_mode mode, uint32_t hz, bool with_stacks = false);
  ~Sampling();
  Error error() const { return error_; }

 private:
  Error error_;
};

}  // namespace oriel::sampling::testing
