#include "runtimes/coreclr/guests/bodies/validate_changes.h"

#include "runtimes/coreclr/guests/bodies/checked_body.h"

namespace oriel::coreclr {
namespace {

void keep_sound(House& house, const MethodKey& key) {
  const auto bodies = house.bodies.unsettled(key);
  if (!bodies || bodies->sound == bodies->made.size()) return;
  const auto body_before = [&](size_t index) { return index == 0 ? bodies->before : bodies->made[index - 1].body; };
  const std::span<const MadeBody> fresh = std::span(bodies->made).subspan(bodies->sound);
  const size_t sound = bodies->sound + count_sound(*house.runtime.get(), key, body_before(bodies->sound), fresh);
  if (sound < bodies->made.size())
    house.runtime->SetILFunctionBody(Held(), key.module, key.token, body_before(sound).data());
  house.bodies.looked_at(key, bodies->made.size(), sound);
}

}  // namespace

void settle(House& house, FunctionID function) {
  if (!house.bodies.has_unsettled()) return;
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (succeeded(house.runtime->GetFunctionInfo(Held(), function, &klass, &key.module, &key.token))) settle(house, key);
}

void settle(House& house, const MethodKey& key) {
  if (!house.bodies.has_unsettled()) return;
  const MethodTurns::Turn turn(house.turns, key);
  keep_sound(house, key);
  if (house.bodies.settled(key) && house.default_changed) house.default_changed(key);
}

void drop_unsound(House& house, const MethodKey& key) {
  if (house.bodies.has_unsettled() && house.turns.is_mine(key)) keep_sound(house, key);
}

}  // namespace oriel::coreclr
