#include "runtimes/coreclr/guests/bodies/validate_changes.h"

#include "runtimes/coreclr/guests/bodies/checked_body.h"

namespace oriel::coreclr {
namespace {

void keep_valid(GuestHost& guest_host, const MethodKey& key) {
  const auto bodies = guest_host.bodies.pending_bodies(key);
  if (!bodies || bodies->sound == bodies->made.size()) return;
  const auto body_before = [&](size_t index) { return index == 0 ? bodies->before : bodies->made[index - 1].body; };
  const std::span<const MadeBody> fresh = std::span(bodies->made).subspan(bodies->sound);
  const size_t sound = bodies->sound + count_valid(*guest_host.runtime, key, body_before(bodies->sound), fresh);
  if (sound < bodies->made.size())
    guest_host.runtime->SetILFunctionBody(Held(), key.module, key.token, body_before(sound).data());
  guest_host.bodies.looked_at(key, bodies->made.size(), sound);
}

}  // namespace

void validate_changes(GuestHost& guest_host, FunctionID function) {
  if (!guest_host.bodies.has_pending_bodies()) return;
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (succeeded(guest_host.runtime->GetFunctionInfo(Held(), function, &klass, &key.module, &key.token)))
    validate_changes(guest_host, key);
}

void validate_changes(GuestHost& guest_host, const MethodKey& key) {
  if (!guest_host.bodies.has_pending_bodies()) return;
  const MethodTurns::Turn turn(guest_host.turns, key);
  keep_valid(guest_host, key);
  if (guest_host.bodies.mark_validated(key) && guest_host.default_changed) guest_host.default_changed(key);
}

void drop_invalid(GuestHost& guest_host, const MethodKey& key) {
  if (guest_host.bodies.has_pending_bodies() && guest_host.turns.is_mine(key)) keep_valid(guest_host, key);
}

}  // namespace oriel::coreclr
