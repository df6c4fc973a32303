// The log module's callbacks: what the program's threads do with an event or a sample. Only appends to buffers.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>

#include "oriel/oriel.h"
#include "sample_rings.h"

namespace oriel::logging {

struct Recorder {
  SampleRings rings;
  std::atomic<uint64_t> events_lost{0};
};

// Makes `profiler` listen to the events whose numbers are set.
void listen(oriel_profiler_handle profiler, const std::bitset<256>& events);
// Takes every callback away again, but for the cleanup.
void stop_listening(oriel_profiler_handle profiler);

}  // namespace oriel::logging

// What the engine passes back to the callbacks.
struct oriel_profiler {
  oriel::logging::Recorder recorder;
};
