// Guests' sessions to the runtime's event pipe. The callback does not name a session: the runtime makes one call for
// each session that an event matches, all with the same arguments, one after the other on the event's thread.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

// Keywords and level of an event, from the beginning of its metadata.
struct EventKind {
  uint64_t keywords = 0;  // none: delivered for any keywords
  uint32_t level = 0;     // 0: delivered for any level
};
EventKind kind_of_event(std::span<const uint8_t> metadata);

// Identifies an event while it is delivered.
struct DeliveredEvent {
  uintptr_t provider = 0;
  uint32_t number = 0;
  const uint8_t* fields = nullptr;
  EventKind kind;
};

class EventSessions {
 public:
  explicit EventSessions(ProfilerInfo& runtime) : runtime_(runtime) {}

  // `wanted` is called once, before the first session to a managed source begins, or at once if one has begun already.
  void before_managed(const std::function<void()>& wanted);

  // Like the runtime's functions of these names, for one guest.
  HResult start(const Guest& guest, uint32_t count, EventPipeProviderConfig* providers, Bool rundown,
                uint64_t* session);
  HResult add(uint64_t session, const EventPipeProviderConfig& provider);
  HResult stop(uint64_t session);

  // The guest is out: ends its sessions. On a thread that may wait.
  void leave_out(const Guest& guest);
  bool has_any_of(const Guest& guest);

  // The bit of the guest that this call of the runtime is for; each of several calls for an event is for a different
  // session. 0: for none.
  uint32_t next_session_guest(const DeliveredEvent& event);

  // The runtime has a new provider, which guests are notified of next.
  void provider_created(uintptr_t provider);

 private:
  // A provider of the runtime; constant. `made` is its time of creation, counted in providers; 0: before all sessions.
  struct Provider {
    std::u16string name;
    uint64_t made = 0;
  };
  struct Asked {
    std::u16string name;
    uint64_t keywords = 0;
    uint32_t level = 0;
    uint64_t added = 0;  // 0: with the session's begin

    bool is_for_all() const;
  };
  struct Session {
    uint64_t number = 0;  // the runtime's number
    uint32_t guest = 0;   // its bit
    std::vector<Asked> asked;
    uint64_t began = 0;
    bool ending = false;

    bool wants(const Provider& provider, const EventKind& kind) const;
  };
  // An event of which not all calls have come.
  struct Delivery {
    std::thread::id thread;
    uintptr_t provider;
    uint32_t number;
    const uint8_t* fields;
    auto operator<=>(const Delivery&) const = default;
  };
  void announce_managed_session();
  std::shared_ptr<const Provider> provider_of(uintptr_t provider);
  void sessions_changed();
  Session* find(uint64_t number);
  size_t next_of(const Delivery& delivery, size_t sessions);

  ProfilerInfo& runtime_;
  std::atomic<uint32_t> only_session_guest_{0};  // the session's guest if there is only one session; else 0
  std::mutex lock_;                              // guards all of the following; nothing is called under it
  std::function<void()> before_managed_;
  bool managed_session_announced_ = false;
  std::vector<Session> sessions_;
  uint64_t next_provisional_ = UINT64_MAX;
  uint64_t now_ = 0;                                                // the number of providers created
  std::map<uintptr_t, std::shared_ptr<const Provider>> providers_;  // by the runtime's ids
  std::map<Delivery, size_t> deliveries_;                           // the number of calls so far
};

}  // namespace oriel::coreclr
