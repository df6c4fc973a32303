// The processor's number in ELF files.
#pragma once

#include <elf.h>

namespace oriel {

inline constexpr int kOwnMachine = EM_AARCH64;

}  // namespace oriel
