// The other profilers that share the process, as Oriel sees them.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class Company {
 public:
  virtual ~Company() = default;

  // As oriel_guests and oriel_guest_add.
  virtual std::vector<oriel_guest> guests() const = 0;
  virtual Status add(const std::string& description) = 0;
  // What the runtime tells, to whomever.
  virtual EventMask mask_in_force() const = 0;
  // Sets a method's default body under all that guests and Oriel make of the method: they are shown it as the
  // metadata's.
  virtual HResult set_body_for_all(const MethodKey& key, const uint8_t* body) = 0;
};

}  // namespace oriel::coreclr
