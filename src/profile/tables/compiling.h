// Samples that met the JIT compiler.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct Compiling {
  int64_t ns = 0;
  uint32_t thread = 0;
  uint32_t function = 0;
  bool again = false;
  uint64_t periods = 1;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kRows, field<Kind::kTime>("at", &Compiling::ns, "when it was taken"),
                    field<Kind::kThread>("thread", &Compiling::thread, "which thread compiled"),
                    field<Kind::kFunction>("method", &Compiling::function, "the compiled method"),
                    field<Kind::kFlag>("again", &Compiling::again, "the method had code before"),
                    field<Kind::kCount>("periods", &Compiling::periods, "how many sampling periods it stands for"));
  }
};

}  // namespace oriel::profile
