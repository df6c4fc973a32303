// The event mask that the runtime has, made of what the engine needs and what each plug-in and hook asks for.
#pragma once

#include <map>
#include <mutex>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/guest.h"

namespace oriel::plugins {

using com::HResult;
using coreclr::EventMask;

// Any thread.
class Masks {
 public:
  // When what may be asked for: some only while the runtime starts, and some never of one that came later.
  enum class Phase : uint8_t { kStarting, kAttaching, kRunning };

  // Without these callbacks plug-ins could not be told what they are.
  static constexpr EventMask kNeeded = {coreclr::kMonitorAppDomainLoads | coreclr::kMonitorAssemblyLoads |
                                            coreclr::kMonitorModuleLoads | coreclr::kMonitorJitCompilation |
                                            coreclr::kEnableReJit,
                                        0};

  explicit Masks(coreclr::UngatedProfilerInfo& runtime) : runtime_(runtime) {}

  void begin(Phase phase);
  // All that came meanwhile is told to the runtime; from now on changes are told at once.
  HResult run();

  // `owner`: whoever asks; an address that is nobody else's. The runtime's answer, or what it would answer.
  HResult add(const void* owner, const EventMask& more);
  HResult set(const void* owner, const EventMask& wanted);
  // It is gone, but for what holds until the process ends.
  void remove(const void* owner);

  // Of all together.
  EventMask all();

 private:
  EventMask all_held() const;  // under lock_
  HResult refusal(const EventMask& wanted) const;
  HResult put(const void* owner, const EventMask& wanted);

  coreclr::UngatedProfilerInfo& runtime_;
  std::mutex lock_;  // all of the following; the runtime calls nobody back from SetEventMask2
  Phase phase_ = Phase::kStarting;
  bool is_attached_ = false;
  EventMask kept_ = kNeeded;
  std::map<const void*, EventMask> parts_;
};

}  // namespace oriel::plugins
