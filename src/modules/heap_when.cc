#include "modules/heap_when.h"

#include <chrono>
#include <csignal>

#include "base/text/time_text.h"
#include "base/text/words.h"
#include "modules/save_when.h"

namespace oriel::modules {

Result<HeapWhen> parse_heap_when(std::string_view text) {
  constexpr std::chrono::seconds kLeastInterval{1};
  const Status unknown = Status::error(
      "snapshots of the heap are taken on-exit, every=60s, on-growth=20%, on-signal=USR2, or by several of these with "
      "'+'");
  HeapWhen when;
  while (!text.empty()) {
    std::string_view value = cut(text, '+');
    const std::string_view name = cut(value, '=');
    if (name == "on-exit" && value.empty()) {
      when.at_end = true;
    } else if (name == "every") {
      const Result<std::chrono::nanoseconds> time = parse_time(value);
      if (!time || *time < kLeastInterval)
        return Status::error("snapshots of the heap are at least 1 s apart: every=60s");
      when.every_ns = static_cast<uint64_t>(time->count());
    } else if (name == "on-growth") {
      const Result<uint32_t> share = parse_percent(value);
      if (!share || *share == 0) return unknown;
      when.growth_percent = *share;
    } else if (name == "on-signal" && (value == "USR1" || value == "USR2")) {
      when.signal = value == "USR1" ? SIGUSR1 : SIGUSR2;
    } else {
      return unknown;
    }
  }
  return when;
}

}  // namespace oriel::modules
