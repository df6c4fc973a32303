// Snapshots of the heap in other viewers' files, read back: .gcdump by what reads other tools' dumps, .heapsnapshot as
// JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "exports/export.h"
#include "exports/heap_view.h"
#include "heap/compressed_int.h"
#include "heap/gcdump.h"
#include "heap/maker/heap_maker.h"

namespace oriel::exports {
namespace {

using heap::Gcdump;
using heap::HeapMaker;
using log::HeapRootKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kUnixUs = 1'700'000'000'000'000;
constexpr const char* kNames[] = {"Shop.Cache", "Shop.Order[]", "Shop.Order", "Shop.Größe\xF0\x9F\x98\x80", "string"};

class HeapExport : public ::testing::Test {
 protected:
  HeapExport() {
    char folder[] = "/tmp/oriel-heap-export-XXXXXX";
    if (mkdtemp(folder) == nullptr) std::abort();
    folder_ = folder;
  }
  ~HeapExport() override { std::filesystem::remove_all(folder_); }

  // A cache in a static field with three orders in an array, one of them named by a string of odd size; two more in
  // a local variable and a handle; garbage.
  profile::Profile load() {
    const auto writer = std::move(*log::Writer::create(folder_ + "/shop.oriel"));
    log::Intro intro;
    intro.clock = {1'000, kUnixUs};
    intro.properties = {{"host", "shelf"}, {"command", "dotnet Shop.dll"}, {"pid", "4711"}};
    writer->intro(intro);
    log::Mapping mapping;
    mapping.start = mapping.end = intro.clock;
    mapping.images.push_back({1, "Shop.dll", "/app/Shop.dll", "Shop"});
    for (uint64_t i = 0; i < std::size(kNames); ++i) mapping.classes.push_back({i + 1, 0, 1, kNames[i]});
    mapping.classes.push_back({9, 0, 1, "Shop.Program"});
    mapping.methods.push_back({10, 9, "Main()", ""});
    mapping.threads.push_back({1, 100, true, "main"});
    writer->mapping(mapping);
    HeapMaker maker;
    const uint64_t cache = maker.type(1, 32, {"_orders", "_lock"}), orders = maker.type(2, 16, {}, 8, {""});
    const uint64_t order = maker.type(3, 24, {"name"}), size = maker.type(4, 1000, {});
    const uint64_t text = maker.type(5, 22, {}, 2);
    maker.object(cache, {1, HeapMaker::kNull});
    maker.object(orders, {2, 3, 4}, 3);
    for (const uint64_t name : {5, 5, 5}) maker.object(order, {name});
    maker.object(text, {}, 3);
    maker.object(size);
    maker.object(order, {6});
    maker.object(order, {5});
    maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.Instance");
    maker.root(HeapRootKind::kStack, 7, "", 1, 10);
    maker.root(HeapRootKind::kPinnedHandle, 6);
    maker.root(HeapRootKind::kWeakHandle, 8);
    maker.snapshot().counter = intro.clock.counter;
    maker.snapshot().spaces = {{1, 0x7f00'0000'0000, 0x10000}, {4, 0x7f00'1000'0000, 0x1000}};
    maker.write(*writer);
    EXPECT_TRUE(writer->flush({}).is_ok());
    writer->close();
    Result<profile::Profile> profile = profile::load(folder_ + "/shop.oriel");
    EXPECT_TRUE(profile.is_ok()) << profile.message();
    return std::move(*profile);
  }

  std::string exported(const char* format) {
    std::ostringstream out;
    const Status status = write_export(**find_export(format), load(), out);
    EXPECT_TRUE(status.is_ok()) << status.message();
    return out.str();
  }

  std::string folder_;
};

Result<Gcdump> parse(const std::string& bytes) {
  return heap::parse_gcdump({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, uint64_t{1} << 20);
}

TEST_F(HeapExport, AGcdumpReadsAsItWasExported) {
  const Result<Gcdump> dump = parse(exported("gcdump"));
  ASSERT_TRUE(dump.is_ok()) << dump.message();
  const heap::Graph& graph = dump->graph;
  ASSERT_EQ(graph.objects(), 8u);  // without garbage
  EXPECT_THAT(dump->names, ElementsAre(kNames[0], kNames[1], kNames[2], kNames[4], kNames[3]));
  EXPECT_EQ(dump->modules[0], "Shop.dll");
  EXPECT_THAT(graph.words, ElementsAre(4, 5, 3, 3, 3, 4, 125, 3));
  EXPECT_THAT(graph.references(1), ElementsAre(2, 3, 4));
  EXPECT_THAT(graph.references(7), ElementsAre(6));
  EXPECT_EQ(graph.addresses[0], 0x7f00'0000'0000u);
  EXPECT_EQ(graph.addresses[2], 0x7f00'0000'0000u + 72);
  EXPECT_EQ(graph.snapshot.bytes, (4u + 5 + 3 + 3 + 3 + 4 + 125 + 3) * 8);
  EXPECT_EQ(dump->host, "shelf");
  EXPECT_EQ(dump->process, "Shop");
  EXPECT_EQ(dump->pid, 4711u);
  EXPECT_EQ(dump->unix_us, kUnixUs);
  std::map<std::string, std::pair<HeapRootKind, uint64_t>> roots;
  for (const log::HeapRoot& root : graph.snapshot.roots)
    roots[root.name] = {static_cast<HeapRootKind>(root.kind), root.object};
  EXPECT_EQ(roots["Shop.Cache.Instance"], std::pair(HeapRootKind::kStatic, uint64_t{0}));
  EXPECT_EQ(roots["Shop.Program.Main()"], std::pair(HeapRootKind::kStack, uint64_t{7}));
  EXPECT_EQ(roots[""], std::pair(HeapRootKind::kPinnedHandle, uint64_t{6}));
}

TEST_F(HeapExport, AGcdumpIsReadAsALogWithOneSnapshot) {
  std::ofstream(folder_ + "/shop.gcdump", std::ios::binary) << exported("gcdump");
  const Result<profile::Profile> profile = profile::load(folder_ + "/shop.gcdump");
  ASSERT_TRUE(profile.is_ok()) << profile.message();
  ASSERT_EQ(profile->heap_snapshots.size(), 1u);
  EXPECT_EQ(profile->heap_snapshots[0].objects, 8u);
  EXPECT_EQ(profile->heap_snapshots[0].cause, "dump");
  EXPECT_EQ(profile->functions[profile->heap_types[0].type].name, "Shop.Cache");
  EXPECT_EQ(profile->functions[profile->heap_types[0].type].module, "Shop.dll");
  EXPECT_EQ(profile->heap_roots.size(), 3u);
  // It can be exported again.
  std::ostringstream again;
  EXPECT_TRUE(write_export(**find_export("heapsnapshot"), *profile, again).is_ok());
}

TEST_F(HeapExport, AHeapsnapshotHasFieldsByName) {
  const nlohmann::json json = nlohmann::json::parse(exported("heapsnapshot"));
  const auto& strings = json["strings"];
  const size_t node_fields = json["snapshot"]["meta"]["node_fields"].size();
  EXPECT_EQ(json["nodes"].size(), node_fields * json["snapshot"]["node_count"].get<size_t>());
  EXPECT_EQ(json["edges"].size(), 3 * json["snapshot"]["edge_count"].get<size_t>());
  const auto name_of = [&](size_t node) {
    return strings[json["nodes"][node * node_fields + 1].get<size_t>()].get<std::string>();
  };
  std::vector<std::string> lines;
  size_t edge = 0;
  for (size_t node = 0; node < json["snapshot"]["node_count"]; ++node)
    for (size_t i = 0; i < json["nodes"][node * node_fields + 4]; ++i, edge += 3) {
      const size_t to = json["edges"][edge + 2];
      EXPECT_EQ(to % node_fields, 0u);
      const bool named = json["edges"][edge] == 2;
      const std::string place = named ? strings[json["edges"][edge + 1].get<size_t>()].get<std::string>() : "";
      lines.push_back(name_of(node) + " " + place + " -> " + name_of(to / node_fields));
    }
  EXPECT_THAT(lines, ::testing::IsSupersetOf({
                         std::string("  -> static fields"),
                         std::string("static fields  -> static Shop.Cache.Instance"),
                         std::string("static Shop.Cache.Instance  -> Shop.Cache"),
                         std::string("Shop.Cache _orders -> Shop.Order[]"),
                         std::string("Shop.Order[] [] -> Shop.Order"),
                         std::string("Shop.Order name -> string"),
                         std::string("local variables  -> a word on the stack of Shop.Program.Main() on thread main"),
                         std::string("pinned GC handles  -> ") + kNames[3],
                     }));
}

TEST_F(HeapExport, WithoutASnapshotThereIsNothing) {
  profile::Profile profile = load();
  profile.heap_snapshots.clear();
  std::ostringstream out;
  EXPECT_EQ(write_export(**find_export("gcdump"), profile, out).message(),
            "this log has no snapshot of the heap; oriel run --heap takes one");
  EXPECT_EQ(out.str(), "");
}

TEST_F(HeapExport, ADamagedGcdumpIsRefusedOrReadAsFarAsItGoes) {
  const std::string whole = exported("gcdump");
  if (const char* corpus = std::getenv("ORIEL_CORPUS")) std::ofstream(corpus, std::ios::binary) << whole;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Result<Gcdump> dump = parse(whole.substr(0, size));
    EXPECT_TRUE(dump.is_ok() || !dump.message().empty());
  }
  EXPECT_EQ(parse("").message(), "it does not begin as a .gcdump file does");
  EXPECT_EQ(parse(whole.substr(0, 300)).message(), "it ends too early, or is damaged");
  EXPECT_THAT(
      heap::parse_gcdump({reinterpret_cast<const uint8_t*>(whole.data()), whole.size()}, uint64_t{100}).message(),
      HasSubstr("too large for this machine's memory"));
}

TEST(CompressedInt, HasItsSignInTheFirstOfSevenBits) {
  const auto bytes_of = [](int32_t value) {
    uint8_t room[heap::kMostCompressedBytes];
    return std::vector<uint8_t>(room, heap::write_compressed(room, value));
  };
  EXPECT_THAT(bytes_of(0), ElementsAre(0));
  EXPECT_THAT(bytes_of(63), ElementsAre(0x3f));
  EXPECT_THAT(bytes_of(64), ElementsAre(0x80, 0x40));
  EXPECT_THAT(bytes_of(-64), ElementsAre(0x40));
  EXPECT_THAT(bytes_of(-65), ElementsAre(0xff, 0x3f));
  EXPECT_THAT(bytes_of(300), ElementsAre(0x82, 0x2c));
  for (const int32_t value : {0, 1, -1, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 1 << 27, -(1 << 27), 1 << 30,
                              INT32_MAX, INT32_MIN, INT32_MIN + 1}) {
    const std::vector<uint8_t> bytes = bytes_of(value);
    EXPECT_EQ(bytes.size(), heap::compressed_size(value));
    std::span<const uint8_t> rest = bytes;
    int32_t read = 0;
    EXPECT_TRUE(heap::read_compressed(rest, read));
    EXPECT_EQ(read, value);
    EXPECT_TRUE(rest.empty());
    rest = std::span(bytes).first(bytes.size() - 1);
    EXPECT_FALSE(heap::read_compressed(rest, read));
  }
}

}  // namespace
}  // namespace oriel::exports
