#include "runtimes/mono/gc_safe.h"

#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

using EnterRegion = void* (*)(void**);
using LeaveRegion = void (*)(void*, void**);

// A Mono without them stops threads wherever they are.
EnterRegion enter_function() {
  static const auto found = reinterpret_cast<EnterRegion>(function_named("mono_threads_enter_gc_safe_region"));
  return found;
}
LeaveRegion exit_function() {
  static const auto found = reinterpret_cast<LeaveRegion>(function_named("mono_threads_exit_gc_safe_region"));
  return found;
}

}  // namespace

GcSafe::GcSafe() {
  if (enter_function() && exit_function()) cookie_ = enter_function()(&stack_);
}

GcSafe::~GcSafe() {
  if (enter_function() && exit_function()) exit_function()(cookie_, &stack_);
}

}  // namespace oriel::mono
