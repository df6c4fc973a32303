// Whether a thread is in the kernel, as its stack tells.
#pragma once

#include <cstdint>
#include <string_view>

namespace oriel::modules {

// Whether a thread whose next instruction is there is in the kernel for a system call, or on its way into one or back.
// Only the libraries that make such calls are looked at. Reads a file; not async-safe.
bool is_system_call(std::string_view library, uintptr_t address);

}  // namespace oriel::modules
