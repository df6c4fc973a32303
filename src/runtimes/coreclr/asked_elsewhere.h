// Questions to the runtime, asked on another thread. The runtime refuses names, sizes and metadata to a thread that
// runs managed code and is in none of its callbacks (CORPROF_E_UNSUPPORTED_CALL_SEQUENCE). Probes whose callbacks may
// block have a thread of Oriel's, which runs no managed code, ask these questions, and wait for the answer. Probes
// whose callbacks may not block get no answer.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

struct PerThreadState;

inline constexpr HResult kUnsupportedCallSequence = static_cast<HResult>(0x80131363);

// While one exists on a thread, the thread's questions may be asked elsewhere: the thread is in preemptive mode and
// holds nothing that an answer needs.
class AskedElsewhere {
 public:
  AskedElsewhere();
  ~AskedElsewhere();
  AskedElsewhere(const AskedElsewhere&) = delete;
  AskedElsewhere& operator=(const AskedElsewhere&) = delete;

 private:
  PerThreadState* const own_;
};

// A question for another thread: a function and its argument.
struct AskedQuestion {
  HResult (*ask)(const void* question);
  const void* question;
};
// Asks on the other thread, which the first question starts, and waits for the answer. Whatever keeps the caller's ids
// valid must do so until then. Returns kUnsupportedCallSequence if the calling thread has no AskedElsewhere, or if the
// other thread could not be started, which is reported once.
HResult ask_elsewhere(AskedQuestion asked);

// The runtime's answer to the question, on whichever thread it can be asked.
template <typename Question>
HResult answer_to(const Question& question) {
  const HResult answer = question();
  if (__builtin_expect(answer != kUnsupportedCallSequence, 1)) return answer;
  return ask_elsewhere({[](const void* asked) { return (*static_cast<const Question*>(asked))(); }, &question});
}

}  // namespace oriel::coreclr
