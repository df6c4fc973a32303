// Events that are delivered by in-process EventPipe sessions: those of the runtime's own source (runtime_source.h), and
// values of meters and activities from managed libraries' sources (managed_event_sources.h). There is one session for
// each kind, so that one can be turned on or off while the others continue.
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
  // What to enable of one source.
  struct Provider {
    std::u16string name;
    uint64_t keywords;
    uint32_t level;
    std::u16string filter;  // "": none

    bool operator==(const Provider&) const = default;
  };

  // `major`: the runtime's version, 0 if it is not known. `before_managed` is called before a session to a managed
  // source begins; it returns why there may be none, or nullptr.
  RuntimeEvents(ProfilerInfo& info, uint16_t major, std::function<const char*()> before_managed);

  // Begins and ends sessions so that these events are delivered. Calls must not overlap. The first session in a running
  // process takes 30 ms, because the runtime initializes its managed part; others take less than 0.1 ms. Events that
  // the runtime cannot report are warned about once. `running`: the program runs, and the caller is the engine's own
  // thread.
  void apply(const std::bitset<oriel_event_number_end>& wanted, const Subscriptions& watched, bool running);

  // Why this runtime does not report an event that comes by sessions; nullptr if it does. Any thread; async-safe.
  const char* obstacle(uint32_t event) const;

 private:
  // What one session is to have; no providers: it is to be off.
  struct SessionRequest {
    EventGroup kind;
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
  std::vector<SessionRequest> session_requests(const std::bitset<oriel_event_number_end>& wanted,
                                               const Subscriptions& watched) const;
  void turn(SessionRequest& request, Session& session, bool running);
  std::string why_not(const SessionRequest& request) const;
  HResult start(const std::vector<Provider>& providers, uint64_t& session, bool running);
  bool is_too_old_for(const EventGroup& kind) const { return major_ != 0 && major_ < kind.since; }

  ProfilerInfo& info_;
  const uint16_t major_;
  const std::function<const char*()> before_managed_;
  std::vector<TooOld> too_old_;
  std::vector<Session> sessions_;  // one for each request
};

// Whether any of an event's sources is a session. Any thread.
bool comes_by_sessions(uint32_t event);

}  // namespace oriel::coreclr
