#include "runtimes/coreclr/asked_elsewhere.h"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "base/process/own_thread.h"
#include "engine/engine.h"
#include "oriel/oriel.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

class Asker {
 public:
  HResult ask(AskedQuestion question) {
    Asked asked{question};
    std::unique_lock lock(lock_);
    if (!ensure_started()) return kUnsupportedCallSequence;
    waiting_.push_back(&asked);
    changed_.notify_all();
    changed_.wait(lock, [&] { return asked.answered; });
    return asked.answer;
  }

 private:
  struct Asked {
    AskedQuestion question;
    HResult answer = kUnsupportedCallSequence;
    bool answered = false;
  };

  bool ensure_started() {
    if (started_ || failed_) return started_;
    pthread_t thread{};
    started_ = start_own_thread(thread, run, this) == 0;
    failed_ = !started_;
    if (failed_)
      warn(
          "cannot start the thread that looks up names for callbacks that may block; these get no names; raise the "
          "limit on threads (ulimit -u)");
    return started_;
  }

  static void* run(void* asker) {
    pthread_setname_np(pthread_self(), "oriel-asks");
    oriel_thread_attach_tools();
    static_cast<Asker*>(asker)->answer_all();
    return nullptr;
  }

  // No lock is held while the runtime is asked.
  void answer_all() {
    std::unique_lock lock(lock_);
    for (;;) {
      changed_.wait(lock, [&] { return !waiting_.empty(); });
      Asked& next = *waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      const HResult answer = next.question.ask(next.question.question);
      lock.lock();
      next.answer = answer;
      next.answered = true;
      changed_.notify_all();
    }
  }

  std::mutex lock_;  // guards the next
  std::condition_variable changed_;
  std::deque<Asked*> waiting_;
  bool started_ = false, failed_ = false;
};

Asker& asker() {
  static auto* const made = new Asker;
  return *made;
}

bool may_be_asked_elsewhere() {
  const PerThreadState* const own = per_thread_state_if_any();
  return own != nullptr && own->may_be_asked_elsewhere;
}

}  // namespace

// They nest only if a callback runs managed code, which none does.
AskedElsewhere::AskedElsewhere() : own_(per_thread_state()) {
  if (own_ != nullptr) own_->may_be_asked_elsewhere = true;
}

AskedElsewhere::~AskedElsewhere() {
  if (own_ != nullptr) own_->may_be_asked_elsewhere = false;
}

HResult ask_elsewhere(AskedQuestion asked) {
  return may_be_asked_elsewhere() ? asker().ask(asked) : kUnsupportedCallSequence;
}

}  // namespace oriel::coreclr
