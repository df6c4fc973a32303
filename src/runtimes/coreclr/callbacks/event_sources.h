// Which source an event that the runtime delivers is of. Theirs have the same numbers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

enum class EventSource : uint8_t { kRuntime, kMeters, kActivities, kOther };

inline constexpr char16_t kRuntimeSource[] = u"Microsoft-Windows-DotNETRuntime";
inline constexpr char16_t kMetersSource[] = u"System.Diagnostics.Metrics";
inline constexpr char16_t kActivitiesSource[] = u"Microsoft-Diagnostics-DiagnosticSource";

// UTF-8; "" if the runtime does not say.
std::string name_of_source(uintptr_t provider, ProfilerInfo& info);

class EventSources {
 public:
  // Any thread, several at once. Asks the runtime about the first event of each.
  EventSource of(uintptr_t provider, ProfilerInfo& info);

 private:
  struct Known {
    std::atomic<uintptr_t> provider{0};  // 0: not yet, nor any behind it
    EventSource source = EventSource::kOther;
  };
  std::array<Known, 16> known_;  // more are asked about each time
  std::atomic<size_t> used_{0};
};

}  // namespace oriel::coreclr
