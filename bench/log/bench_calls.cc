// What logging calls and allocations costs: the producer's side, a pair or an allocation at a time, and the writer's,
// which has to keep up with it.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/ticks.h"
#include "call_buffer.h"
#include "log/writer.h"

// The one function of the engine's that the buffers call.
extern "C" oriel_thread* oriel_thread_current(void) { return nullptr; }
extern "C" uint32_t oriel_thread_id(const oriel_thread*) { return 1; }
extern "C" uint32_t oriel_method_id(const oriel_method*) { return 1; }

namespace {

using namespace oriel;
using namespace oriel::log_module;

// Takes what threads log and throws it away, as fast as it comes.
class Drain {
 public:
  Drain() : thread_([this] { run(); }) {}
  ~Drain() {
    stop_ = true;
    thread_.join();
  }

 private:
  void run() {
    std::vector<log::CallRecord> records;
    uint64_t base = 0;
    while (!stop_) {
      bool any = false;
      call_buffers.drain([&](CallBuffer& buffer) {
        while (buffer.take(records, base)) any = true;
        return true;
      });
      if (!any) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void two_clock_reads(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(ticks());
    benchmark::DoNotOptimize(ticks());
  }
}
BENCHMARK(two_clock_reads);

void log_pair(benchmark::State& state) {
  const Drain drain;
  uint32_t method = 0;
  for (auto _ : state) {
    method = method % 1000 + 1;
    log_call(log::CallKind::kEnter, method);
    log_call(log::CallKind::kLeave, method);
  }
  state.counters["lost"] = static_cast<double>(calls_lost());
}
BENCHMARK(log_pair);

void log_object(benchmark::State& state) {
  const Drain drain;
  uint32_t klass = 0;
  for (auto _ : state) {
    klass = klass % 100 + 1;
    log_allocation(klass, 24, nullptr);
  }
  state.counters["lost"] = static_cast<double>(calls_lost());
}
BENCHMARK(log_object);

// Records of a chunk, packed into the log's bytes: events a second of the writer.
void write_calls(benchmark::State& state) {
  std::string path = "/tmp/oriel-bench-XXXXXX";
  close(mkstemp(path.data()));
  auto writer = std::move(*log::Writer::create(path));
  writer->intro({});
  std::vector<log::CallRecord> records;
  for (uint32_t i = 0; i < 4000; ++i) {
    records.push_back({log::CallKind::kEnter, i % 1000 + 1, uint64_t{i} * 100});
    records.push_back({log::CallKind::kLeave, i % 1000 + 1, uint64_t{i} * 100 + 50});
  }
  for (auto _ : state) {
    writer->calls(1, 0, records);
    if (writer->bytes_pending() > (8u << 20) && !writer->flush({}).is_ok()) state.SkipWithError("no room for the log");
    if (writer->bytes_written() > (512u << 20)) {  // begun anew, so that the file stays small
      writer = std::move(*log::Writer::create(path));
      writer->intro({});
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * records.size()));
  unlink(path.c_str());
}
BENCHMARK(write_calls);

// The consumer's reading of the records, before they are packed.
void take_records(benchmark::State& state) {
  CallBuffer buffer(1);
  std::vector<log::CallRecord> records;
  uint64_t base = 0;
  constexpr uint32_t kRecords = 8000;
  for (auto _ : state) {
    state.PauseTiming();
    for (uint32_t i = 0; i < kRecords; ++i) buffer.put(log::CallKind::kAllocation, i % 100 + 1, 24);
    state.ResumeTiming();
    while (buffer.take(records, base)) benchmark::DoNotOptimize(records.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRecords));
}
BENCHMARK(take_records);

}  // namespace

BENCHMARK_MAIN();
