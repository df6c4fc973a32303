#include "runtimes/mono/heap/collector_threads.h"

#include <algorithm>
#include <string>

#include "base/files/descriptor.h"
#include "sampling/signal/proc.h"

namespace oriel::mono {
namespace {

constexpr const char* kCollectorThread = "SGen worker";

std::string name_of(uint32_t thread) {
  std::string name = system_text("/proc/self/task/" + std::to_string(thread) + "/comm");
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

}  // namespace

CollectorThreads::CollectorThreads() {
  sampling::TaskList tasks;
  while (const uint32_t thread = tasks.is_open() ? tasks.next() : 0)
    if (name_of(thread) == kCollectorThread) threads_.push_back(thread);
}

bool CollectorThreads::are_idle() const {
  return std::ranges::all_of(threads_, [](uint32_t thread) {
    sampling::BlockedAt at;
    return sampling::read_thread_state(thread, at) != sampling::ThreadState::kRuns;
  });
}

}  // namespace oriel::mono
