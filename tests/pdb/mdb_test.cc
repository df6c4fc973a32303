#include "pdb/mdb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include "paths.h"
#include "pdb/find.h"
#include "pdb/symbols.h"

namespace oriel::pdb {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<uint8_t>;
using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // il, document, line, column

Bytes bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of Lines.cs here, by `mcs -debug -pathmap:FOLDER=/src/shop`. What is expected of it was printed by a program with
// Mono's own reader, Mono.CompilerServices.SymbolWriter.
const fs::path kKept = fs::path(test_paths::fuzz_corpus) / "mdb/lines.mdb";
constexpr const char* kMvid = "8748c8c2aeb3b94a816a85e3e199c173";

std::vector<Place> places_of(const std::vector<SequencePoint>& points) {
  std::vector<Place> places;
  for (const SequencePoint& point : points) places.emplace_back(point.il, point.document, point.line, point.column);
  return places;
}

TEST(MdbOfMcs, HasTheLinesThatMonoReadsInIt) {
  const Result<Mdb> mdb = Mdb::parse(bytes_of(kKept));
  ASSERT_TRUE(mdb) << mdb.message();
  EXPECT_EQ(mdb->id(), kMvid);
  const auto points = [&](uint32_t row) { return places_of(mdb->points(row)); };
  EXPECT_EQ(points(1), (std::vector<Place>{{0, 1, 5, 32}, {1, 1, 6, 5}, {10, 1, 7, 3}}));
  EXPECT_EQ(points(2),
            (std::vector<Place>{{0, 1, 9, 28}, {1, 1, 10, 5}, {3, 1, 10, 15}, {17, 1, 14, 5}, {24, 1, 15, 3}}));
  EXPECT_EQ(points(3), (std::vector<Place>{{0, 1, 17, 31},
                                           {1, 1, 18, 5},
                                           {3, 1, 18, 15},
                                           {9, 2, 300, 5},
                                           {13, 2, 301, 5},
                                           {15, 2, 301, 11},
                                           {21, 1, 23, 5},
                                           {28, 1, 24, 3}}));
  EXPECT_EQ(points(4), std::vector<Place>()) << "the method that makes an iterator";
  EXPECT_EQ(points(6), (std::vector<Place>{{0, 1, 33, 7}})) << "a lambda";
  EXPECT_EQ(points(8), (std::vector<Place>{{37, 1, 26, 34}, {38, 1, 27, 5}, {65, 1, 28, 5}, {92, 1, 29, 3}}));
  for (const uint32_t row : {0u, 15u, 1u << 24, 0x06000001u}) EXPECT_TRUE(mdb->points(row).empty()) << row;
  const SequencePoint last = mdb->points(1).back();
  EXPECT_EQ(std::tuple(last.end_line, last.end_column), std::tuple(7u, 3u)) << "no ends are in the file";
}

TEST(MdbOfMcs, HasItsSourcesWithTheirHashes) {
  const Result<Mdb> mdb = Mdb::parse(bytes_of(kKept));
  ASSERT_TRUE(mdb) << mdb.message();
  ASSERT_EQ(mdb->document_count(), 2u);
  EXPECT_EQ(mdb->document(1).path, "/src/shop/Lines.cs");
  EXPECT_EQ(mdb->document(1).hash,
            (Bytes{0x52, 0x88, 0x19, 0x7d, 0xdc, 0xd6, 0x93, 0xec, 0xa3, 0xd6, 0xd1, 0xce, 0x0a, 0x82, 0x08, 0x75}));
  EXPECT_EQ(mdb->document(2).path, "/src/shop/Made.cs");
  EXPECT_TRUE(mdb->document(2).hash.empty()) << "no such file was there to be hashed";
  EXPECT_TRUE(mdb->document(0).path.empty());
  EXPECT_TRUE(mdb->document(3).path.empty());
}

TEST(MdbOfMcs, CutShortAnywhereIsRefused) {
  const Bytes whole = bytes_of(kKept);
  ASSERT_FALSE(whole.empty());
  for (size_t size = 0; size < whole.size(); ++size) {
    const Result<Mdb> mdb = Mdb::parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    ASSERT_FALSE(mdb) << size;
    EXPECT_NE(mdb.message().find(".mdb"), std::string::npos) << mdb.message();
  }
}

// Each byte in turn has other values: the file is refused, or read as far as it makes sense.
TEST(MdbOfMcs, WithOtherBytesIsRefusedOrRead) {
  const Bytes whole = bytes_of(kKept);
  size_t refused = 0, with_lines = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint8_t change : {0x01, 0x80, 0xff}) {
      Bytes bytes = whole;
      bytes[at] ^= change;
      const Result<Mdb> mdb = Mdb::parse(std::move(bytes));
      refused += !mdb;
      size_t points = 0;
      for (uint32_t row = 0; mdb && row < 20; ++row) {
        points += mdb->points(row).size();
        mdb->document(row);
      }
      EXPECT_LE(points, whole.size());
      with_lines += points > 0;
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(with_lines, whole.size());
}

struct Images : testing::Test {
  Images() { fs::create_directories(folder / "symbols"); }
  ~Images() override { fs::remove_all(folder); }
  std::optional<Symbols> found(const Wanted& wanted, const std::vector<std::string>& folders = {}) const {
    return find_symbols(wanted, folders);
  }
  std::string image() const { return folder / "App.exe"; }
  const fs::path folder = fs::temp_directory_path() / ("oriel-mdb-" + std::to_string(getpid()));
};

TEST_F(Images, HaveTheirMdbBesideThem) {
  EXPECT_FALSE(has_mdb(image()));
  EXPECT_FALSE(has_mdb(""));
  EXPECT_FALSE(found({kMvid, "", image()}));
  fs::copy_file(kKept, folder / "App.exe.mdb");
  EXPECT_TRUE(has_mdb(image()));
  const std::optional<Symbols> symbols = found({kMvid, "", image()});
  ASSERT_TRUE(symbols);
  EXPECT_EQ(places_of(symbols->points(6)), (std::vector<Place>{{0, 1, 33, 7}}));
  EXPECT_EQ(symbols->document(1).path, "/src/shop/Lines.cs");
  EXPECT_TRUE(symbols->state_machines().empty());
  EXPECT_FALSE(symbols->source(1));
  EXPECT_EQ(symbols->source_link(), "");
  EXPECT_TRUE(found({std::string(40, '1'), "", image(), kMvid})) << "the PDB that the image names is not here";
}

TEST_F(Images, HaveTheirMdbWhereItWasOrAmongSymbols) {
  fs::copy_file(kKept, folder / "Built.exe.mdb");
  fs::copy_file(kKept, folder / "symbols" / "App.exe.mdb");
  EXPECT_TRUE(found({kMvid, folder / "Built.exe.mdb", "/gone/App.exe"}));
  EXPECT_TRUE(found({kMvid, "", "/gone/App.exe"}, {folder / "symbols"}));
  EXPECT_FALSE(found({kMvid, "", "/gone/App.exe"}, {folder}));
}

TEST_F(Images, DoNotHaveTheMdbOfAnotherBuild) {
  fs::copy_file(kKept, folder / "App.exe.mdb");
  EXPECT_FALSE(found({std::string(32, '0'), "", image()}));
  EXPECT_FALSE(found({"", "", image()}));
  EXPECT_FALSE(find_symbols({kMvid, "", image()}, {}, 100)) << "it is larger";
}

void add_number(Bytes& to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8) to.push_back(static_cast<uint8_t>(value));
}

