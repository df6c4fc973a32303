// The records of a jitdump file, by which `perf inject --jit` learns of generated code: Linux's
// tools/perf/Documentation/jitdump-specification.txt. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace oriel::jitdump {

// What the file begins with. Times are of CLOCK_MONOTONIC, in nanoseconds, as `perf record -k mono` has them.
std::string header(uint32_t process, uint64_t time_ns);

struct CompiledCode {
  uint32_t process = 0, thread = 0;
  uint64_t time_ns = 0;
  uint64_t number = 0;  // unlike that of any other code in the file
  uint64_t address = 0;
  std::span<const uint8_t> bytes;
  std::string_view name;  // cut at a zero byte
};
std::string load_record(const CompiledCode& code);

// The last record of a complete file.
std::string close_record(uint64_t time_ns);

}  // namespace oriel::jitdump
