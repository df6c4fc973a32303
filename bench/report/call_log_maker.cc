#include "call_log_maker.h"

#include <random>
#include <vector>

#include "log/writer.h"

namespace oriel::bench {
namespace {

using log::CallKind;
using log::CallRecord;

constexpr size_t kBlock = 20'000;  // records
constexpr size_t kMaxDepth = 100;

// One thread's program: which calls are open, and what time it is there.
struct Walker {
  std::vector<uint32_t> stack;
  uint64_t now = 0;  // counter
};

class Maker {
 public:
  Maker(log::Writer& writer, const CallLogShape& shape) : writer_(writer), shape_(shape), walkers_(shape.threads) {
    for (Walker& walker : walkers_) walker.now = start_.counter;
  }
  Result<uint64_t> run();

 private:
  void write_names();
  void write_block(uint32_t thread);
  void leave_all(uint32_t thread);
  void step(Walker& walker, std::vector<CallRecord>& records);
  uint32_t random(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  // The writer reads the clock for each block: the calls' counters are to be of the same clock, and run ahead of it.
  const ClockPair start_ = clock_pair();
  log::Writer& writer_;
  const CallLogShape& shape_;
  std::mt19937 random_{42};
  std::vector<Walker> walkers_;
  uint64_t calls_ = 0;
};

void Maker::write_names() {
  log::Intro intro;
  intro.runtime = "CoreCLR 10.0.0";
  intro.clock = start_;
  intro.properties = {
      {"command", "dotnet exec generated.dll"}, {"counter", clock_counter_name()}, {"sampling.mode", "none"}};
  writer_.intro(intro);
  log::Mapping mapping;
  mapping.start = mapping.end = intro.clock;
  mapping.images.push_back({1, "Generated.dll", "/srv/Generated.dll", "Generated"});
  for (uint32_t i = 1; i <= shape_.classes; ++i)
    mapping.classes.push_back({i, i % 5 == 0 ? 0u : 16 + i % 8 * 8, 1,
                               "Generated.Area" + std::to_string(i % 37) + ".Class" + std::to_string(i)});
  for (uint32_t i = 1; i <= shape_.methods; ++i)
    mapping.methods.push_back({i, i % shape_.classes + 1, "Method" + std::to_string(i) + "(System.String, int)", ""});
  for (uint32_t i = 1; i <= shape_.threads; ++i)
    mapping.threads.push_back({i, 4000 + i, true, "Worker " + std::to_string(i)});
  writer_.mapping(mapping);
}

// A call, or the end of one. A method mostly calls the same few others, so that ways repeat as in real programs.
void Maker::step(Walker& walker, std::vector<CallRecord>& records) {
  walker.now += 15 + random(60);
  const size_t depth = walker.stack.size();
  const bool down = depth < shape_.mean_depth ? random(5) < 3 : random(5) < 2;
  if (depth == 0 || (down && depth < kMaxDepth)) {
    const uint32_t caller = depth == 0 ? 0 : walker.stack.back();
    const uint32_t choice = random(16) == 0 ? 1 + random(2) : 0;
    const uint32_t callee = (caller * 2'654'435'761u + choice * 40'503u) % shape_.methods + 1;
    walker.stack.push_back(callee);
    records.push_back({CallKind::kEnter, callee, walker.now});
    ++calls_;
    if (shape_.calls_an_object == 0 || random(shape_.calls_an_object) != 0) return;
    records.push_back({CallKind::kSite, callee, 0});
    records.push_back({CallKind::kAllocation, callee % shape_.classes + 1, 24 + random(100)});
  } else {
    const CallKind how = random(1000) == 0 ? CallKind::kLeaveByException : CallKind::kLeave;
    records.push_back({how, walker.stack.back(), walker.now});
    walker.stack.pop_back();
  }
}

void Maker::write_block(uint32_t thread) {
  std::vector<CallRecord> records;
  records.reserve(kBlock + 3);
  const uint64_t base = walkers_[thread].now;
  while (records.size() < kBlock) step(walkers_[thread], records);
  writer_.calls(thread + 1, base, records);
}

void Maker::leave_all(uint32_t thread) {
  Walker& walker = walkers_[thread];
  std::vector<CallRecord> records;
  while (!walker.stack.empty()) {
    records.push_back({CallKind::kLeave, walker.stack.back(), ++walker.now});
    walker.stack.pop_back();
  }
  writer_.calls(thread + 1, walker.now - records.size(), records);
}

Result<uint64_t> Maker::run() {
  write_names();
  while (calls_ * 2 < shape_.events) {
    for (uint32_t thread = 0; thread < shape_.threads; ++thread) write_block(thread);
    if (const Status status = writer_.flush({}); !status) return status;
  }
  for (uint32_t thread = 0; thread < shape_.threads; ++thread) leave_all(thread);
  log::ProcessUsage usage;
  usage.clock = clock_pair();
  writer_.process(usage);
  writer_.end({log::kVersion2, usage.clock.counter, usage.clock.unix_us});
  if (const Status status = writer_.flush({}); !status) return status;
  return calls_;
}

}  // namespace

Result<uint64_t> make_call_log(const std::string& path, const CallLogShape& shape) {
  const auto writer = log::Writer::create(path);
  if (!writer) return writer.status();
  return Maker(**writer, shape).run();
}

}  // namespace oriel::bench
