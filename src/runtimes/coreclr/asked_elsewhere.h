// The runtime answers little to a thread that runs managed code and is in none of its callbacks: names, sizes and
// metadata it refuses it (CORPROF_E_UNSUPPORTED_CALL_SEQUENCE). Probes whose callbacks may block have these questions
// asked by a thread of ours that runs no managed code, and wait for the answer. Those that may not block get none.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

struct OfThread;

inline constexpr HResult kUnsupportedCallSequence = static_cast<HResult>(0x80131363);

// While one lives on a thread its questions may be asked elsewhere: it is in preemptive mode, and holds nothing that an
// answer needs.
class AskedElsewhere {
 public:
  AskedElsewhere();
  ~AskedElsewhere();
  AskedElsewhere(const AskedElsewhere&) = delete;
  AskedElsewhere& operator=(const AskedElsewhere&) = delete;

 private:
  OfThread* const own_;
};

// A question on another thread: what to call, with what.
struct AskedQuestion {
  HResult (*ask)(const void* question);
  const void* question;
};
// Asks on the other thread, which is started with the first question, and waits. What keeps the asker's ids alive does
// so meanwhile. kUnsupportedCallSequence where the calling thread has no AskedElsewhere, and where there is no other
// thread, which is said once.
HResult ask_elsewhere(AskedQuestion asked);

// What the runtime answers to the question, wherever it is asked.
template <typename Question>
HResult answer_to(const Question& question) {
  const HResult answer = question();
  if (__builtin_expect(answer != kUnsupportedCallSequence, 1)) return answer;
  return ask_elsewhere({[](const void* asked) { return (*static_cast<const Question*>(asked))(); }, &question});
}

}  // namespace oriel::coreclr
