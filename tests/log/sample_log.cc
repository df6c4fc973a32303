#include "log/sample_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "log/call_list.h"
#include "log/event.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

Intro sample_intro() {
  Intro intro;
  intro.runtime = "scripted 1.0";
  intro.flags = 5;
  intro.clock = {1000, 1'700'000'000'000'000};
  intro.properties = {{"command", "dotnet größe.dll --x"}, {"pid", "4711"}, {"empty", ""}};
  return intro;
}

Mapping sample_mapping() {
  Mapping mapping;
  mapping.start = {1100, 1'700'000'000'000'100};
  mapping.thread = 128;
  mapping.classes = {{1, 24, 3, "Shop.Cart"}, {128, 0, 0, "System.String"}};
  mapping.methods = {{1, 1, "AddAsync(System.String, int)", "Shop.Cart+<AddAsync>d__3.MoveNext()"},
                     {256, 0, "(dynamic)", ""}};
  mapping.images = {{3, "shop.dll", "/srv/shop.dll", "Shop"}};
  mapping.libraries = {{1, "/usr/lib/libc.so.6"}};
  mapping.natives = {{1, 1, "memcpy"}, {384, 0, ""}};
  mapping.threads = {{1, 4711, true, "main"}, {2, 4712, false, ""}};
  mapping.origins = {{3, Origin::kProject, "Shop"}};
  mapping.definitions = {{1, 3, 17}};
  mapping.boxes = {{1, 9}, {1, 300}};
  mapping.unoptimized = {{3}};
  mapping.symbols = {{3, std::string(40, 'a'), "/src/Shop.pdb"}};
  mapping.end = {1200, 1'700'000'000'000'200};
  return mapping;
}

void write_events(Writer& writer) {
  uint8_t bytes[3 * kMaxFieldBytes];
  uint8_t* end = encode_field(encode_field(bytes, uint64_t{1}), "worker");
  const RawEvent named{2000, 62, {bytes, end}};
  const RawEvent bare{2010, 1, {}};
  const RawEvent events[] = {named, bare};
  writer.events(1, events);
}

void write_calls(Writer& writer) {
  CallList()
      .enter(1, 2100)
      .site(1)
      .allocate(1, 24)
      .enter(256, 2400)
      .allocate(128, 80)
      .leave_by_exception(256, 2500)
      .leave_by_tail_call(1, 2600)
      .lost(7)
      .leave_by_exception(256, 2700)
      .write(writer, 1, 2050);
}

void write_allocations_with_stacks(Writer& writer) {
  uint8_t bytes[3 * kMaxVarintBytes];
  uint8_t* end = encode_field(encode_field(encode_field(bytes, uint64_t{1}), uint64_t{24}), uint64_t{102'412});
  const std::span<const uint8_t> fields(bytes, end);
  const RawEvent events[] = {{9'000'010, oriel_event_gc_allocation_sampled, fields, 2},
                             {9'000'011, 1, {}},
                             {9'000'012, oriel_event_gc_allocation_sampled, fields, 2},
                             {9'000'013, oriel_event_gc_allocation_sampled, fields, 0}};
  writer.events(2, events);
  CallList().site(256).stack(3).allocate(1, 24).stack(0).allocate(1, 24).write(writer, 2, 9'000'020);
}

void write_call_graph(Writer& writer) {
  CallGraph graph{2, 1, 1, 9'000'050, 1, 2, 3, {}, {}, {}};
  graph.timings = {{2, 8, 200, 1, 5'000'000, 1000}, {3, 0, 0, 2, 9000, 0}};
  graph.nodes = {{1, 0, 1, true, 1, 8'000'000, 0, 0, {}},
                 {2, 1, 256, false, 300, 7'000'000, 4, 5, {{1, 10, 240}, {128, 1, 64}}},
                 {3, 1, 1, false, 0, 0, 0, 0, {}}};
  writer.call_graph(graph);
}

void write_coverage(Writer& writer) {
  Coverage coverage{"Shop.Tests.Adds", 3, true, {}, {}};
  coverage.images = {{1, "shop.dll", "/srv/shop.dll", std::string(32, 'b'), std::string(40, 'a'), "/src/Shop.pdb"},
                     {2, "(dynamic)", "", std::string(32, 'c'), "", ""}};
  coverage.methods = {{1, 17, "", {{false, 0, 0, 5}, {true, 9, 0, 0}, {true, 9, 1, 5}, {false, 11, 0, 300}}},
                      {2, 1, "Made.Run()", {{false, 0, 0, 0}}},
                      {1, 18, "", {}}};
  writer.coverage(coverage);
}

}  // namespace

TemporaryFile::TemporaryFile() {
  std::string path = testing::TempDir() + "oriel-log-XXXXXX";
  const int file = mkstemp(path.data());
  EXPECT_GE(file, 0) << path;
  close(file);
  path_ = path;
}

TemporaryFile::TemporaryFile(const ByteVector& content) : TemporaryFile() {
  std::ofstream(path_, std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

ByteVector TemporaryFile::content() const {
  std::ifstream in(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_sample_log(const std::string& path, bool compressed) {
  auto created = Writer::create(path);
  ASSERT_TRUE(created.is_ok()) << created.message();
  Writer& writer = **created;
  if (compressed) writer.compress();
  writer.intro(sample_intro());
  writer.mapping(sample_mapping());
  ASSERT_TRUE(writer.flush({}).is_ok());

  Load load{false, kLoadModule | kLoadSuccess, 1500, 1600, 1, "shop.dll"};
  writer.load(load);
  load.unload = true;
  writer.load(load);
  write_events(writer);
  write_calls(writer);
  ASSERT_TRUE(writer.flush({}).is_ok());

  const StackNode nodes[] = {{1, 0, FrameKind::kNative, 384, true},
                             {2, 1, FrameKind::kManaged, 1, false},
                             {3, 1, FrameKind::kManaged, 256, false, 300}};
  writer.stacks(nodes);
  const Sample samples[] = {{5000, 2, 1}, {5000, 0, 1}, {9'000'000, 3, 7}};
  const Compiling compiling[] = {{5000, 256, false, 1}, {9'000'000, 1, true, 7}};
  writer.samples(2, samples, compiling);
  write_allocations_with_stacks(writer);
  write_call_graph(writer);
  write_coverage(writer);
  writer.process({{9'000'100, 1'700'000'000'003'000}, 12'000, 3'000, 65'536});
  const Counter counters[] = {{"instrumentation.instrumented", 300}, {"instrumentation.no IL", 0}};
  writer.counters(counters);
  writer.options({{9'000'200, 1'700'000'000'003'100}, "log", true, "hz=100,calls=Shop.*", {{"calls", "Shop.*"}}});
  writer.options({{9'000'300, 1'700'000'000'003'200}, "log", false, "", {}});
  const Lost lost[] = {{"buffer-full", 3}, {"thread-ended", 0}};
  ASSERT_TRUE(writer.flush(lost).is_ok());

  writer.end({kVersion2, {9'100'000, 1'700'000'000'004'000}});
  ASSERT_TRUE(writer.flush(lost).is_ok());
}

ByteVector sample_log(bool compressed) {
  const TemporaryFile file;
  write_sample_log(file.path(), compressed);
  return file.content();
}

std::vector<size_t> block_starts(const ByteVector& log) {
  std::vector<size_t> starts;
  size_t at = 0;
  while (at + kBlockHeaderSize <= log.size()) {
    starts.push_back(at);
    at += kBlockHeaderSize +
          (log[at + 2] | log[at + 3] << 8 | log[at + 4] << 16 | static_cast<size_t>(log[at + 5]) << 24);
  }
  starts.push_back(at);
  return starts;
}

}  // namespace oriel::log
