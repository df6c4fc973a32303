// The coverage module: logs which code of the program ran. While the program runs the counters are in a file beside
// that log, so that they survive any end of the process. Its parts: options, covered_code (from the engine's counters
// to the log's block), per_test (test_code: which methods are tests; test_periods: when one begins).

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/clock.h"
#include "base/files/coverage_file.h"
#include "covered_code.h"
#include "log/properties.h"
#include "log/writer.h"
#include "module/method_filter.h"
#include "module/module.h"
#include "module/process_info.h"
#include "module/worker.h"
#include "options.h"
#include "per_test.h"

namespace oriel::covering {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitAtExit{10'000};

// Lives as long as the process: filters may still be called while it exits.
struct Module {
  oriel_profiler_handle handle = nullptr;
  Options options;
  std::string out, counters;
  std::unique_ptr<modules::MethodFilter> methods;
  modules::MethodSet chosen;
  modules::Worker worker;
  std::unique_ptr<log::Writer> writer;         // used by the worker only
  bool written = false;                        // everything is in the log; written by the worker, then by the last
                                               // thread
  bool any = false;                            // some code was counted; likewise
  uint64_t period = 0;                         // number of the next period
  std::atomic<bool> tells_tests_apart{false};  // still
  pid_t pid = 0;
};
Module* module = nullptr;

bool filter_images(oriel_profiler*, oriel_image* image) {
  return module->methods->wants_any(image) || has_tests(image);
}

bool filter_methods(oriel_profiler*, oriel_method* method) {
  return module->methods->wants(method) && module->chosen.add(oriel_method_id(method));
}

// Absolute, as the program may change its folder.
Result<std::string> full_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(path, error);
  if (error) return Status::error("coverage: the working directory is gone; give a full path with output=");
  return full.string();
}

log::Intro intro_of(const Options& options) {
  log::Intro intro = modules::new_intro();
  intro.properties.insert(intro.properties.end(), {{log::property::kSamplingMode, "none"},
                                                   {log::property::kCoverage, options.counts ? "count" : "hit"},
                                                   {log::property::kCoverageMethods, options.methods.text()}});
  return intro;
}

// The worker's first task: so that there is a log in any case.
Status open_log(const log::Intro& intro) {
  auto writer = log::Writer::create(module->out);
  if (!writer) return writer.status();
  module->writer = std::move(*writer);
  module->writer->intro(intro);
  return module->writer->flush({});
}

Status start_worker() {
  const auto open = [intro = intro_of(module->options)] {
    try {
      return open_log(intro);
    } catch (...) {
      return Status::error("coverage: out of memory; nothing is counted");
    }
  };
  return module->worker.start("oriel-coverage", open);
}

Status write_end() {
  log::Writer& writer = *module->writer;
  log::Coverage covered = covered_code(module->handle, module->chosen);
  covered.period = module->period;
  covered.counts = module->options.counts;
  module->any = !covered.methods.empty();
  writer.coverage(covered);
  writer.counters(modules::instrumentation_counters());
  writer.process(modules::process_usage());
  writer.end({.clock = clock_pair()});
  Status status = writer.flush({});
  if (status) writer.close();
  return status;
}

// The block is in the log when this returns.
void write_now(log::Coverage block) {
  const auto write = [block = std::make_shared<log::Coverage>(std::move(block))] {
    module->writer->coverage(*block);
    if (!module->writer->flush({}).is_ok()) module->tells_tests_apart = false;
  };
  if (!module->worker.do_now(write, kWaitAtExit)) module->tells_tests_apart = false;
}

// Records the tests of the period, for readers of the log if the process is killed in it.
void begin_period(const std::string& tests) {
  if (!module->tells_tests_apart || getpid() != module->pid) return;
  log::Coverage begun;
  begun.label = tests;
  begun.period = module->period;
  begun.counts = module->options.counts;
  write_now(std::move(begun));
}

// Writes the coverage until now; until that is in the log, the engine keeps it in the counters' file.
void write_period(const std::string& tests) {
  log::Coverage ended = code_that_ran(module->handle, module->chosen);
  ended.label = tests;
  ended.period = module->period++;
  ended.counts = module->options.counts;
  write_now(std::move(ended));
}

// If the log can no longer be written, everything stays in the counters' file.
void end_period(const std::string& tests) {
  if (!module->tells_tests_apart || getpid() != module->pid) return;
  static const std::string* ended;  // one at a time
  ended = &tests;
  oriel_coverage_reset(module->handle, [](oriel_profiler*) { write_period(*ended); });
}

// From the first reset on methods keep their probes.
void begin_to_tell_tests_apart() {
  oriel_coverage_reset(module->handle, nullptr);
  module->period = 1;
  module->tells_tests_apart = true;
  tell_tests_apart(module->handle, begin_period, end_period);
}

// If the log is missing or incomplete.
std::string what_is_left() {
  return module->counters.empty() ? "; what ran is lost"
                                  : "; what ran is in " + module->counters + ", as far as that could grow";
}

// The worker's last task.
void write_rest() {
  try {
    const Status status = write_end();
    module->written = status.is_ok();
    if (!status) oriel_warn((status.message() + what_is_left()).c_str());
  } catch (...) {
    oriel_warn(("coverage: out of memory" + what_is_left()).c_str());
  }
}

void finish(oriel_profiler*) {
  if (getpid() != module->pid) return;  // a forked child: the log belongs to its parent
  finish_tests();
  if (!module->worker.stop(kWaitAtExit, write_rest)) {
    oriel_warn("coverage: the log could not be written in time at the program's end");
    return;
  }
  if (module->written && !module->counters.empty()) unlink(module->counters.c_str());
  try {
    for (const std::string& line : module->methods->complaints("--include", module->any)) oriel_warn(line.c_str());
  } catch (...) {
    oriel_warn("coverage: out of memory; what was asked for and not found is not said");
  }
}

void put_counters_into_file() {
  char message[512] = "";
  if (oriel_set_coverage_file(module->handle, module->counters.c_str(), message, sizeof message) == 0) return;
  module->counters.clear();
  oriel_warn(
      ("coverage: " + std::string(message) + "; should the program be killed, nothing of what ran is known").c_str());
}

Status start(const std::string& args) {
  auto options = parse_options(args);
  if (!options) return options.status();
  module = new Module;
  module->options = std::move(*options);
  auto out = full_path(modules::expand_for_process(module->options.out));
  if (!out) return out.status();
  module->out = std::move(*out);
  module->counters = module->out + coverage_file::kEnding;
  module->pid = getpid();
  module->handle = oriel_profiler_create(nullptr);
  if (!module->handle) return Status::error("coverage: out of memory; nothing is counted");
  const auto mode = module->options.counts ? ORIEL_COVERAGE_COUNT : ORIEL_COVERAGE_HIT;
  if (!oriel_enable_coverage(module->handle, mode))
    return Status::error("coverage: how often code runs cannot be counted here; use mode=hit");
  if (Status status = start_worker(); !status) return status;
  put_counters_into_file();
  if (module->options.per_test) begin_to_tell_tests_apart();
  module->methods = std::make_unique<modules::MethodFilter>(std::move(module->options.methods));
  oriel_profiler_set_image_filter_callback(module->handle, filter_images);
  oriel_profiler_set_coverage_filter_callback(module->handle, filter_methods);
  oriel_profiler_set_cleanup_callback(module->handle, finish);
  return Status::ok();
}

}  // namespace
}  // namespace oriel::covering

ORIEL_BUILT_IN_MODULE(coverage, oriel::covering::start, "nothing is counted")
