// The runtime's event mask: the union of what the engine needs and what each plug-in and hook enables.
#pragma once

#include <map>
#include <mutex>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/guest.h"

namespace oriel::plugins {

using com::HResult;
using coreclr::EventMask;

// Any thread.
class EventMasks {
 public:
  // When which bits may be set: some only while the runtime starts, some never by a profiler that was attached.
  enum class Phase : uint8_t { kStarting, kAttaching, kRunning };

  // Callbacks that the engine itself needs to serve plug-ins.
  static constexpr EventMask kNeeded = {coreclr::kMonitorAppDomainLoads | coreclr::kMonitorAssemblyLoads |
                                            coreclr::kMonitorModuleLoads | coreclr::kMonitorJitCompilation |
                                            coreclr::kEnableReJit,
                                        0};

  explicit EventMasks(coreclr::UngatedProfilerInfo& runtime) : runtime_(runtime) {}

  void begin(Phase phase);
  // Sets the mask collected so far; later changes take effect immediately.
  HResult run();

  // `owner` is an address that identifies the caller. Returns the runtime's result, or the one that it would give.
  HResult add(const void* owner, const EventMask& more);
  HResult set(const void* owner, const EventMask& wanted);
  // The owner is gone. Bits that hold until the process ends stay set.
  void remove(const void* owner);

  // The union for all owners.
  EventMask all();

 private:
  EventMask all_held() const;  // under lock_
  HResult refusal(const EventMask& wanted) const;
  HResult put(const void* owner, const EventMask& wanted);

  coreclr::UngatedProfilerInfo& runtime_;
  std::mutex lock_;  // guards all of the following; the runtime calls nothing back in SetEventMask2
  Phase phase_ = Phase::kStarting;
  bool is_attached_ = false;
  EventMask kept_ = kNeeded;
  std::map<const void*, EventMask> parts_;
};

}  // namespace oriel::plugins
