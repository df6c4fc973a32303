#include "runtimes/mono/followed.h"

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/followed_objects.h"
#include "runtimes/mono/weak_handles.h"

namespace oriel::mono {
namespace {

// Never destroyed.
MonoWeakHandles& handles() {
  static auto* const made = new MonoWeakHandles;
  return *made;
}
FollowedObjects& followed() {
  static auto* const made = new FollowedObjects(handles());
  return *made;
}

void raise(const FollowedObjects::Found& found) {
  for (const uint32_t number : found.gone) raise_gc_followed_gone(number);
  if (found.part != 0) raise_gc_followed_part(found.part);
}

uintptr_t address_of(MonoObject* object) { return reinterpret_cast<uintptr_t>(object); }

}  // namespace

void follow_objects(bool on) { followed().turn(on); }

uint32_t follow(MonoObject* object, uint64_t size) {
  return followed().is_on() ? followed().follow(address_of(object), size) : 0;
}
uint32_t follow_chosen(MonoObject* object, uint64_t size) { return followed().follow_pinned(address_of(object), size); }

// A thread that was stopped while it followed an object may wait for the collection's end, which waits for this.
bool look_after_collection(bool all) {
  if (!followed().is_on()) return true;
  const FollowedObjects::Found found = followed().look(all, clock_monotonic_ns(), FollowedObjects::IfBusy::kLookLater);
  raise(found);
  return !found.was_busy;
}

void domain_goes(MonoDomain* domain) {
  handles().domain_goes(domain);
  if (followed().is_on()) raise(followed().let_go([&](uintptr_t handle) { return handles().is_in(handle, domain); }));
}

void domain_is_gone(MonoDomain* domain) { handles().domain_is_gone(domain); }

}  // namespace oriel::mono
