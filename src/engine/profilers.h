// Profilers and their callback slots. The list only grows, so readers need no lock, and handles are never freed.
#pragma once

#include <atomic>

#include "engine/probes.h"
#include "oriel/oriel.h"

struct oriel_profiler_desc {
  oriel_profiler* profiler = nullptr;
  // The module load that made it (modules.h), so that a module which declines to start loses its profilers; nullptr for
  // an embedder's.
  const void* load = nullptr;
  std::atomic<oriel_profiler_desc*> next{nullptr};
  std::atomic<oriel_cleanup_cb> cleanup{nullptr};
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  std::atomic<oriel_##name##_cb> name##_cb{nullptr};
#include "oriel/events.def"
#undef ORIEL_EVENT
  // Its callbacks in the form for instrumented code: nullptr until first installed, then never again.
  oriel::ProbeTarget probe_targets[oriel::kProbes];
  std::atomic<oriel_call_instrumentation_filter_cb> call_filter{nullptr};
  std::atomic<oriel_allocation_filter_cb> allocation_filter{nullptr};
  std::atomic<oriel_allocation_filter_cb> full_allocation_filter{nullptr};
  std::atomic<oriel_coverage_filter_cb> coverage_filter{nullptr};
  std::atomic<oriel_image_filter_cb> image_filter{nullptr};
  std::atomic<oriel_rewrite_filter_cb> rewrite_filter{nullptr};
  std::atomic<oriel_rewriter_cb> rewriter{nullptr};
};

namespace oriel {

// The first profiler, nullptr if none; the others follow by `next`, in order of creation. Async-safe.
oriel_profiler_desc* first_profiler();

// Removes all callbacks, also cleanup, of the profilers made during that load.
void remove_callbacks_of(const void* load);

// The owner of the sampling mode: the first profiler that asked (sampling_owner.cc).

// Applies the sampling mode last set; a failure is reported and turns sampling off. Never concurrently.
void apply_sample_mode();
// At which part of the rate its owner has samples taken now: 1, or less to keep within a budget. Any thread; lock-free.
double sampling_pace();

// A module declined to start: if a profiler of that load owns sampling, sampling stops and has no owner.
void disown_sampling_of(const void* load);

// For the process's end.
void stop_sampling();

}  // namespace oriel