constexpr uint32_t kHeaderBytes = 112;

struct MethodParts {
  uint32_t token, data, lines;
};

// A file with this data behind the header, and tables of these.
Bytes mdb_file(const Bytes& data, const std::vector<MethodParts>& methods, const std::vector<uint32_t>& documents,
               uint32_t range = 8, uint32_t version = 50) {
  const auto data_end = static_cast<uint32_t>(kHeaderBytes + data.size());
  const auto documents_at = static_cast<uint32_t>(data_end + 12 * methods.size());
  Bytes file;
  add_number(file, 0x45e82623fd7fa614, 8);
  add_number(file, version, 8);
  for (uint8_t i = 0; i < 16; ++i) file.push_back(i);
  const size_t total = documents_at + 8 * documents.size();
  for (const uint64_t number : {total, size_t{kHeaderBytes}, data.size(), size_t{0}, size_t{0}, size_t{0},
                                documents.size(), size_t{documents_at}, 8 * documents.size(), methods.size(),
                                size_t{data_end}, 12 * methods.size(), size_t{0}, size_t{0}, size_t{0}, size_t{0}})
    add_number(file, number, 4);
  for (const uint32_t number : {0xffffffffu, range, 9u, 0u}) add_number(file, number, 4);
  file.insert(file.end(), data.begin(), data.end());
  for (const MethodParts& method : methods)
    for (const uint32_t number : {method.token, method.data, method.lines}) add_number(file, number, 4);
  for (size_t i = 0; i < documents.size(); ++i) {
    add_number(file, i + 1, 4);
    add_number(file, documents[i], 4);
  }
  return file;
}

