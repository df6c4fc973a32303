// How fast the log is written and read: bytes of log a second, and events or samples a second.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "log/decoder.h"
#include "log/writer.h"

namespace {

using namespace oriel::log;

constexpr uint64_t kMethod = 50;  // jit_begin: one field, as most events
constexpr size_t kBatch = 10'000;

std::string temporary_path() {
  std::string path = "/tmp/oriel-bench-XXXXXX";
  close(mkstemp(path.data()));
  return path;
}

std::vector<Sample> random_samples() {
  std::mt19937_64 random(1);
  std::vector<Sample> samples;
  for (uint64_t i = 0; i < kBatch; ++i) {
    samples.push_back({1'000'000'000 + i * 3'000'000 + random() % 100'000, random() % 500'000, 1});
  }
  return samples;
}

struct Events {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kBatch * kMaxFieldBytes);
  std::vector<RawEvent> events;
  Events() {
    uint8_t* at = bytes.data();
    for (uint64_t i = 0; i < kBatch; ++i) {
      uint8_t* end = encode_field(at, i % 9'000 + 1);
      events.push_back({1'000'000'000 + i * 5'000, kMethod, {at, end}});
      at = end;
    }
  }
};

// A file that goes away again, and a writer to it.
class Log {
 public:
  Log() : path_(temporary_path()), writer_(std::move(*Writer::create(path_))) { writer_->intro({}); }
  ~Log() { unlink(path_.c_str()); }

  Writer& writer() { return *writer_; }
  std::vector<uint8_t> content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
  std::unique_ptr<Writer> writer_;
};

class Counting : public EventSink {
 public:
  uint64_t heard = 0;
  void on_event(const Event& event) override { heard += event.value_count; }
  void on_sample(uint64_t, const Sample& sample) override { heard += sample.periods; }
};

constexpr int kFlushes = 400;

void write_events(benchmark::State& state) {
  const Events events;
  Log log;
  for (auto _ : state) {
    log.writer().events(1, events.events);
    if (!log.writer().flush({}).is_ok()) state.SkipWithError("no room for the log");
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kBatch));
  state.SetBytesProcessed(static_cast<int64_t>(log.writer().bytes_written()));
}
BENCHMARK(write_events)->Iterations(kFlushes);

void write_samples(benchmark::State& state) {
  const std::vector<Sample> samples = random_samples();
  Log log;
  for (auto _ : state) {
    log.writer().samples(1, samples);
    if (!log.writer().flush({}).is_ok()) state.SkipWithError("no room for the log");
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kBatch));
  state.SetBytesProcessed(static_cast<int64_t>(log.writer().bytes_written()));
}
BENCHMARK(write_samples)->Iterations(kFlushes);

void decode(benchmark::State& state, const std::vector<uint8_t>& log) {
  for (auto _ : state) {
    Counting sink;
    const auto outcome = decode_bytes(log.data(), log.size(), sink);
    if (!outcome.is_ok() || outcome->corrupt_blocks != 0) state.SkipWithError("cannot read what was written");
    benchmark::DoNotOptimize(sink.heard);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kFlushes * static_cast<int64_t>(kBatch));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * log.size()));
}

void read_events(benchmark::State& state) {
  const Events events;
  Log log;
  for (int i = 0; i < kFlushes; ++i) {
    log.writer().events(1, events.events);
    if (!log.writer().flush({}).is_ok()) state.SkipWithError("no room for the log");
  }
  decode(state, log.content());
}
BENCHMARK(read_events)->Unit(benchmark::kMillisecond);

void read_samples(benchmark::State& state) {
  const std::vector<Sample> samples = random_samples();
  Log log;
  for (int i = 0; i < kFlushes; ++i) {
    log.writer().samples(1, samples);
    if (!log.writer().flush({}).is_ok()) state.SkipWithError("no room for the log");
  }
  decode(state, log.content());
}
BENCHMARK(read_samples)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
