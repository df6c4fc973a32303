#include "runtimes/coreclr/heap/helper_thread.h"

#include <ctime>
#include <exception>
#include <utility>

#include "base/process/own_thread.h"
#include "oriel/oriel.h"

namespace oriel::coreclr {

HelperThread::HelperThread(std::function<bool()> work) : work_(std::move(work)) {
  if (start_own_thread(thread_, run, this) == 0) stack_.wait(0);
}

HelperThread::~HelperThread() {
  ends_ = true;
  if (stack_ != 0) pthread_join(thread_, nullptr);
}

void* HelperThread::run(void* self) {
  pthread_setname_np(pthread_self(), "oriel-names");
  oriel_thread_attach_tools();
  auto& its = *static_cast<HelperThread*>(self);
  its.stack_ = reinterpret_cast<uintptr_t>(&self);
  its.stack_.notify_all();
  try {
    its.work_until_ended();
  } catch (const std::exception&) {
  }
  return nullptr;
}

void HelperThread::work_until_ended() {
  constexpr timespec kNap{0, 1'000'000};
  while (!ends_)
    if (!work_()) nanosleep(&kNap, nullptr);
}

}  // namespace oriel::coreclr
