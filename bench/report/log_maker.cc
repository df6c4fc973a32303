#include "log_maker.h"

#include <random>
#include <unordered_map>
#include <vector>

#include "log/writer.h"

namespace oriel::bench {
namespace {

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) constexpr uint32_t k_##name = number;
#include "oriel/events.def"
#undef ORIEL_EVENT

constexpr uint64_t kTicksPerSecond = 2'500'000'000;
constexpr uint32_t kMaxDepth = 200;

class Maker {
 public:
  Maker(log::Writer& writer, const LogShape& shape) : writer_(writer), shape_(shape), stacks_(shape.threads) {}
  Result<uint64_t> run();

 private:
  void write_intro();
  void write_names();
  // A second of the program.
  void write_second();
  void write_samples(uint32_t thread, uint64_t from);
  void write_events(uint32_t thread, uint64_t from);
  void move(std::vector<uint64_t>& stack);
  uint64_t node_of(const std::vector<uint64_t>& stack);
  uint32_t random(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
  ClockPair clock(uint64_t counter) const {
    return {counter, kStartUs + (counter - kStart) / (kTicksPerSecond / 1'000'000)};
  }

  static constexpr uint64_t kStart = 7'000'000'000'000;
  static constexpr uint64_t kStartUs = 1'780'000'000'000'000;
  log::Writer& writer_;
  const LogShape& shape_;
  std::mt19937 random_{42};
  std::vector<std::vector<uint64_t>> stacks_;  // of each thread: methods, outermost first
  std::unordered_map<uint64_t, uint64_t> nodes_;
  std::vector<log::StackNode> new_nodes_;
  uint64_t now_ = kStart;
  uint64_t samples_ = 0;
  uint32_t collections_ = 0;
};

void Maker::write_intro() {
  log::Intro intro;
  intro.runtime = ".NET 10.0.0";
  intro.clock = clock(kStart);
  intro.properties = {{"command", "dotnet exec generated.dll"},
                      {"counter", "tsc"},
                      {"cores", std::to_string(shape_.threads)},
                      {"sampling.mode", "process"},
                      {"sampling.hz", std::to_string(shape_.hz)}};
  writer_.intro(intro);
}

void Maker::write_names() {
  log::Mapping mapping;
  mapping.start = mapping.end = clock(kStart);
  mapping.images.push_back({1, "Generated.dll", "/srv/Generated.dll", "Generated"});
  const uint32_t classes = shape_.methods / 10 + 1;
  for (uint32_t i = 1; i <= classes; ++i)
    mapping.classes.push_back({i, 24, 1, "Generated.Area" + std::to_string(i % 37) + ".Class" + std::to_string(i)});
  for (uint32_t i = 1; i <= shape_.methods; ++i)
    mapping.methods.push_back({i, i % classes + 1, "Method" + std::to_string(i) + "(System.String, int)", ""});
  for (uint32_t i = 1; i <= shape_.threads; ++i)
    mapping.threads.push_back({i, 4000 + i, true, "Worker " + std::to_string(i)});
  writer_.mapping(mapping);
}

// Leaves a few frames and enters others. A method mostly calls the same other one, so that stacks repeat as real ones
// do.
void Maker::move(std::vector<uint64_t>& stack) {
  const size_t leave = std::min<size_t>(stack.size(), 1 + random(5));
  stack.resize(stack.size() - leave);
  const uint32_t goal = shape_.mean_depth + random(5) - 2;
  while (stack.size() < goal && stack.size() < kMaxDepth) {
    const uint64_t caller = stack.empty() ? 0 : stack.back();
    const uint64_t callee =
        (caller * 2'654'435'761u + (random(8) == 0 ? 1 + random(2) : 0) * 40'503u) % shape_.methods + 1;
    stack.push_back(callee);
  }
}

uint64_t Maker::node_of(const std::vector<uint64_t>& stack) {
  uint64_t node = 0;
  for (const uint64_t method : stack) {
    const auto [at, made] = nodes_.try_emplace(node * 1'000'003 + method, nodes_.size() + 1);
    if (made) new_nodes_.push_back({at->second, node, log::FrameKind::kManaged, method, false});
    node = at->second;
  }
  return node;
}

void Maker::write_samples(uint32_t thread, uint64_t from) {
  std::vector<log::Sample> samples;
  const uint64_t step = kTicksPerSecond / shape_.hz;
  for (uint32_t i = 0; i < shape_.hz; ++i) {
    move(stacks_[thread]);
    samples.push_back({from + i * step + random(static_cast<uint32_t>(step / 8)), node_of(stacks_[thread]), 1});
  }
  samples_ += samples.size();
  writer_.stacks(new_nodes_);
  new_nodes_.clear();
  writer_.samples(thread + 1, samples);
}

void Maker::write_events(uint32_t thread, uint64_t from) {
  std::vector<std::vector<uint8_t>> fields;
  std::vector<std::pair<uint64_t, uint32_t>> heads;
  uint64_t at = from;
  const auto add = [&](uint32_t event, std::initializer_list<uint64_t> values) {
    uint8_t bytes[log::kMaxFieldBytes];
    uint8_t* end = bytes;
    for (const uint64_t value : values) end = log::encode_field(end, value);
    fields.emplace_back(bytes, end);
    heads.emplace_back(at += 250'000, event);
  };
  for (int i = 0; i < 10; ++i) {
    const uint32_t generation = i == 9 ? 2 : i % 3 == 0 ? 1 : 0;
    add(k_suspend_begin, {1});
    add(k_gc_begin, {++collections_, generation, 0});
    add(k_gc_end, {collections_, generation});
    add(k_resume_end, {1, 300'000});
    add(k_exception_throw, {1 + random(5)});
    add(k_exception_clause, {1 + random(100), 0, 1 + random(5), 0});
    add(k_jit_done, {1 + random(shape_.methods), 0x7f00'0000'0000u + random(1u << 30), 200});
  }
  std::vector<log::RawEvent> events;
  for (size_t i = 0; i < fields.size(); ++i) events.push_back({heads[i].first, heads[i].second, fields[i]});
  writer_.events(thread + 1, events);
}

void Maker::write_second() {
  for (uint32_t thread = 0; thread < shape_.threads; ++thread) write_samples(thread, now_);
  write_events(0, now_);
  now_ += kTicksPerSecond;
  log::ProcessUsage usage;
  usage.clock = clock(now_);
  usage.user_us = (now_ - kStart) / (kTicksPerSecond / 1'000'000) * shape_.threads;
  usage.max_rss_kb = 400'000;
  writer_.process(usage);
}

Result<uint64_t> Maker::run() {
  write_intro();
  write_names();
  while (writer_.bytes_written() < shape_.bytes) {
    write_second();
    if (const Status status = writer_.flush({}); !status) return status;
  }
  const ClockPair end = clock(now_);
  writer_.end({log::kVersion2, end.counter, end.unix_us});
  if (const Status status = writer_.flush({}); !status) return status;
  return samples_;
}

}  // namespace

Result<uint64_t> make_log(const std::string& path, const LogShape& shape) {
  const auto writer = log::Writer::create(path);
  if (!writer) return writer.status();
  return Maker(**writer, shape).run();
}

}  // namespace oriel::bench
