// Events of the runtime's own tracing that are ours.
#include "base/kept_errno.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/allocation_sampling.h"
#include "runtimes/coreclr/callbacks/callback.h"

namespace oriel::coreclr {

// On the thread that allocates, before it has the object. The class is asked about later: the thread runs managed code.
HResult Callback::EventPipeEventDelivered(uintptr_t, uint32_t event, uint32_t, uint32_t, const uint8_t*, uint32_t size,
                                          const uint8_t* fields, const Guid*, const Guid*, ThreadID, uint32_t,
                                          uintptr_t*) {
  const KeptErrno kept;
  return guarded([&] {
    if (event != kAllocationSampled || !is_wanted(oriel_event_gc_allocation_sampled) || fields == nullptr) return;
    const auto allocation = read_sampled_allocation({fields, size});
    if (!allocation) return;
    oriel_class* known = find_class(allocation->klass);
    raise_gc_allocation_sampled(known != nullptr ? known : intern_class(allocation->klass), allocation->size,
                                allocation->represented);
  });
}

}  // namespace oriel::coreclr
