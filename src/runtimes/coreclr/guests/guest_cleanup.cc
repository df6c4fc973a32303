#include "runtimes/coreclr/guests/guest_cleanup.h"

#include <pthread.h>

#include <memory>

#include "base/process/own_thread.h"

namespace oriel::coreclr {
namespace {

struct Leaving {
  GuestHost& guest_host;
  const Guest& guest;
};

void* clear_up(void* leaving) {
  const std::unique_ptr<Leaving> one(static_cast<Leaving*>(leaving));
  pthread_setname_np(pthread_self(), "oriel-leave");
  try {
    one->guest_host.events.leave_out(one->guest);
    one->guest_host.rejits.leave_out(one->guest);
  } catch (...) {
    // No memory for the lists: its versions stay.
  }
  return nullptr;
}

}  // namespace

void clean_up_after(GuestHost& guest_host, const Guest& guest) {
  if (!guest_host.events.has_any_of(guest) && !guest_host.rejits.has_any_of(guest)) return;
  auto leaving = std::make_unique<Leaving>(Leaving{guest_host, guest});
  pthread_t thread{};
  if (start_own_thread(thread, clear_up, leaving.get()) != 0) return;
  static_cast<void>(leaving.release());  // belongs to the thread now
  pthread_detach(thread);
}

}  // namespace oriel::coreclr
