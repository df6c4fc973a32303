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
  // One that the runtime has let go of is called by nobody any more.
  static Switchboard* latest = nullptr;
  if (latest != nullptr && latest->is_released()) delete latest;
  latest = new Switchboard(guests ? std::move(*guests) : std::vector<GuestSpec>());
  return latest->query(id, object);
}

}  // namespace oriel::coreclr
