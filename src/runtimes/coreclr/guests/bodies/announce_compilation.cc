#include "runtimes/coreclr/guests/bodies/announce_compilation.h"

#include "runtimes/coreclr/guests/any_function.h"
#include "runtimes/coreclr/native_code.h"

namespace oriel::coreclr {
namespace {

// No compilation of the method was observed. If not all compilations were, the runtime must also have no code for it.
bool never_had_code(GuestHost& guest_host, FunctionID function) {
  const bool all_heard = (guest_host.masks.always_in_force().low & kMonitorJitCompilation) != 0;
  return all_heard || code_versions(*guest_host.runtime, function, 0).empty();
}

template <CallbackSlot Slot, typename... Arguments>
void tell(GuestHost& guest_host, uint32_t guests, Arguments... arguments) {
  for (Guest* guest : guest_host.guests())
    if ((guests & guest->bit()) != 0) guest->call<Slot>(arguments...);
}

}  // namespace

void announce_compilation(GuestHost& guest_host, uint32_t asked, const MethodKey& key) {
  if (!guest_host.firsts.is_new(key)) return;
  FirstCompilations::Told told;
  for (const Guest* guest : guest_host.guests())
    if (!guest->is_oriel() && (asked & guest->bit()) == 0 && guest->receives(CallbackSlot::kJITCompilationStarted))
      told.guests |= guest->bit();
  if (told.guests != 0) told.function = any_function(*guest_host.runtime, key);
  if (told.function == 0 || !never_had_code(guest_host, told.function)) told = {};
  guest_host.firsts.told(key, told);
  constexpr Bool kSafeToBlock = 1;
  tell<CallbackSlot::kJITCompilationStarted>(guest_host, told.guests, told.function, kSafeToBlock);
}

void announce_compilation_end(GuestHost& guest_host, const MethodKey& key, HResult status) {
  const FirstCompilations::Told told = guest_host.firsts.version_ends(key);
  constexpr Bool kSafeToBlock = 1;
  tell<CallbackSlot::kJITCompilationFinished>(guest_host, told.guests, told.function, status, kSafeToBlock);
}

}  // namespace oriel::coreclr
