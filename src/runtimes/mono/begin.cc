#include "runtimes/mono/begin.h"

#include <string>

#include "base/process/own_environment.h"
#include "base/process/selected_process.h"
#include "base/redact/redact.h"
#include "engine/filters.h"
#include "engine/modules.h"
#include "runtimes/mono/gc_safe.h"
#include "runtimes/mono/heap/snapshot.h"
#include "runtimes/mono/mono_runtime.h"
#include "runtimes/mono/sudden_end.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

MonoRuntime* the_runtime = nullptr;  // lives as long as the process

// Mono tells its profilers newest first. Others take themselves down when the runtime ends, and Mono's own log profiler
// fails if it hears of a collection after that, which a snapshot of the heap needs. So Oriel ends before them: by a
// profiler made after all that were named to Mono.
void end_before_others() {
  set_callback(api.mono_profiler_create(nullptr), "runtime_shutdown_end", on_runtime_shutdown_end);
}

// Mono's interpreter runs methods without code of their own, and tells of calls that exceptions leave now and then
// only.
void say_if_interpreted() {
  const auto* const is_interpreted = static_cast<const int*>(function_named("mono_use_interpreter"));
  if (is_interpreted && *is_interpreted != 0)
    warn(
        "Mono interprets the program (--interpreter): samples do not show its methods, not all of its calls are "
        "counted, and coverage finds nothing");
}

void start(const void* caller) {
  if (!is_selected_process() || the_runtime) return;
  if (const std::string missing = find_functions(caller); !missing.empty()) {
    warn(
        ("this Mono has no function " + missing + ": the program runs without Oriel, which works with Mono 6").c_str());
    return;
  }
  read_wanted_modules();
  redacts();  // reads the environment now, because it must not be read later
  the_runtime = new MonoRuntime;
  the_runtime->apply({});  // what is heard in any case
  prepare_snapshots();
  hear_of_sudden_end(caller);
  set_instrumentation_possible();
  engine_start(*the_runtime);
}

}  // namespace

void begin(const void* caller) noexcept {
  guarded([&] { start(caller); });
  guarded([] { take_own_environment_out(); });
}

void on_runtime_initialized(MonoProfiler*) {
  guarded([] {
    the_runtime->started();
    end_before_others();
    end_is_sudden(true);
    say_if_interpreted();
    raise_runtime_initialized();
  });
}

void on_runtime_shutdown_begin(MonoProfiler*) {
  guarded([] {
    end_is_sudden(false);
    raise_runtime_shutdown_begin();
  });
}

// Mono can be asked for names until this returns, and its heap be walked.
void on_runtime_shutdown_end(MonoProfiler*) {
  guarded([] {
    if (the_runtime->has_ended()) return;  // told twice
    {
      const GcSafe while_others_work;
      engine_stop();
    }
    the_runtime->ended();
    forbid_questions();
    unload::wait_for_questions();  // of Oriel's threads that still run
  });
}

}  // namespace oriel::mono
