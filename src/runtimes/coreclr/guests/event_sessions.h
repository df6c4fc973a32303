// Which events guests asked the runtime's event pipe for. Its callback tells of no session: whose an event is, only its
// provider, keywords and level tell.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"

namespace oriel::coreclr {

// Keywords and level of an event, as its metadata begins with them.
struct EventKind {
  uint64_t keywords = 0;
  uint32_t level = 0;  // 0: told whatever level was asked for
};
EventKind kind_of_event(std::span<const uint8_t> metadata);

class EventSessions {
 public:
  explicit EventSessions(ProfilerInfo& runtime) : runtime_(runtime) {}

  // As the runtime's functions of these names, for one guest.
  HResult start(const Guest& guest, uint32_t count, EventPipeProviderConfig* providers, Bool rundown,
                uint64_t* session);
  HResult add(uint64_t session, const EventPipeProviderConfig& provider);
  HResult stop(uint64_t session);

  // Bits of the guests that asked for it.
  uint32_t askers(uintptr_t provider, const EventKind& kind);

 private:
  struct Provider {
    std::u16string name;
    uint64_t keywords = 0;
    uint32_t level = 0;
  };
  struct Session {
    uint32_t guest = 0;  // its bit
    std::vector<Provider> providers;
  };
  std::u16string name_of(uintptr_t provider);

  ProfilerInfo& runtime_;
  std::mutex lock_;  // the next two; nobody is called under it
  std::map<uint64_t, Session> sessions_;
  std::map<uintptr_t, std::u16string> names_;  // of providers
};

}  // namespace oriel::coreclr
