// How much code was loaded and compiled.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct CodeCount {
  uint32_t process = 0;
  uint64_t images_loaded = 0;
  uint64_t methods_compiled = 0;
  uint64_t compilations = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = CodeCount;
    return describe(Order::kAsTold, Part::kWhole, field<Kind::kProcess>("process", &Row::process, "whose code it is"),
                    field<Kind::kCount>("images_loaded", &Row::images_loaded, "modules"),
                    field<Kind::kCount>("methods_compiled", &Row::methods_compiled, "different methods"),
                    field<Kind::kCount>("compilations", &Row::compilations,
                                        "more than methods where some were compiled again, for another tier"));
  }
};

}  // namespace oriel::profile