// The points of a file with one method that has these lines and flags.
std::vector<SequencePoint> points_of(Bytes lines, uint8_t flags = 0) {
  const auto end = static_cast<uint32_t>(kHeaderBytes + lines.size());
  lines.insert(lines.end(), {1, 0, 0, 0, 0, 0, flags});
  const Result<Mdb> mdb = Mdb::parse(mdb_file(lines, {{0x06000001, end, kHeaderBytes}}, {}));
  EXPECT_TRUE(mdb) << mdb.message();
  return mdb ? mdb->points(1) : std::vector<SequencePoint>();
}

constexpr uint8_t kEnd[] = {0, 1, 1};

Bytes ended(Bytes program, const Bytes& columns = {}) {
  program.insert(program.end(), std::begin(kEnd), std::end(kEnd));
  program.insert(program.end(), columns.begin(), columns.end());
  return program;
}

TEST(LinePrograms, InstructionsAdvanceLinesAndOffsets) {
  const Bytes program = {
      10,             // line 1, IL 0
      9 + 8 * 3 + 2,  // a line on, IL 3
      3,
      0xe4,
      0xff,
      0xff,
      0xff,
      0x0f,  // 28 lines back: to no line
      1,     // copied
      3,
      0xe4,
      0x00,  // 100 lines on
      2,
      0x80,
      0x01,
      1,  // 128 bytes on
      4,
      2,
      8,
      1,  // document 2, 30 bytes on
  };
  const std::vector<SequencePoint> points = points_of(ended(program));
  EXPECT_EQ(places_of(points),
            (std::vector<Place>{{0, 1, 1, 0}, {3, 1, 2, 0}, {3, 1, 0, 0}, {131, 1, 74, 0}, {161, 2, 74, 0}}));
}

TEST(LinePrograms, HiddenCodeHasNoLine) {
  const std::vector<SequencePoint> points =
      points_of(ended({10, 0, 1, 0x40, 18, 0, 3, 0x40, 7, 7, 18, 3, 0xed, 0xdf, 0xfb, 0x07, 1}, {5, 6, 7, 8}), 2);
  EXPECT_EQ(places_of(points), (std::vector<Place>{{0, 1, 1, 5}, {1, 1, 0, 0}, {2, 1, 1, 7}, {2, 1, 0, 0}}));
}

TEST(LinePrograms, EndsFollowTheColumns) {
  const std::vector<SequencePoint> points =
      points_of(ended({11, 17, 18}, {5, 6, 7, 0, 9, 0xff, 0xff, 0xff, 0x07, 3, 2}), 2 | 4);
  ASSERT_EQ(places_of(points), (std::vector<Place>{{0, 1, 2, 5}, {1, 1, 1, 6}, {2, 1, 1, 7}}));
  const auto end = [&](size_t i) { return std::tuple(points[i].end_line, points[i].end_column); };
  EXPECT_EQ(end(0), std::tuple(2u, 9u));
  EXPECT_EQ(end(1), std::tuple(1u, 6u)) << "not known";
  EXPECT_EQ(end(2), std::tuple(4u, 2u));
}

