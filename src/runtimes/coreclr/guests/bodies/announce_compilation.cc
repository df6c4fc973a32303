#include "runtimes/coreclr/guests/bodies/announce_compilation.h"

#include "runtimes/coreclr/guests/any_function.h"
#include "runtimes/coreclr/native_code.h"

namespace oriel::coreclr {
namespace {

// No compilation of the method was observed. If not all compilations were, the runtime must also have no code for it.
bool never_had_code(House& house, FunctionID function) {
  const bool all_heard = (house.masks.always_in_force().low & kMonitorJitCompilation) != 0;
  return all_heard || code_versions(*house.runtime.get(), function, 0).empty();
}

template <CallbackSlot Slot, typename... Arguments>
void tell(House& house, uint32_t guests, Arguments... arguments) {
  for (Guest* guest : house.guests())
    if ((guests & guest->bit()) != 0) guest->call<Slot>(arguments...);
}

}  // namespace

void tell_first(House& house, uint32_t asked, const MethodKey& key) {
  if (!house.firsts.is_new(key)) return;
  FirstCompilations::Told told;
  for (const Guest* guest : house.guests())
    if (!guest->is_oriel() && (asked & guest->bit()) == 0 && guest->hears(CallbackSlot::kJITCompilationStarted))
      told.guests |= guest->bit();
  if (told.guests != 0) told.function = any_function(*house.runtime.get(), key);
  if (told.function == 0 || !never_had_code(house, told.function)) told = {};
  house.firsts.told(key, told);
  constexpr Bool kSafeToBlock = 1;
  tell<CallbackSlot::kJITCompilationStarted>(house, told.guests, told.function, kSafeToBlock);
}

void tell_first_ended(House& house, const MethodKey& key, HResult status) {
  const FirstCompilations::Told told = house.firsts.version_ends(key);
  constexpr Bool kSafeToBlock = 1;
  tell<CallbackSlot::kJITCompilationFinished>(house, told.guests, told.function, status, kSafeToBlock);
}

}  // namespace oriel::coreclr
