#include "plugins/entry_profiler.h"

#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/object_pins.h"

namespace oriel::plugins {

using coreclr::CallbackSlot;
using coreclr::PinnedMeanwhile;

HResult EntryProfiler::query(const Guid& id, void** object) {
  if (object == nullptr) return kInvalidArgument;
  bool is_ours = id == kIUnknownId;
  for (const coreclr::InterfaceVersion& version : coreclr::kCallbackVersions) is_ours |= version.id == id;
  *object = is_ours ? this : nullptr;
  if (!is_ours) return kNoInterface;
  add_reference();
  return kOk;
}

HResult EntryProfiler::answer(coreclr::SlotTag<CallbackSlot::kExceptionThrown>, ObjectID exception) {
  const bool until_caught = engine_.leaves_exceptions_unprotected();
  if (until_caught) coreclr::exception_thrown(engine_.runtime(), exception, coreclr::this_place());
  const PinnedMeanwhile pinned(engine_.runtime(), until_caught || !engine_.has_pins() ? 0 : exception);
  return tell<CallbackSlot::kExceptionThrown>(exception);
}

HResult EntryProfiler::answer(coreclr::SlotTag<CallbackSlot::kExceptionCatcherEnter>, FunctionID function,
                              ObjectID exception) {
  const bool until_caught = engine_.leaves_exceptions_unprotected();
  const PinnedMeanwhile pinned(engine_.runtime(), until_caught || !engine_.has_pins() ? 0 : exception);
  const HResult result = tell<CallbackSlot::kExceptionCatcherEnter>(function, exception);
  if (until_caught) coreclr::exception_caught_from(coreclr::this_place());
  return result;
}

}  // namespace oriel::plugins
