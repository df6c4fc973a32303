#include "runtimes/coreclr/guests/create_profiler.h"

#include <cstdlib>
#include <utility>

#include "base/process/guest_list.h"
#include "engine/engine.h"
#include "runtimes/coreclr/guests/child_starts.h"
#include "runtimes/coreclr/guests/switchboard.h"

namespace oriel::coreclr {

HResult create_profiler(const Guid& id, void** object) {
  redirect_child_starts();
  const char* const wanted = std::getenv("ORIEL_GUESTS");
  Result<std::vector<GuestSpec>> guests = guests_of(wanted ? wanted : "");
  if (!guests) warn(("ORIEL_GUESTS, " + guests.message() + "; no other profiler is loaded").c_str());
  return (new Switchboard(guests ? std::move(*guests) : std::vector<GuestSpec>()))->query(id, object);
}

}  // namespace oriel::coreclr
