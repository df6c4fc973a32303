#include "runtimes/coreclr/unavailable_events.h"

#include "oriel/oriel.h"

namespace oriel::coreclr {

const char* why_unavailable(uint32_t event) {
  switch (event) {
    case oriel_event_domain_unloading:
    case oriel_event_domain_unloaded:
      return "CoreCLR's one application domain is never unloaded: listen to runtime_shutdown_begin";
    case oriel_event_image_failed:
    case oriel_event_class_failed:
    case oriel_event_jit_failed:
      return "CoreCLR throws an exception instead, without the image, class or method: listen to exception_throw";
    default:
      return nullptr;
  }
}

}  // namespace oriel::coreclr
