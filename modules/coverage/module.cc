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
#include "modules/method_filter.h"
#include "modules/module.h"
#include "modules/process_info.h"
#include "modules/worker.h"
#include "options.h"
#include "per_test.h"

namespace oriel::coverage_module {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWaitAtExit{10'000};

// The filters' side, which logs share, one after another. Lives as long as the process: they may be asked at any time.
struct Ears {
  oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  modules::ChosenMethods chosen;
  bool any_log = false;   // one has begun already
  bool is_stuck = false;  // a log's worker did not end, and never will
};

Ears& ears() {
  static auto* const made = new Ears;
  return *made;
}

bool filter_images(oriel_profiler*, oriel_image* image) {
  try {
    return ears().chosen.wants_any(image) || has_tests(image);
  } catch (...) {
    return true;
  }
}

bool filter_methods(oriel_profiler*, oriel_method* method) {
  try {
    return ears().chosen.wants(method);
  } catch (...) {  // no memory for a name
    return false;
  }
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

// What ran in one stretch of time, into one log.
class Coverage {
 public:
  using Options = coverage_module::Options;
  static const modules::OptionTable& table() { return kTable; }
  static Result<Options> parse(const std::string& text) { return parse_options(text); }
  static Result<std::unique_ptr<Coverage>> start(Options options);

  Options& options() { return options_; }
  // A log tells of the same code all the time.
  bool can_apply(const Options& options) const { return options.methods.text() == patterns_; }
  static Status apply(const Options&) { return Status::ok(); }
  // What ran is in the counters' file at every moment.
  static Status flush() { return Status::ok(); }
  const std::string& file() const { return out_; }
  Status stop();
  void finish();
  // Callbacks in tests may still come to it.
  bool is_stuck() const { return ears().is_stuck || options_.per_test; }

 private:
  explicit Coverage(Options options) : options_(std::move(options)), patterns_(options_.methods.text()) {}

  Status open_log(const log::Intro& intro);
  Status start_worker();
  Status write_end();
  void write_now(log::Coverage block);
  void begin_period(const std::string& tests);
  void write_period(const std::string& tests);
  void end_period(const std::string& tests);
  void begin_to_tell_tests_apart();
  std::string what_is_left() const;
  void write_rest();
  bool end_worker();
  void put_counters_into_file();

  Options options_;  // without the patterns
  const std::string patterns_;
  std::string out_, counters_;  // files; "": none
  std::shared_ptr<const modules::MethodFilter> methods_;
  modules::Worker worker_;
  std::unique_ptr<log::Writer> writer_;         // the worker's own
  bool written_ = false;                        // all of it is in the log; the worker's, then the last thread's
  bool any_ = false;                            // any code was counted; likewise
  uint64_t period_ = 0;                         // the next
  std::atomic<bool> tells_tests_apart_{false};  // still
};

// The worker's first work: so that there is a log whatever happens.
Status Coverage::open_log(const log::Intro& intro) {
  auto writer = log::Writer::create(out_);
  if (!writer) return writer.status();
  writer_ = std::move(*writer);
  writer_->compress();
  writer_->intro(intro);
  return writer_->flush({});
}

Status Coverage::start_worker() {
  const auto open = [this, intro = intro_of(options_)] {
    try {
      return open_log(intro);
    } catch (...) {
      return Status::error("coverage: out of memory; nothing is counted");
    }
  };
  return worker_.start("oriel-coverage", open);
}

Status Coverage::write_end() {
  log::Writer& writer = *writer_;
  log::Coverage covered = covered_code(ears().handle, ears().chosen);
  covered.period = period_;
  covered.counts = options_.counts;
  any_ = !covered.methods.empty();
  writer.coverage(covered);
  writer.counters(modules::instrumentation_counters());
  writer.process(modules::process_usage());
  writer.end({.clock = clock_pair()});
  Status status = writer.flush({});
  if (status) writer.close();
  return status;
}

// Into the log, before this returns.
void Coverage::write_now(log::Coverage block) {
  const auto write = [this, block = std::make_shared<log::Coverage>(std::move(block))] {
    writer_->coverage(*block);
    if (!writer_->flush({}).is_ok()) tells_tests_apart_ = false;
  };
  if (!worker_.do_now(write, kWaitAtExit)) tells_tests_apart_ = false;
}

// Says whose the period is, for who reads the log of a process that was killed in it.
void Coverage::begin_period(const std::string& tests) {
  if (!tells_tests_apart_ || !modules::is_own_process()) return;
  log::Coverage begun;
  begun.label = tests;
  begun.period = period_;
  begun.counts = options_.counts;
  write_now(std::move(begun));
}

// What ran until now; until that is in the log, the engine keeps it in the counters' file.
void Coverage::write_period(const std::string& tests) {
  log::Coverage ended = code_that_ran(ears().handle, ears().chosen);
  ended.label = tests;
  ended.period = period_++;
  ended.counts = options_.counts;
  write_now(std::move(ended));
}

// Where the log can be written no more, all of the rest stays in the counters.
void Coverage::end_period(const std::string& tests) {
  if (!tells_tests_apart_ || !modules::is_own_process()) return;
  // One at a time.
  static Coverage* of;
  static const std::string* ended;
  of = this;
  ended = &tests;
  oriel_coverage_reset(ears().handle, [](oriel_profiler*) { of->write_period(*ended); });
}

// From the first reset on methods keep their probes.
void Coverage::begin_to_tell_tests_apart() {
  oriel_coverage_reset(ears().handle, nullptr);
  period_ = 1;
  tells_tests_apart_ = true;
  start_per_test(
      ears().handle, [this](const std::string& tests) { begin_period(tests); },
      [this](const std::string& tests) { end_period(tests); });
}

// Where there is no log, or not all of it.
std::string Coverage::what_is_left() const {
  return counters_.empty() ? "; what ran is lost" : "; what ran is in " + counters_ + ", as far as that could grow";
}

// The worker's last work.
void Coverage::write_rest() {
  try {
    const Status status = write_end();
    written_ = status.is_ok();
    if (!status) oriel_warn((status.message() + what_is_left()).c_str());
  } catch (...) {
    oriel_warn(("coverage: out of memory" + what_is_left()).c_str());
  }
}

// Whether it ended in time. The log is closed on the thread that has it open (base/files/own_files.h).
bool Coverage::end_worker() {
  finish_tests();
  tells_tests_apart_ = false;
  const auto last = [this] {
    write_rest();
    writer_.reset();
  };
  const bool ended = worker_.stop(kWaitAtExit, last);
  ears().is_stuck = !ended;
  if (ended && written_ && !counters_.empty()) {
    oriel_set_coverage_file(ears().handle, nullptr, nullptr, 0);
    unlink(counters_.c_str());
  }
  return ended;
}

void Coverage::finish() {
  if (!end_worker()) {
    oriel_warn("coverage: the log could not be written in time at the program's end");
    return;
  }
  try {
    for (const std::string& line : methods_->complaints("--include", any_)) oriel_warn(line.c_str());
  } catch (...) {
    oriel_warn("coverage: out of memory; patterns that matched nothing are not reported");
  }
}

Status Coverage::stop() {
  const oriel_profiler_handle handle = ears().handle;
  if (!end_worker()) return Status::error("coverage: the log could not be written in time");
  oriel_profiler_set_coverage_filter_callback(handle, nullptr);
  if (options_.per_test) stop_telling_tests_apart(handle);
  oriel_profiler_set_image_filter_callback(handle, nullptr);
  ears().chosen.choose(nullptr);
  return written_ ? Status::ok() : Status::error("coverage: the log could not be written to its end");
}

void Coverage::put_counters_into_file() {
  counters_ = out_ + coverage_file::kEnding;
  char message[512] = "";
  if (oriel_set_coverage_file(ears().handle, counters_.c_str(), message, sizeof message) == 0) return;
  counters_.clear();
  oriel_warn(("coverage: " + std::string(message) + "; if the program is killed, its coverage is lost").c_str());
}

// Counters lie in a file from the program's start on; those of later logs lie in memory.
Result<std::unique_ptr<Coverage>> Coverage::start(Options options) {
  const oriel_profiler_handle handle = ears().handle;
  if (!handle) return Status::error("coverage: out of memory; nothing is counted");
  if (ears().is_stuck) return Status::error("coverage: the log before could not be written, so there can be none");
  if (options.per_test && ears().any_log)
    return Status::error("coverage: tests are told apart from the program's start on only; leave out per-test");
  auto out = full_path(modules::expand_for_process(options.out));
  if (!out) return out.status();
  std::unique_ptr<Coverage> coverage(new Coverage(std::move(options)));
  Options& its = coverage->options_;
  coverage->out_ = modules::next_file(*out);
  const auto mode = its.counts ? ORIEL_COVERAGE_COUNT : ORIEL_COVERAGE_HIT;
  if (!oriel_enable_coverage(handle, mode))
    return Status::error("coverage: how often code runs cannot be counted here; use mode=hit");
  if (Status status = coverage->start_worker(); !status) {
    // One that waits for a disk may come back to it at any time.
    static_cast<void>(coverage.release());
    return status;
  }
  if (ears().any_log) {
    oriel_coverage_reset(handle, nullptr);
  } else {
    coverage->put_counters_into_file();
  }
  ears().any_log = true;
  if (its.per_test) coverage->begin_to_tell_tests_apart();
  ears().chosen.choose(std::make_unique<modules::MethodFilter>(std::move(its.methods)));
  coverage->methods_ = ears().chosen.filter();
  oriel_profiler_set_image_filter_callback(handle, filter_images);
  oriel_profiler_set_coverage_filter_callback(handle, filter_methods);
  oriel_profiler_set_cleanup_callback(handle, [](oriel_profiler*) { modules::owner<Coverage>().finish(); });
  return coverage;
}

}  // namespace
}  // namespace oriel::coverage_module

ORIEL_BUILT_IN_MODULE(coverage, oriel::coverage_module::Coverage, "nothing is counted")
