// The callgraph module: counts calls, their times and allocations inside the program, so that its output grows with the
// program's code and not with its run time. Its parts: options, recorder (callbacks) with thread_tree, family and arena
// (counting), snapshot, graph_file and dump_pace (into the file).

#include <unistd.h>

#include <chrono>

#include "base/clock.h"
#include "dump_pace.h"
#include "graph_file.h"
#include "module/method_filter.h"
#include "module/module.h"
#include "module/process_info.h"
#include "module/worker.h"
#include "options.h"
#include "recorder.h"

namespace oriel::callgraph {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitAtExit{5'000};

// Lives as long as the process: callbacks may still run while it exits.
struct Module {
  oriel_profiler_handle handle = nullptr;
  Options options;
  std::unique_ptr<GraphFile> file;
  std::unique_ptr<modules::MethodFilter> methods;
  modules::Worker dumper;
  milliseconds pause = kFirstDump;  // used by the dumping thread only
  pid_t pid = 0;
  bool given_up = false;
};
Module* module = nullptr;

uint32_t filter_calls(oriel_profiler*, oriel_method* method) {
  if (!module->methods->wants(method) || !chosen_methods.add(oriel_method_id(method))) return ORIEL_CALLS_NONE;
  return ORIEL_CALLS_ALL | (module->options.block_inlining ? uint32_t{ORIEL_CALLS_BLOCK_INLINING} : 0u);
}

bool filter_images(oriel_profiler*, oriel_image* image) {
  return module->options.allocations || module->methods->wants_any(image);
}

// Everywhere: allocations in code that a selected method calls count as its own.
bool filter_allocations(oriel_profiler*, oriel_method*) { return true; }

// The file cannot be written any more: reports that once and stops counting.
void give_up(const char* message) {
  module->given_up = true;
  stop_listening(module->handle);
  oriel_profiler_set_call_instrumentation_filter_callback(module->handle, nullptr);
  oriel_profiler_set_allocation_filter_callback(module->handle, nullptr);
  oriel_warn(message);
}

// On the dumping thread, which has the file.
Status dump(bool last) {
  try {
    return module->file->dump(last);
  } catch (...) {
    return Status::error("callgraph: out of memory");
  }
}

// The dumping thread's work: returns the pause until the next call.
milliseconds dump_now() {
  const uint64_t before = clock_thread_cpu_ns();
  if (const Status status = dump(false); !status) {
    give_up((status.message() + "; nothing more is counted, the program runs on").c_str());
    return milliseconds(-1);
  }
  module->pause = pause_after(module->pause, std::chrono::nanoseconds(clock_thread_cpu_ns() - before));
  return module->pause;
}

void finish(oriel_profiler*) {
  if (getpid() != module->pid) return;  // a forked child: the file belongs to its parent
  const auto last_dump = [] {
    // There may be space for it now; an earlier failure was already reported.
    if (const Status status = dump(true); !status && !module->given_up) oriel_warn(status.message().c_str());
  };
  if (!module->dumper.stop(kWaitAtExit, last_dump)) {
    oriel_warn("callgraph: the file could not be written in time at the program's end; an earlier one is left");
    return;
  }
  if (module->given_up) return;  // later calls were not counted
  try {
    for (const std::string& line : module->methods->complaints("--callgraph", has_calls())) oriel_warn(line.c_str());
  } catch (...) {
    oriel_warn("callgraph: out of memory; what was asked for and not found is not said");
  }
}

Status start(const std::string& args) {
  auto options = parse_options(args);
  if (!options) return options.status();
  module = new Module;
  module->options = std::move(*options);
  module->options.out = modules::expand_for_process(module->options.out);
  module->pid = getpid();
  module->handle = oriel_profiler_create(nullptr);
  if (module->handle == nullptr) return Status::error("callgraph: out of memory; nothing is counted");
  auto file = GraphFile::create(module->options);
  if (!file) return file.status();
  module->file = std::move(*file);
  module->methods = std::make_unique<modules::MethodFilter>(
      std::move(module->options.calls),
      module->options.trivial ? modules::MethodFilter::Trivial::kIn : modules::MethodFilter::Trivial::kLeftOut);
  module->file->tell_of(*module->methods);
  if (Status status = module->dumper.start("oriel-callgraph", [] { return dump(false); }); !status) return status;
  listen(module->handle, module->options.allocations);
  oriel_profiler_set_image_filter_callback(module->handle, filter_images);
  oriel_profiler_set_call_instrumentation_filter_callback(module->handle, filter_calls);
  if (module->options.allocations) {
    oriel_profiler_set_allocation_filter_callback(module->handle, filter_allocations);
  }
  module->dumper.work_every(kFirstDump, dump_now);
  oriel_profiler_set_cleanup_callback(module->handle, finish);
  return Status::ok();
}

}  // namespace
}  // namespace oriel::callgraph

ORIEL_BUILT_IN_MODULE(callgraph, oriel::callgraph::start, "nothing is counted")
