#include "runtimes/coreclr/guests/settle.h"

#include "runtimes/coreclr/guests/checked_body.h"

namespace oriel::coreclr {

void settle(House& house, FunctionID function) {
  if (!house.bodies.has_unchecked()) return;
  ClassID klass = 0;
  MethodKey key{0, 0};
  if (succeeded(house.runtime->GetFunctionInfo(function, &klass, &key.module, &key.token))) settle(house, key);
}

void settle(House& house, const MethodKey& key) {
  if (!house.bodies.has_unchecked()) return;
  const UncheckedBodies bodies = house.bodies.take_unchecked(key);
  if (bodies.made.empty()) return;
  const size_t sound = count_sound(*house.runtime.get(), key, bodies.before, bodies.made);
  if (sound < bodies.made.size()) {
    const std::span<const uint8_t> last = sound == 0 ? bodies.before : bodies.made[sound - 1].body;
    house.runtime->SetILFunctionBody(key.module, key.token, last.data());
    house.bodies.set(key, last);
  }
  if (house.default_changed) house.default_changed(key);
}

}  // namespace oriel::coreclr
