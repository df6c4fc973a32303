// Oriel's view of the other profilers in the process.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class OtherProfilers {
 public:
  virtual ~OtherProfilers() = default;

  // As oriel_guests and oriel_guest_add.
  virtual std::vector<oriel_guest> guests() const = 0;
  virtual Status add(const std::string& description) = 0;
  // The event mask that the runtime has, for all profilers together.
  virtual EventMask mask_in_force() const = 0;
  // Sets a method's default body below the changes of guests and of Oriel, who see it as the body in the metadata.
  virtual HResult set_body_for_all(const MethodKey& key, const uint8_t* body) = 0;
};

}  // namespace oriel::coreclr
