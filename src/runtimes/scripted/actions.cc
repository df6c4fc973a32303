#include "runtimes/scripted/actions.h"

#include <cstdlib>
#include <ctime>

#include "base/clock.h"
#include "engine/engine.h"

namespace oriel::scripted {
namespace {

bool has(const Action& action, const char* key) { return action.options.contains(key); }

const std::string& option(const Action& action, const char* key) {
  static const std::string none;
  const auto it = action.options.find(key);
  return it == action.options.end() ? none : it->second;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Ends the list that methods pass on: `list` then points at the time to spin.
void spin_at_end(void* const* list) { spin(reinterpret_cast<uintptr_t>(*list)); }

Status unwind(ScriptedRuntime& runtime, const Action& action) {
  for (const std::string& name : split(option(action, "through"))) {
    const Result<Thing*> method = need(runtime, action, Kind::kMethod, name);
    if (!method) return method.status();
    raise_exception_unwind(method_of(**method));
  }
  return Status::ok();
}

void raise_phases(uint32_t generation, bool before) {
  static constexpr oriel_gc_event kBefore[] = {ORIEL_GC_PRE_STOP_WORLD, ORIEL_GC_POST_STOP_WORLD, ORIEL_GC_START};
  static constexpr oriel_gc_event kAfter[] = {ORIEL_GC_END, ORIEL_GC_PRE_START_WORLD, ORIEL_GC_POST_START_WORLD};
  for (const oriel_gc_event phase : before ? kBefore : kAfter) raise_gc_event(phase, generation, true);
}

}  // namespace

Result<uint64_t> number_of(const Action& action, const std::string& key, uint64_t fallback) {
  const auto it = action.options.find(key);
  if (it == action.options.end()) return fallback;
  char* end = nullptr;
  const uint64_t value = strtoull(it->second.c_str(), &end, 0);
  if (it->second.empty() || *end) return error_of(action, key + "=" + it->second + " is no number");
  return value;
}

Status error_of(const Action& action, const std::string& what) {
  return Status::error("line " + std::to_string(action.line) + ": " + action.verb + ": " + what);
}

Result<Thing*> need(ScriptedRuntime& runtime, const Action& action, Kind kind, const std::string& name) {
  Thing* const thing = runtime.world().find(kind, name);
  if (!thing) return error_of(action, "'" + name + "' is not loaded");
  return thing;
}

Status compile(ScriptedRuntime& runtime, const Action& action) {
  const Result<Thing*> found = need(runtime, action, Kind::kMethod, action.words[0]);
  const Result<uint64_t> at = number_of(action, "at", 0), size = number_of(action, "size", kCodeSize);
  if (!found || !at || !size) return !found ? found.status() : !at ? at.status() : size.status();
  Thing& method = **found;
  const bool heard = action.verb == "jit" && runtime.needs().code_map;
  if (action.verb == "jit") raise_jit_begin(method_of(method));
  if (has(action, "fail")) {
    raise_jit_failed(method_of(method));
    return Status::ok();
  }
  const CodeBlock block = runtime.world().add_code(method, *at, *size);
  if (block.size == 0) return error_of(action, "there is no room for its code");
  if (heard) code_added(method_of(method), block.start, block.size);
  if (action.verb == "jit") {
    raise_jit_done(method_of(method), reinterpret_cast<const void*>(block.start), uint64_t{block.size});
  }
  return Status::ok();
}

Status free_code(ScriptedRuntime& runtime, const Action& action) {
  const Result<Thing*> method = need(runtime, action, Kind::kMethod, action.words[0]);
  if (!method) return method.status();
  oriel_method* const record = method_of(**method);
  before_unload(record);
  raise_method_free(record);
  const std::vector<CodeBlock> blocks = runtime.world().remove_code(**method);
  code_removed(record);
  runtime.world().release_code(blocks);
  return Status::ok();
}

Status throw_exception(ScriptedRuntime& runtime, const Action& action) {
  const Result<Thing*> klass = need(runtime, action, Kind::kClass, action.words[0]);
  if (!klass) return klass.status();
  auto* const object = reinterpret_cast<oriel_object*>(class_of_thing(**klass));
  raise_exception_throw(object);
  if (Status status = unwind(runtime, action); !status) return status;
  if (!has(action, "caught")) return Status::ok();
  const Result<Thing*> catcher = need(runtime, action, Kind::kMethod, option(action, "caught"));
  if (!catcher) return catcher.status();
  raise_exception_clause(method_of(**catcher), ORIEL_CLAUSE_CATCH, object, ORIEL_NO_CLAUSE_INDEX);
  return Status::ok();
}

Status collect(ScriptedRuntime&, const Action& action) {
  static std::mutex one_at_a_time;  // suspensions do not overlap, and events are raised in order
  static uint32_t collections = 0;
  const Result<uint64_t> asked = number_of(action, "generation", 0);
  if (!asked) return asked.status();
  const auto generation = static_cast<uint32_t>(*asked);
  const std::lock_guard guard(one_at_a_time);
  const uint64_t begun = clock_monotonic_ns();
  raise_suspend_begin(ORIEL_SUSPEND_GC);
  raise_suspend_end(ORIEL_SUSPEND_GC);
  raise_phases(generation, true);
  raise_gc_begin(++collections, generation, has(action, "induced") ? ORIEL_GC_REASON_INDUCED : ORIEL_GC_REASON_OTHER);
  raise_gc_end(collections, generation);
  raise_phases(generation, false);
  raise_resume_begin(ORIEL_SUSPEND_GC);
  raise_resume_end(ORIEL_SUSPEND_GC, clock_monotonic_ns() - begun);
  return Status::ok();
}

Status run_methods(ScriptedRuntime& runtime, const Action& action) {
  const Result<uint64_t> milliseconds = number_of(action, "ms", 10);
  if (!milliseconds) return milliseconds.status();
  std::vector<void*> list;
  for (const std::string& name : action.words) {
    const Result<Thing*> method = need(runtime, action, Kind::kMethod, name);
    if (!method) return method.status();
    const uintptr_t start = runtime.world().code_of(**method);
    CodeBlock block;
    if (!start || !runtime.world().method_at(start, block) || !block.real) {
      return error_of(action, "'" + name + "' has no real code; jit it without at=");
    }
    list.push_back(reinterpret_cast<void*>(start));
  }
  list.push_back(reinterpret_cast<void*>(&spin_at_end));
  list.push_back(reinterpret_cast<void*>(static_cast<uintptr_t>(*milliseconds)));
  reinterpret_cast<Code>(list[0])(list.data() + 1);
  return Status::ok();
}

Status resolve(ScriptedRuntime& runtime, const Action& action) {
  const std::string& what = action.words[0];
  char* end = nullptr;
  uintptr_t address = strtoull(what.c_str(), &end, 0);
  if (*end) {
    const Result<Thing*> method = need(runtime, action, Kind::kMethod, what);
    if (!method) return method.status();
    address = runtime.world().code_of(**method);
  }
  oriel_frame frame;
  oriel_resolve_address(address, oriel_clock(), &frame);
  const std::string found = frame.kind == ORIEL_FRAME_MANAGED ? oriel_method_short_name(frame.method) : "none";
  const std::string& expected = option(action, "expect");
  if (expected.empty() || found == expected || found == expected + "()") return Status::ok();
  return error_of(action, what + " is " + found + ", not " + expected);
}

Status ask_whether_trivial(ScriptedRuntime& runtime, const Action& action) {
  const Result<Thing*> method = need(runtime, action, Kind::kMethod, action.words[0]);
  if (!method) return method.status();
  const std::string found = oriel_method_is_trivial(method_of(**method)) ? "yes" : "no";
  if (found == action.words[1]) return Status::ok();
  return error_of(action, "whether " + action.words[0] + " is trivial: " + found + ", not " + action.words[1]);
}

void spin(uint64_t milliseconds) {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const uint64_t end =
      static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000 + milliseconds;
  uint64_t at = 0;
  do {
    for (int i = 0; i < 1000; ++i) asm volatile("");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    at = static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
  } while (at < end);
}

}  // namespace oriel::scripted
