#include "engine/hits/hit_methods.h"

#include <algorithm>

#include "base/clock.h"
#include "engine/code_editor.h"
#include "engine/hits/covered_table.h"
#include "engine/lifecycle.h"

namespace oriel::hits {
namespace {

// A starting program compiles much, and most code that ran by then never runs again, so recompiling can wait.
constexpr uint64_t kFirst = 1'500'000'000, kThen = 2'000'000'000, kMost = 30'000'000'000;  // nanoseconds

uint64_t due = 0, pause = kThen;  // used on the engine's thread only

CodeEditor* code_editor() {
  Runtime* const runtime = current_runtime();
  return runtime ? runtime->code_editor() : nullptr;
}

}  // namespace

void remove_hit_probes() {
  const uint64_t now = clock_monotonic_ns();
  if (due == 0) due = now + kFirst;
  if (now < due || is_ending()) return;
  const FewerProbes found = methods_needing_fewer_probes();
  CodeEditor* const editor = code_editor();
  const bool any = !found.clear.empty() || !found.compile_anew.empty();
  if (editor && any) editor->update_probes(found.compile_anew, found.clear);
  pause = any ? kThen : std::min(pause * 2, kMost);
  due = now + pause;
}

void restore_probes() {
  const std::vector<oriel_method*> methods = methods_to_restore();
  CodeEditor* const editor = code_editor();
  if (editor && !methods.empty()) editor->update_probes(methods, {});
}

}  // namespace oriel::hits
