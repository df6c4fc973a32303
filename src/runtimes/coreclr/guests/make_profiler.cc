#include "runtimes/coreclr/guests/make_profiler.h"

#include <cstdlib>
#include <utility>

#include "base/guest_list.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/guests/switchboard.h"

namespace oriel::coreclr {

HResult make_profiler(const Guid& id, void** object) {
  const char* const wanted = std::getenv("ORIEL_GUESTS");
  if (wanted == nullptr || *wanted == '\0') return (new Callback)->QueryInterface(id, object);
  Result<std::vector<GuestSpec>> guests = parse_guests(wanted);
  if (guests) return (new Switchboard(std::move(*guests)))->query(id, object);
  warn(("ORIEL_GUESTS, " + guests.message() + "; no other profiler is loaded").c_str());
  return (new Callback)->QueryInterface(id, object);
}

}  // namespace oriel::coreclr
