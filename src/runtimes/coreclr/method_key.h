// A method as metadata has it, which is what owns a body, whatever the method's instantiations.
#pragma once

#include <cstddef>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

struct MethodKey {
  ModuleID module;
  Token token;
  bool operator==(const MethodKey&) const = default;
};

struct MethodKeyHash {
  size_t operator()(const MethodKey& key) const {
    return (key.module >> 4) * 0x9e3779b97f4a7c15u ^ key.token * 0x85ebca6bu;
  }
};

}  // namespace oriel::coreclr
