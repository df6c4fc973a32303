#include "runtimes/coreclr/guests/detach.h"

#include <pthread.h>

#include <ctime>

#include "base/process/own_thread.h"

namespace oriel::coreclr {
namespace {

// On a thread of its own, because the guest that asks may be in one of its callbacks.
void* complete_detach(void* guest_to_go) {
  auto& guest = *static_cast<Guest*>(guest_to_go);
  pthread_setname_np(pthread_self(), "oriel-detach");
  constexpr timespec kWait{0, 20'000'000};
  do nanosleep(&kWait, nullptr);
  while (guest.is_busy());
  guest.notify_detached();
  guest.release();
  return nullptr;
}

}  // namespace

HResult request_detach(Guest& guest) {
  constexpr int kHasCallback3 = 3;
  if (guest.is_starting()) return kNotStartedYet;
  if (guest.version() < kHasCallback3) return kCallback3Required;
  if (guest.has_immutable_flags()) return kImmutableFlagsSet;
  if (guest.did_irreversible()) return kIrreversiblePresent;
  if (!guest.retire()) return kProfilerDetaching;
  pthread_t thread{};
  if (start_own_thread(thread, complete_detach, &guest) != 0) return kFail;
  pthread_detach(thread);
  return kOk;
}

}  // namespace oriel::coreclr
