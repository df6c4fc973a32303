#include "engine/coverage/hit_methods.h"

#include <algorithm>

#include "base/clock.h"
#include "engine/coverage/covered_table.h"
#include "engine/lifecycle.h"
#include "runtimes/code_editor.h"

namespace oriel::coverage {
namespace {

// A program that begins has more to compile than what it ran already, and most of that it never runs again.
constexpr uint64_t kFirst = 1'500'000'000, kThen = 2'000'000'000, kMost = 30'000'000'000;  // nanoseconds

uint64_t due = 0, pause = kThen;  // the thread's own

void compile_anew(const std::vector<oriel_method*>& methods) {
  Runtime* const runtime = current_runtime();
  CodeEditor* const editor = runtime ? runtime->code_editor() : nullptr;
  if (editor && !methods.empty()) editor->probe_anew(methods);
}

}  // namespace

void take_probes_from_hit_methods() {
  const uint64_t now = clock_monotonic_ns();
  if (due == 0) due = now + kFirst;
  if (now < due || is_ending()) return;
  const std::vector<oriel_method*> methods = methods_with_less_to_tell();
  compile_anew(methods);
  pause = methods.empty() ? std::min(pause * 2, kMost) : kThen;
  due = now + pause;
}

void give_probes_back() { compile_anew(methods_to_probe_again()); }

}  // namespace oriel::coverage
