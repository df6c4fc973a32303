// What comes by events: of the runtime's own source its sampling of allocations (.NET 10), which needs no probes, the
// phases of collections, waits for locks; of managed libraries' sources values of meters, and activities. They come by
// in-process EventPipe sessions, one for each kind, so that what is on goes on while another is turned on or off.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/watched.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

class RuntimeEvents {
 public:
  // What to turn on of one source.
  struct Provider {
    std::u16string name;
    uint64_t keywords;
    uint32_t level;
    std::u16string filter;  // "": none

    bool operator==(const Provider&) const = default;
  };
  // A kind: where it comes from, none if nothing of it is wanted; our events that are made of it; what it is, the
  // runtime's version that tells it first, and what to do with one before that.
  struct Row {
    std::vector<Provider> (*providers)(const Watched& watched);
    std::initializer_list<uint32_t> events;
    const char* what;
    uint16_t since;
    const char* instead = "";
  };
  static constexpr size_t kSessions = 6;

  // `major`: the runtime's version, 0 if it does not tell. `before_managed` is called before a session to a source of
  // managed code begins.
  RuntimeEvents(ProfilerInfo& info, uint16_t major, std::function<void()> before_managed);

  // Begins and ends sessions so that these events are heard. Not two calls at a time. The first session of a process
  // that runs already takes 30 ms, as the runtime makes its managed part ready; others take less than 0.1 ms. What the
  // runtime cannot tell is said once. `running`: the program runs, and this is the engine's own thread.
  void apply(const std::bitset<oriel_event_number_end>& wanted, const Watched& watched, bool running);

 private:
  struct Session {
    uint64_t id = 0;
    std::vector<Provider> providers;  // none: it is off
    bool said_refused = false;
  };
  void turn(const Row& row, Session& session, std::vector<Provider> providers, bool running);
  HResult start(const std::vector<Provider>& providers, uint64_t& session, bool running);

  ProfilerInfo& info_;
  const uint16_t major_;
  const std::function<void()> before_managed_;
  std::array<Session, kSessions> sessions_;
};

// The events' numbers; what reads their fields tells nothing if they are not what they should be.
inline constexpr uint32_t kGcStarted = 1;
inline constexpr uint32_t kHeapStats = 4;
inline constexpr uint32_t kFinalizersEnd = 13;
inline constexpr uint32_t kFinalizersBegin = 14;
inline constexpr uint32_t kPoolAdjusted = 55;
inline constexpr uint32_t kContentionStart = 81;
inline constexpr uint32_t kContentionStop = 91;
inline constexpr uint32_t kMarkWithType = 202;
inline constexpr uint32_t kHeapHistory = 204;
inline constexpr uint32_t kGlobalHeapHistory = 205;
inline constexpr uint32_t kAllocationSampled = 303;

struct SampledAllocation {
  ClassID klass;
  ObjectID object;  // its address, where it has no class yet
  uint64_t size;
  uint64_t represented;  // bytes allocated that it stands for
};
std::optional<SampledAllocation> read_sampled_allocation(std::span<const uint8_t> fields);

struct Marked {
  uint32_t heap;
  oriel_gc_roots roots;
  uint64_t promoted;
};
std::optional<Marked> read_marked(std::span<const uint8_t> fields);

struct PoolAdjusted {
  uint32_t threads;
  oriel_pool_reason reason;
};
std::optional<PoolAdjusted> read_pool_adjusted(std::span<const uint8_t> fields);

struct PhaseTimes {  // nanoseconds, as oriel_event_gc_phases has them
  bool background = false;
  uint64_t roots = 0;
  uint64_t weak = 0;
  uint64_t finalization = 0;
  uint64_t plan = 0;
  uint64_t relocate = 0;
  uint64_t compact = 0;
  uint64_t sweep = 0;
};
std::optional<PhaseTimes> read_phase_times(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
