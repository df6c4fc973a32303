// The log module: writes what happens to a file while the program runs. Its parts: options, recorder (callbacks on the
// program's threads), event_buffer and sample_rings (on the way), log_file with names and stack_tree (into the file).

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "call_buffer.h"
#include "log/event.h"
#include "log_file.h"
#include "module/module.h"
#include "module/process_info.h"
#include "module/worker.h"
#include "options.h"
#include "recorder.h"

namespace oriel::logging {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushEvery{200};
constexpr milliseconds kDrainAtMost{100};
constexpr milliseconds kDrainAtLeast{2};
constexpr milliseconds kWaitAtExit{2'000};

// Lives as long as the process: callbacks may still run while it exits.
struct Module {
  oriel_profiler profiler;
  oriel_profiler_handle handle = nullptr;
  Options options;
  std::unique_ptr<LogFile> file;
  pid_t pid = 0;
  bool given_up = false;
  modules::Worker writer;
  // The writer's own.
  bool awaits_locks = false;
  bool awaits_pauses = false;
  bool hears_allocations = false;
  milliseconds pause{20};
  std::chrono::steady_clock::time_point flushed = std::chrono::steady_clock::now();
};
Module* module = nullptr;

// The log cannot be written any more: says so once and leaves the program alone from now on.
void give_up(const char* message) {
  module->given_up = true;
  stop_listening(module->handle);
  oriel_warn(message);
  try {
    oriel_set_sample_mode(module->handle, ORIEL_SAMPLE_NONE, module->options.hz);
  } catch (...) {  // samples go on into rings that nobody empties: they are dropped
  }
}

// Drains often while the rings fill fast, seldom while little happens.
milliseconds next_pause(milliseconds pause, unsigned fullest_percent) {
  if (fullest_percent >= 100) return kDrainAtLeast;
  if (fullest_percent > 30) return std::max(pause / 2, kDrainAtLeast);
  return fullest_percent < 10 ? std::min(pause + milliseconds(5), kDrainAtMost) : pause;
}

// The runtime takes its time to tell of locks, which a program without waits for them need not pay.
void hear_of_locks_when_seen() {
  if (!module->awaits_locks || !module->file->saw_lock_wait()) return;
  module->awaits_locks = false;
  listen_to_locks(module->handle);
}

// Nor to tell how collections go, where they take no time.
void hear_of_phases_when_paused() {
  constexpr uint64_t kMuch = 100'000'000;  // nanoseconds
  if (!module->awaits_pauses || module->profiler.recorder.gc_paused_ns.load(std::memory_order_relaxed) < kMuch) return;
  module->awaits_pauses = false;
  listen_to_phases(module->handle);
}

// Nor what is allocated, where all of it goes again.
void hear_of_allocations_while_heap_grows() {
  if (!module->options.allocations_when_grown || module->hears_allocations == module->file->heap_grows()) return;
  module->hears_allocations = module->file->heap_grows();
  listen_to_allocations(module->handle, module->hears_allocations);
}

// Takes what the threads have left; tells when to come again.
Result<milliseconds> write_some() {
  const bool urgent = module->profiler.recorder.urgent.exchange(false);
  module->pause = next_pause(module->pause, module->file->drain());
  hear_of_locks_when_seen();
  hear_of_phases_when_paused();
  hear_of_allocations_while_heap_grows();
  if (urgent || module->file->wants_flush() || std::chrono::steady_clock::now() - module->flushed >= kFlushEvery) {
    if (Status status = module->file->flush(); !status) return status;
    module->flushed = std::chrono::steady_clock::now();
  }
  return module->pause;
}

// The writer's work.
milliseconds write() {
  constexpr milliseconds kNever{-1};
  try {
    const Result<milliseconds> pause = write_some();
    if (pause) return *pause;
    give_up((pause.message() + "; the log ends here, the program runs on").c_str());
  } catch (...) {
    give_up("log: out of memory; the log ends here, the program runs on");
  }
  return kNever;
}

// What the user asked for and did not get.
void say_complaints() {
  const Recorder& recorder = module->profiler.recorder;
  if (!recorder.calls && !recorder.async && !recorder.allocations) return;
  if (!oriel_instrumentation_possible()) {
    oriel_warn("log: calls, awaits and allocations cannot be logged in this process: its code cannot be changed");
    return;
  }
  std::vector<std::string> complaints;
  if (recorder.calls) complaints = recorder.calls->complaints("--calls", module->file->has_calls());
  if (recorder.async) {
    for (std::string& complaint : recorder.async->complaints("--async", true))
      complaints.push_back(std::move(complaint));
  }
  if (module->options.allocations_chosen) {
    for (std::string& complaint : recorder.allocations->complaints("--alloc-in", true)) {
      complaints.push_back(std::move(complaint));
    }
  }
  for (const std::string& complaint : complaints) oriel_warn(complaint.c_str());
}

// The writer's last work.
void write_rest() {
  if (module->given_up) return;
  try {
    close_call_buffers();  // or a thread that still runs would give more and more
    while (module->file->drain() >= 100) {
    }
    if (const Status status = module->file->finish(); !status) oriel_warn(status.message().c_str());
  } catch (...) {
    oriel_warn("log: out of memory; the log lacks its end");
  }
}

void finish(oriel_profiler*) {
  if (getpid() != module->pid) return;  // a forked child: the log is its parent's
  if (!module->writer.stop(kWaitAtExit, write_rest)) {
    oriel_warn("log: the file could not be written in time at the program's end; the log lacks its end");
    return;
  }
  if (module->given_up) return;  // what would have been logged later is not known
  try {
    say_complaints();
  } catch (...) {
    oriel_warn("log: out of memory; what was asked for and not found is not said");
  }
}

// The log is of use without samples too.
void start_sampling() {
  if (!oriel_enable_sampling(module->handle)) {
    oriel_warn("log: another module owns sampling; this log has no samples");
  } else if (!oriel_set_sample_mode(module->handle, module->options.sample_mode, module->options.hz)) {
    oriel_warn("log: sampling could not be started; this log has no samples");
  }
}

// The first call has the engine read what walks need.
void prepare_walks() {
  const uintptr_t* frames = nullptr;
  oriel_stack_walk_here(&frames, nullptr);
}

// Exceptions' stacks alone are not worth following where all code is, which samples need anyway.
bool has_stacks(const Options& options) {
  const auto has_stack = [&](const log::EventDescription& event) {
    const bool of_exceptions = event.number == oriel_event_exception_throw || event.number == oriel_event_process_abort;
    return event.has_stack && options.events[event.number] && !of_exceptions;
  };
  return options.allocation_stacks || std::ranges::any_of(log::all_events(), has_stack);
}

// What is logged, and what is only heard.
EventSet heard(const Options& options, bool stacks) {
  EventSet events = options.events;
  const bool sampling = options.sample_mode != ORIEL_SAMPLE_NONE;
  if (sampling) events.set(oriel_event_sample_hit);
  if (!sampling && !stacks && !options.allocations_when_grown) return events;
  // The stack tree must hear when code goes away.
  return events.set(oriel_event_method_free).set(oriel_event_image_unloaded);
}

// Takes the patterns over and asks for the probes.
void wish_for_probes() {
  Options& options = module->options;
  Recorder& recorder = module->profiler.recorder;
  using modules::MethodFilter;
  const auto trivial = options.trivial_calls ? MethodFilter::Trivial::kIn : MethodFilter::Trivial::kLeftOut;
  if (options.calls) recorder.calls = std::make_unique<MethodFilter>(std::move(*options.calls), trivial);
  if (options.async) recorder.async = std::make_unique<MethodFilter>(std::move(*options.async));
  if (options.allocations) {
    recorder.allocations = std::make_unique<MethodFilter>(std::move(*options.allocations));
  }
  if (options.block_inlining) recorder.call_probes |= ORIEL_CALLS_BLOCK_INLINING;
  set_filters(module->handle, recorder);
}

// The writer's first work.
Status open_file(const log::Intro& intro) {
  auto file = LogFile::create(module->options, module->profiler.recorder, intro);
  if (!file) return file.status();
  module->file = std::move(*file);
  return Status::ok();
}

// The file is the writer's alone. The intro is made here: what it takes of the dynamic linker must not wait for a lock
// that this thread may hold.
Status start_writer() {
  const auto open = [intro = intro_of(module->options)] {
    try {
      return open_file(intro);
    } catch (...) {
      return Status::error("log: out of memory; nothing is logged");
    }
  };
  return module->writer.start("oriel-log", open);
}

Status start(const std::string& args) {
  auto options = parse_options(args);
  if (!options) return options.status();
  module = new Module;
  module->options = std::move(*options);
  module->options.events.set(oriel_event_process_abort);  // how a program ends is told whatever else is chosen
  module->options.out = modules::expand_for_process(module->options.out);
  module->pid = getpid();
  module->awaits_locks = module->options.locks_when_seen;
  module->awaits_pauses = module->options.phases_when_paused;
  const bool sampling = module->options.sample_mode != ORIEL_SAMPLE_NONE;
  if (sampling && !module->profiler.recorder.rings.reserve()) {
    return Status::error("log: no address space for sample buffers (2 MB); raise the limit (ulimit -v)");
  }
  module->profiler.recorder.writer = &module->writer;
  module->handle = oriel_profiler_create(&module->profiler);
  if (!module->handle) return Status::error("log: out of memory; nothing is logged");
  oriel_profiler_handle watcher = nullptr;
  if (module->options.calls || module->options.allocations) {
    watcher = oriel_profiler_create(nullptr);
    if (!watcher) return Status::error("log: out of memory; nothing is logged");
  }
  if (Status status = start_writer(); !status) return status;

  const bool stacks = has_stacks(module->options);
  module->profiler.recorder.all_samples = module->options.allocations_sampled;
  module->profiler.recorder.exception_stacks = logs_exception_stacks(module->options);
  if (stacks || module->profiler.recorder.exception_stacks || module->awaits_locks ||
      module->options.allocations_when_grown)
    prepare_walks();
  listen(module->handle, heard(module->options, stacks));
  if (module->options.allocation_stacks && module->options.allocations) listen_with_stacks(module->handle);
  if (watcher) watch_suspensions(watcher);
  wish_for_probes();
  oriel_set_meters(module->handle, module->options.meters.c_str());
  oriel_set_activities(module->handle, module->options.activities.c_str());
  if (sampling) start_sampling();
  // Last, as the writer takes all of this away again when the log cannot be written.
  module->writer.work_every(module->pause, write);
  oriel_profiler_set_cleanup_callback(module->handle, finish);
  return Status::ok();
}

}  // namespace
}  // namespace oriel::logging

ORIEL_BUILT_IN_MODULE(log, oriel::logging::start, "nothing is logged")
