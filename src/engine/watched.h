// Profilers' subscriptions by name: meters, and sources of activities.
#pragma once

#include <string>

namespace oriel {

struct Subscriptions {
  std::string meters;      // "System.Runtime,Microsoft.AspNetCore.*", of all profilers; "" if there is none
  std::string activities;  // sources, likewise

  bool operator==(const Subscriptions&) const = default;
};

// Any thread.
Subscriptions watched();

}  // namespace oriel
