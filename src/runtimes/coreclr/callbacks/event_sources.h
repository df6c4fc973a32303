// Which source a delivered event comes from. Event numbers of different sources overlap.
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
  // Any thread, several at once. Asks the runtime at the first event of each source.
  EventSource of(uintptr_t provider, ProfilerInfo& info);

 private:
  struct Known {
    std::atomic<uintptr_t> provider{0};  // 0: not known yet, and none behind it is
    EventSource source = EventSource::kOther;
  };
  std::array<Known, 16> known_;  // sources beyond these are asked about each time
  std::atomic<size_t> used_{0};
};

}  // namespace oriel::coreclr
