// Starts guests: those that are there from the start, Oriel among them, and those that are added later.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/process/guest_list.h"
#include "runtimes/coreclr/guests/guest_host.h"
#include "runtimes/coreclr/other_profilers.h"

namespace oriel::coreclr {

class Callback;

// Destroyed only when the runtime has let go of Oriel, which uses it until then.
class GuestLoader final : public OtherProfilers {
 public:
  explicit GuestLoader(GuestHost& guest_host) : guest_host_(guest_host) {}
  ~GuestLoader() override;

  // While the runtime starts. False: it could not be started, which was reported.
  bool start(const GuestSpec& spec);
  // Starts Oriel, as the last guest.
  bool start_own(bool alone);
  // Starts Oriel, alone, in a program that runs already. Returns its answer to InitializeForAttach.
  HResult attach_own(void* data, uint32_t size);

  std::vector<oriel_guest> guests() const override;
  Status add(const std::string& description) override;
  EventMask mask_in_force() const override { return guest_host_.masks.in_force(); }
  HResult set_body_for_all(const MethodKey& key, const uint8_t* body) override {
    return guest_host_.runtime->SetILFunctionBody(Held(), key.module, key.token, body);
  }

 private:
  Guest& enter_own();
  void own_has_come(bool alone);
  Guest& enter(const GuestSpec& spec, Guest::Kind kind, LoadedGuest loaded);
  bool initialize(Guest& guest);
  Status begin_to_add(const GuestSpec& spec);
  Status load_and_attach(const GuestSpec& spec);
  Status attach(Guest& guest);

  GuestHost& guest_host_;
  Callback* own_ = nullptr;
  std::mutex adding_;                  // guards the next, and guests' late start; no guest is called under it
  std::set<std::string> being_added_;  // class ids
};

}  // namespace oriel::coreclr