TEST(LinePrograms, DamagedOnesHaveThePointsBefore) {
  const std::vector<Place> first = {{0, 1, 1, 0}};
  EXPECT_EQ(places_of(points_of({10, 5})), first) << "no such instruction";
  EXPECT_EQ(places_of(points_of({10, 0, 0, 1, 10})), first) << "an instruction without bytes";
  EXPECT_EQ(places_of(points_of({10, 0, 200, 0x41})), first) << "one that is longer than all";
  EXPECT_EQ(places_of(points_of({10, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 1})), first) << "a number without end";
  EXPECT_EQ(places_of(points_of({10, 2, 0xff})), first) << "a number that is cut short";
  EXPECT_EQ(places_of(points_of({18, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 1})), (std::vector<Place>{{1, 1, 1, 0}}))
      << "back";
  EXPECT_EQ(places_of(points_of(ended({10}), 2)), first) << "no columns";
}

TEST(LinePrograms, NumbersThatNoLineHasAreOfNoLine) {
  const auto first = [](Bytes lines, uint8_t flags = 0) { return points_of(std::move(lines), flags).at(0); };
  EXPECT_EQ(first({3, 0xfe, 0xff, 0xff, 0xff, 0x01, 1}).line, 0x1fffffffu);
  EXPECT_EQ(first({3, 0xff, 0xff, 0xff, 0xff, 0x01, 1}).line, 0u);
  const SequencePoint long_one = first(ended({3, 9, 1}, {0xfe, 0xff, 0xff, 0xff, 0x0f, 7}), 4);
  EXPECT_EQ(std::tuple(long_one.line, long_one.end_line), std::tuple(0u, 0u)) << "ends behind the last";
}

TEST(Mdb, IsRefusedWhereItCannotBeOne) {
  const auto message = [](Bytes file) { return Mdb::parse(std::move(file)).message(); };
  EXPECT_TRUE(Mdb::parse(mdb_file({}, {}, {})));
  EXPECT_NE(message({'B', 'S', 'J', 'B', 0, 0, 0, 0, 0}).find("signature"), std::string::npos);
  EXPECT_NE(message(mdb_file({}, {}, {}, 8, 51)).find("version"), std::string::npos);
  EXPECT_NE(message(mdb_file({}, {}, {}, 0)).find("line numbers"), std::string::npos);
  Bytes many = mdb_file({}, {}, {});
  many[32 + 4 * 9 + 3] = 0x7f;  // methods
  EXPECT_NE(message(std::move(many)).find("a table ends"), std::string::npos);
}

TEST(Mdb, WhatItsRowsShareIsNoMoreThanAFewTimesIt) {
  const Bytes lines(10'000, 10);
  const uint32_t end = kHeaderBytes + 10'000;
  std::vector<MethodParts> methods;
  for (uint32_t i = 1; i <= 10; ++i) methods.push_back({0x06000000 | i, end, kHeaderBytes});
  EXPECT_NE(Mdb::parse(mdb_file(lines, methods, {})).message().find("share their lines"), std::string::npos);
  methods.resize(1);
  EXPECT_TRUE(Mdb::parse(mdb_file(lines, methods, {})));
  Bytes name = {0x80, 0x20};
  name.resize(2 + 4096 + 33, 'p');
  EXPECT_NE(Mdb::parse(mdb_file(name, {}, std::vector<uint32_t>(2000, kHeaderBytes))).message().find("their names"),
            std::string::npos);
  EXPECT_EQ(Mdb::parse(mdb_file(name, {}, {kHeaderBytes}))->document(1).path, std::string(4096, 'p'));
}

}  // namespace
}  // namespace oriel::pdb
