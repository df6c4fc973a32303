// How fast logs are read: decoding alone, loading into a profile, and each report. Bytes a second are of the log.
//
// Two logs are made once: one of samples (ORIEL_BENCH_MB megabytes, 200 if not told), one of calls and allocations
// (ORIEL_BENCH_CALLS millions of enters and leaves, 50 if not told). Or given: ORIEL_BENCH_LOG=FILE,
// ORIEL_BENCH_CALL_LOG=FILE. Items are samples, and calls.
#include <benchmark/benchmark.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "call_log_maker.h"
#include "log_maker.h"
#include "report/report.h"

namespace {

// A log for as long as it is measured.
struct TestLog {
  std::string path;
  bool made = false;
  uint64_t bytes = 0;
  uint64_t items = 0;  // samples or calls; 0 of a given log

  template <typename Make>
  TestLog(const char* given, const char* name, const Make& make) {
    if (given) {
      path = given;
    } else {
      const char* folder = std::getenv("TMPDIR");
      path = std::string(folder ? folder : "/tmp") + "/" + name;
      const oriel::Result<uint64_t> count = make(path);
      if (!count) {
        std::fprintf(stderr, "%s\n", count.message().c_str());
        std::exit(1);
      }
      items = *count;
      made = true;
    }
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) bytes = static_cast<uint64_t>(status.st_size);
  }
  TestLog(const TestLog&) = delete;
  ~TestLog() {
    if (made) std::remove(path.c_str());
    if (made) std::remove((path + ".pdb").c_str());
  }
};

// To be asked before the clock runs: making the log takes far longer than reading it.
const TestLog& sample_log() {
  static const TestLog log(std::getenv("ORIEL_BENCH_LOG"), "oriel-bench.oriel", [](const std::string& path) {
    oriel::bench::LogShape shape;
    shape.pdb = path + ".pdb";
    if (const char* megabytes = std::getenv("ORIEL_BENCH_MB"))
      shape.bytes = std::strtoull(megabytes, nullptr, 10) * 1'000'000;
    return oriel::bench::make_log(path, shape);
  });
  return log;
}

const TestLog& call_log() {
  static const TestLog log(std::getenv("ORIEL_BENCH_CALL_LOG"), "oriel-bench-calls.oriel", [](const std::string& path) {
    oriel::bench::CallLogShape shape;
    if (const char* millions = std::getenv("ORIEL_BENCH_CALLS"))
      shape.events = std::strtoull(millions, nullptr, 10) * 1'000'000;
    return oriel::bench::make_call_log(path, shape);
  });
  return log;
}

using LogMaker = const TestLog& (*)();

void set_counts(benchmark::State& state, const TestLog& log) {
  const auto iterations = static_cast<int64_t>(state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(log.bytes) * iterations);
  if (log.items != 0) state.SetItemsProcessed(static_cast<int64_t>(log.items) * iterations);
}

struct CountingSink : oriel::log::EventSink {
  uint64_t count = 0;
  void on_event(const oriel::log::Event&) override { ++count; }
  void on_calls(uint64_t, std::span<const oriel::log::Call> calls) override { count += calls.size(); }
  void on_sample(uint64_t, const oriel::log::Sample&) override { ++count; }
};

void decode(benchmark::State& state, LogMaker get) {
  const TestLog& log = get();
  for (auto _ : state) {
    CountingSink sink;
    if (!oriel::log::decode_file(log.path, sink)) state.SkipWithError("cannot decode");
    benchmark::DoNotOptimize(sink.count);
  }
  set_counts(state, log);
}
BENCHMARK_CAPTURE(decode, samples, sample_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, calls, call_log)->Unit(benchmark::kMillisecond);

void load(benchmark::State& state, LogMaker get) {
  const TestLog& log = get();
  for (auto _ : state) {
    const auto profile = oriel::profile::load(log.path);
    if (!profile) state.SkipWithError("cannot load");
  }
  set_counts(state, log);
}
BENCHMARK_CAPTURE(load, samples, sample_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, calls, call_log)->Unit(benchmark::kMillisecond);

// From the file to the text, as a person waits for it. `own` is an option of the report's own with its value, or
// what it names.
void load_and_report(benchmark::State& state, const char* name, std::pair<const char*, const char*> own, LogMaker get) {
  const TestLog& log = get();
  const oriel::report::Report& report = *oriel::report::find_report(name);
  const std::unique_ptr<oriel::report::Options> options = report.own({});
  if (report.argument && own.first)
    static_cast<oriel::report::NamedOptions&>(*options).name = own.second;
  else if (own.first && !oriel::report::set_option(report, *options, own.first, own.second))
    state.SkipWithError("there is no such option");
  for (auto _ : state) {
    auto profile = oriel::profile::load(log.path);
    std::ostringstream out;
    if (!profile || !oriel::report::write_report(report, std::move(*profile), *options, out))
      state.SkipWithError("cannot report");
    benchmark::DoNotOptimize(out);
  }
  set_counts(state, log);
}

using Own = std::pair<const char*, const char*>;
constexpr Own kNone{nullptr, ""}, kTree{"--tree", ""};
// Of the made log: most requests begin in it.
constexpr Own kMethod{"METHOD", "Shop.Area1.Class1.Method"};
BENCHMARK_CAPTURE(load_and_report, summary, "summary", kNone, sample_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, lines, "lines", kMethod, sample_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, tree, "tree", kNone, sample_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, calls, "calls", kNone, call_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, calls_tree, "calls", kTree, call_log)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, alloc, "alloc", kNone, call_log)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
