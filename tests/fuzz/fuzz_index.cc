// Any bytes may be a log that is indexed, and any may stand in an index: what is read with a log's own index is what is
// read without, and a wrong one does no harm. So are logs of calls that the bytes stand for.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/files/open_file.h"
#include "log/calls_of_bytes.h"
#include "log/range_decoder.h"
#include "log/sample_index.h"
#include "log/writer.h"
#include "profile/build/builder.h"
#include "profile/shop/same_profile.h"
#include "zstd_frame.h"

namespace {

using namespace oriel::log;

void require(bool holds) {
  if (!holds) std::abort();
}

// The samples in a range, and the sums of all others, whoever sums them.
struct Told : RangeSink {
  explicit Told(const CounterRange& wanted) : range(wanted) {}

  void on_sample(uint64_t thread, const Sample& sample) override {
    see(thread, {sample.counter, sample.counter});
    if (sample.counter >= range.from && sample.counter <= range.to)
      kept.emplace_back(thread, sample.counter, sample.node, sample.periods);
    else
      passed += std::min<uint64_t>(sample.periods, UINT32_MAX);
  }
  void on_passed(uint64_t thread) override { seen.try_emplace(thread, kNoCounters); }
  void on_passed(const PassedThread& thread) override { see(thread.thread, thread.seen); }
  void on_passed(const PassedFrame& frame) override { passed += frame.periods; }
  void on_event(const Event&) override { ++events; }
  void see(uint64_t thread, const CounterRange& more) {
    CounterRange& its = seen.try_emplace(thread, kNoCounters).first->second;
    its = {std::min(its.from, more.from), std::max(its.to, more.to)};
  }

  CounterRange range;
  std::vector<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>> kept;
  std::map<uint64_t, CounterRange> seen;
  uint64_t passed = 0, events = 0;
};

// A file of these bytes, which is gone with this.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const uint8_t> bytes) : file_(memfd_create("log", MFD_CLOEXEC)) {
    require(write(file_.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  int number() const { return file_.number(); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.number()); }

 private:
  oriel::OpenFile file_;
};

void compare(const std::string& path, const SampleIndex& index, const CounterRange& range) {
  Told whole(range), part(range);
  const auto of_whole = decode_range(path, {}, {range, {}}, whole);
  const auto of_part = decode_range(path, index, {range, {}}, part);
  require(of_whole.is_ok() == of_part.is_ok());
  if (!of_whole) return;
  require(whole.kept == part.kept && whole.passed == part.passed && whole.events == part.events);
  require(of_whole->blocks == of_part->blocks && of_whole->corrupt_blocks == of_part->corrupt_blocks);
  require(whole.seen.size() == part.seen.size());
  for (const auto& [thread, seen] : whole.seen)
    require(part.seen[thread].from == seen.from && part.seen[thread].to == seen.to);
}

// False if the log cannot be read.
bool read_profile(const std::string& path, const SampleIndex& index, const CounterRange& range,
                  oriel::profile::Profile& profile) {
  oriel::profile::Builder builder;
  builder.limit_samples(range);
  builder.limit_calls(range.from, range.to);
  const auto outcome = decode_range(path, index, builder.part(), builder);
  if (outcome) profile = builder.finish(*outcome);
  return outcome.is_ok();
}

void compare_profiles(const std::string& path, const SampleIndex& index, const CounterRange& range) {
  oriel::profile::Profile whole, part;
  require(read_profile(path, {}, range, whole) == read_profile(path, index, range, part));
  const std::string difference = oriel::testing::difference(whole, part);
  if (!difference.empty()) std::fprintf(stderr, "different: %s\n", difference.c_str());
  require(difference.empty());
}

void compare_calls(std::span<const uint8_t> bytes, uint64_t piece, const CounterRange& range) {
  const MemoryFile file({});
  const auto writer = Writer::create_unnamed(file.number());
  require(writer.is_ok());
  CallsOfBytes().write(bytes, **writer);
  const auto index = make_sample_index(file.path(), piece);
  require(index.is_ok());
  compare_profiles(file.path(), *index, range);
}

}  // namespace

// The first byte says how long pieces are, the second which part of the time is read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::span<const uint8_t> rest(data + 2, size - 2);
  const MemoryFile file(rest);
  const CounterRange calls{CallsOfBytes::kFirstCounter + data[1] * 32u,
                           CallsOfBytes::kFirstCounter + data[1] * 32u + data[0] * 16u};
  compare_calls(rest, 1 + data[0] * 8u, calls);
  auto index = make_sample_index(file.path(), 16 + data[0] * 8u);
  if (!index) {
    require(!index.message().empty());
    return 0;
  }
  const CounterRange range{data[1] * 500u, data[1] * 500u + 400u};
  compare(file.path(), *index, range);
  compare_profiles(file.path(), *index, range);
  for (IndexPiece& piece : index->pieces) {
    piece.rest = oriel::fuzz::frame_of(rest);
    piece.rest_size = rest.size();
  }
  oriel::profile::Profile wrong;
  read_profile(file.path(), *index, range, wrong);
  Told told(range);
  const auto outcome = decode_range(file.path(), *index, {range, {}}, told);
  require(outcome.is_ok() || !outcome.message().empty());
  return 0;
}
