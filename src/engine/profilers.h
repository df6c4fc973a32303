// Profilers and their callback slots. The list only grows, so readers need no lock and a handle is never freed.
#pragma once

#include <atomic>

#include "engine/probes.h"
#include "oriel/oriel.h"

struct oriel_profiler_desc {
  oriel_profiler* profiler = nullptr;
  // The module load during which it was made (modules.h), so that a module which refuses to start takes its profilers
  // with it; nullptr for an embedder's.
  const void* load = nullptr;
  std::atomic<oriel_profiler_desc*> next{nullptr};
  std::atomic<oriel_cleanup_cb> cleanup{nullptr};
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  std::atomic<oriel_##name##_cb> name##_cb{nullptr};
#include "oriel/events.def"
#undef ORIEL_EVENT
  // Its callbacks again, as instrumented code finds them: nullptr until first installed, then never again.
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

// The first profiler made, nullptr if none; the rest follow by `next`, in the order in which they were made.
// Async-safe.
oriel_profiler_desc* first_profiler();

// Takes away all callbacks, also cleanup, of the profilers made during that load.
void remove_callbacks_of(const void* load);

// Who may set the sampling mode: the first profiler that asked (sampling_owner.cc).

// Has samples taken as they were last asked for; what goes wrong is said, and then there are none. Not two at a time.
void apply_sample_mode();

// A module refused to start: if a profiler of that load owns sampling, it is off and free again.
void disown_sampling_of(const void* load);

// For the process's end.
void stop_sampling();

}  // namespace oriel
