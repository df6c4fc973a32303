#include "report/words/known_locks.h"

#include <algorithm>
#include <iterator>

namespace oriel::report {
namespace {

constexpr KnownLock kKnownLocks[] = {
    {"Logging.Console.LogMessageEntry", "the console log's queue",
     "One thread writes the queue to the console: log less in hot code (Logging:LogLevel in the settings; EF Core logs "
     "each command at Information), or log to a file or a collector."},
};

}  // namespace

const KnownLock* known_lock(std::string_view type) {
  const auto found = std::ranges::find_if(
      kKnownLocks, [&](const KnownLock& lock) { return type.find(lock.type_has) != std::string_view::npos; });
  return found == std::end(kKnownLocks) ? nullptr : &*found;
}

}  // namespace oriel::report
