// What comes by events: of the runtime's own source (runtime_source.h) and of managed libraries' ones values of meters,
// and activities (managed_event_sources.h). They come by in-process EventPipe sessions, one for each kind, so that what
// is on goes on while another is turned on or off.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/watched.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/callbacks/runtime_source.h"
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

  // `major`: the runtime's version, 0 if it does not tell. `before_managed` is called before a session to a source of
  // managed code begins.
  RuntimeEvents(ProfilerInfo& info, uint16_t major, std::function<void()> before_managed);

  // Begins and ends sessions so that these events are heard. Not two calls at a time. The first session of a process
  // that runs already takes 30 ms, as the runtime makes its managed part ready; others take less than 0.1 ms. What the
  // runtime cannot tell is said once. `running`: the program runs, and this is the engine's own thread.
  void apply(const std::bitset<oriel_event_number_end>& wanted, const Watched& watched, bool running);

  // Why this runtime does not tell of an event that comes by sessions; nullptr if it does. Any thread; async-safe.
  const char* obstacle(uint32_t event) const;

 private:
  // What one session is to have; no providers: it is to be off.
  struct Wish {
    ToldKind kind;
    std::vector<Provider> providers;
  };
  struct Session {
    uint64_t id = 0;
    std::vector<Provider> providers;  // none: it is off
    bool said_refused = false;
  };
  struct TooOld {
    uint32_t event;
    std::string text;
  };
  std::vector<Wish> wishes(const std::bitset<oriel_event_number_end>& wanted, const Watched& watched) const;
  void turn(Wish& wish, Session& session, bool running);
  HResult start(const std::vector<Provider>& providers, uint64_t& session, bool running);
  bool is_too_old_for(const ToldKind& kind) const { return major_ != 0 && major_ < kind.since; }

  ProfilerInfo& info_;
  const uint16_t major_;
  const std::function<void()> before_managed_;
  std::vector<TooOld> too_old_;
  std::vector<Session> sessions_;  // one for each wish
};

// Whether an event of ours is made of what sessions bring. Any thread.
bool comes_by_sessions(uint32_t event);

}  // namespace oriel::coreclr
