// How fast logs are read: decoding alone, loading into a profile, and each report. Bytes a second are of the log.
//
// The log is made once (ORIEL_BENCH_MB megabytes, 200 if not told), or given: ORIEL_BENCH_LOG=FILE.
#include <benchmark/benchmark.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "log_maker.h"
#include "report/report.h"

namespace {

struct TestLog {
  std::string path;
  bool made = false;
  uint64_t bytes = 0;

  TestLog() {
    if (const char* given = std::getenv("ORIEL_BENCH_LOG")) {
      path = given;
    } else {
      const char* folder = std::getenv("TMPDIR");
      path = std::string(folder ? folder : "/tmp") + "/oriel-bench.oriel";
      oriel::bench::LogShape shape;
      if (const char* megabytes = std::getenv("ORIEL_BENCH_MB"))
        shape.bytes = std::strtoull(megabytes, nullptr, 10) * 1'000'000;
      const auto samples = oriel::bench::make_log(path, shape);
      if (!samples) {
        std::fprintf(stderr, "%s\n", samples.message().c_str());
        std::exit(1);
      }
      made = true;
    }
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) bytes = static_cast<uint64_t>(status.st_size);
  }
  ~TestLog() {
    if (made) std::remove(path.c_str());
  }
};

// To be asked before the clock runs: making the log takes far longer than reading it.
const TestLog& test_log() {
  static const TestLog log;
  return log;
}

void set_bytes(benchmark::State& state, const TestLog& log) {
  state.SetBytesProcessed(static_cast<int64_t>(log.bytes) * static_cast<int64_t>(state.iterations()));
}

void decode(benchmark::State& state) {
  const TestLog& log = test_log();
  for (auto _ : state) {
    oriel::log::EventSink nothing;
    if (!oriel::log::decode_file(log.path, nothing)) state.SkipWithError("cannot decode");
  }
  set_bytes(state, log);
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

void load(benchmark::State& state) {
  const TestLog& log = test_log();
  for (auto _ : state) {
    const auto profile = oriel::profile::load(log.path);
    if (!profile) state.SkipWithError("cannot load");
  }
  set_bytes(state, log);
}
BENCHMARK(load)->Unit(benchmark::kMillisecond);

// From the file to the text, as a person waits for it.
void load_and_report(benchmark::State& state, oriel::report::Kind kind) {
  const TestLog& log = test_log();
  for (auto _ : state) {
    const auto profile = oriel::profile::load(log.path);
    std::ostringstream out;
    if (!profile || !oriel::report::write_report(kind, *profile, {}, out)) state.SkipWithError("cannot report");
    benchmark::DoNotOptimize(out);
  }
  set_bytes(state, log);
}
BENCHMARK_CAPTURE(load_and_report, summary, oriel::report::Kind::kSummary)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_and_report, tree, oriel::report::Kind::kTree)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
