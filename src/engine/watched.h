// Profilers' subscriptions by name: meters, and sources of activities.
#pragma once

#include <string>

namespace oriel {

struct Watched {
  std::string meters;      // "System.Runtime,Microsoft.AspNetCore.*", of all profilers; "" if there is none
  std::string activities;  // sources, likewise

  bool operator==(const Watched&) const = default;
};

// Any thread.
Watched watched();

}  // namespace oriel
