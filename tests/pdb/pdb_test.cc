#include "pdb/pdb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "metadata/debug_directory.h"
#include "paths.h"
#include "pdb/find.h"
#include "pdb/sequence_points.h"

namespace oriel::pdb {
namespace {

namespace fs = std::filesystem;

std::vector<uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const fs::path kAssembly = fs::path(test_paths::targets) / "lines/lines.dll";
const fs::path kEmbedded = fs::path(test_paths::targets) / "embedded_lines/embedded_lines.dll";

std::optional<metadata::DebugDirectory> directory_of(const std::vector<uint8_t>& image) {
  const auto read = [&](uint64_t offset, void* to, size_t size) {
    if (offset > image.size() || size > image.size() - offset) return false;
    std::copy_n(image.begin() + static_cast<ptrdiff_t>(offset), size, static_cast<uint8_t*>(to));
    return true;
  };
  return metadata::read_debug_directory(read, metadata::ImageLayout::kFile);
}

// Whether a method of the PDB has a point at the line of the source that has this text.
bool has_line_with(const Pdb& pdb, const fs::path& source, const std::string& text) {
  std::ifstream file(source);
  uint32_t number = 1;
  for (std::string line; std::getline(file, line) && line.find(text) == std::string::npos;) ++number;
  for (uint32_t row = 1; row < 200; ++row) {
    for (const SequencePoint& point : pdb.points(row)) {
      if (point.line == number && pdb.document(point.document).path.ends_with(source.filename().string())) return true;
    }
  }
  return false;
}

struct Targets : testing::Test {
  void SetUp() override {
    if (!fs::exists(kAssembly)) GTEST_SKIP() << "dotnet is not installed";
  }
};

using PdbOfCompiler = Targets;

TEST_F(PdbOfCompiler, IsFoundBesideTheAssemblyByItsIdAndHasTheLines) {
  const auto directory = directory_of(bytes_of(kAssembly));
  ASSERT_TRUE(directory.has_value());
  EXPECT_EQ(fs::path(directory->pdb_path).filename(), "lines.pdb");
  const auto pdb = find_pdb({directory->pdb_id, "/nowhere/lines.pdb", kAssembly}, {});
  ASSERT_TRUE(pdb.has_value());
  EXPECT_EQ(pdb->id(), directory->pdb_id);
  const fs::path source = fs::path(test_paths::target_sources) / "lines/Program.cs";
  for (const char* line : {"// burns in a lambda", "// burns in a local function", "// burns in an async method"})
    EXPECT_TRUE(has_line_with(*pdb, source, line)) << line;
  EXPECT_EQ(pdb->document(1).hash.size(), 32u);
  EXPECT_TRUE(pdb->points(0).empty());
  EXPECT_TRUE(pdb->points(1u << 20).empty());
  EXPECT_TRUE(pdb->document(1u << 20).path.empty());
}

TEST_F(PdbOfCompiler, OfAnotherBuildIsNotTaken) {
  EXPECT_FALSE(find_pdb({std::string(40, '0'), "", kAssembly}, {}).has_value());
}

TEST_F(PdbOfCompiler, IsFoundWithinTheAssembly) {
  const auto directory = directory_of(bytes_of(kEmbedded));
  ASSERT_TRUE(directory.has_value());
  EXPECT_NE(directory->embedded_at, 0u);
  const auto pdb = find_pdb({directory->pdb_id, directory->pdb_path, kEmbedded}, {});
  ASSERT_TRUE(pdb.has_value());
  EXPECT_TRUE(has_line_with(*pdb, fs::path(test_paths::target_sources) / "lines/Program.cs", "// burns in a lambda"));
}

TEST_F(PdbOfCompiler, HasTheTextOfItsSourcesWhereTheyWereEmbedded) {
  const auto pdb = embedded_pdb(kEmbedded);
  ASSERT_TRUE(pdb.has_value());
  const std::vector<uint8_t> file = bytes_of(fs::path(test_paths::target_sources) / "lines/Program.cs");
  bool found = false;
  for (uint32_t row = 1; row <= pdb->document_count(); ++row)
    found |=
        pdb->document(row).path.ends_with("Program.cs") && pdb->source(row) == std::string(file.begin(), file.end());
  EXPECT_TRUE(found);
  EXPECT_FALSE(pdb->source(0));
  EXPECT_FALSE(find_pdb({directory_of(bytes_of(kAssembly))->pdb_id, "", kAssembly}, {})->source(1));
}

TEST_F(PdbOfCompiler, TellsOfWhichMethodAStateMachineWasMade) {
  const auto pdb = find_pdb({directory_of(bytes_of(kAssembly))->pdb_id, "", kAssembly}, {});
  ASSERT_TRUE(pdb.has_value());
  const std::map<uint32_t, uint32_t> machines = pdb->state_machines();
  ASSERT_EQ(machines.size(), 2u);  // InAsync and Main
  for (const auto& [runs, made_of] : machines) {
    EXPECT_FALSE(pdb->points(runs).empty());
    EXPECT_TRUE(pdb->points(made_of).empty());
  }
}

TEST_F(PdbOfCompiler, IsFoundInAStoreOfSymbols) {
  const auto directory = directory_of(bytes_of(kAssembly));
  ASSERT_TRUE(directory.has_value());
  const std::string& id = directory->pdb_id;
  const auto two = [&](size_t at) { return id.substr(2 * at, 2); };
  const std::string key = two(3) + two(2) + two(1) + two(0) + two(5) + two(4) + two(7) + two(6) + id.substr(16, 16);
  const fs::path store = fs::temp_directory_path() / ("oriel-store-" + std::to_string(getpid()));
  fs::create_directories(store / "lines.pdb" / (key + "ffffffff"));
  fs::copy_file(fs::path(kAssembly).replace_extension("pdb"), store / "lines.pdb" / (key + "ffffffff") / "lines.pdb");
  EXPECT_TRUE(find_pdb({id, "C:\\build\\lines.pdb", "/gone/lines.dll"}, {store}).has_value());
  fs::remove_all(store);
}

TEST_F(PdbOfCompiler, CutShortAnywhereIsRefusedOrRead) {
  const std::vector<uint8_t> whole = bytes_of(fs::path(kAssembly).replace_extension("pdb"));
  size_t refused = 0, all = 0;
  for (size_t size = 0; size < whole.size(); size += 97, ++all) {
    const auto pdb = Pdb::parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    if (!pdb) {
      EXPECT_NE(pdb.message().find("portable PDB"), std::string::npos) << pdb.message();
      ++refused;
      continue;
    }
    for (uint32_t row = 0; row < 100; ++row) pdb->points(row);
  }
  EXPECT_EQ(refused, all) << "a stream ends behind the end of each";
}

// Where bytes are others the PDB is refused, or read as far as it makes sense.
TEST_F(PdbOfCompiler, WithOtherBytesIsRefusedOrRead) {
  const std::vector<uint8_t> whole = bytes_of(fs::path(kAssembly).replace_extension("pdb"));
  uint32_t random = 1;
  const auto next = [&] { return random = random * 1664525 + 1013904223; };
  size_t refused = 0, with_lines = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<uint8_t> bytes = whole;
    for (int i = 0; i < 8; ++i) bytes[(next() >> 8) % bytes.size()] = static_cast<uint8_t>(next() >> 24);
    const auto pdb = Pdb::parse(std::move(bytes));
    refused += !pdb;
    size_t points = 0;
    for (uint32_t row = 0; pdb && row < 100; ++row) points += pdb->points(row).size();
    with_lines += points > 0;
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(with_lines, 200u);
}

TEST(SequencePoints, DifferencesHiddenOnesAndOtherDocuments) {
  const std::vector<uint8_t> blob = {
      0,                           // no local variables
      0,    1,    4, 10, 5,        // IL 0: lines 10 to 11
      3,    0,    0,               // IL 3: of no line
      0,    2,                     // from here on document 2
      0x80, 0xc8, 0, 6,  0x7b, 2,  // IL 203: line 10 - 3
  };
  const std::vector<SequencePoint> points = read_points(blob, 1);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].line, 10u);
  EXPECT_EQ(points[0].end_line, 11u);
  EXPECT_EQ(points[0].column, 5u);
  EXPECT_EQ(points[0].end_column, 7u);
  EXPECT_EQ(points[1].il, 3u);
  EXPECT_EQ(points[1].line, 0u);
  EXPECT_EQ(points[2].il, 203u);
  EXPECT_EQ(points[2].document, 2u);
  EXPECT_EQ(points[2].line, 7u);
  EXPECT_EQ(points[2].column, 6u);
}

// What a line's number says is read, not believed: none is larger than the format allows, and none overflows.
TEST(SequencePoints, NumbersThatNoLineHasAreOfNoLine) {
  const auto line_of = [](std::vector<uint8_t> blob) { return read_points(blob, 1).at(0).line; };
  EXPECT_EQ(line_of({0, 0, 1, 4, 0xc0, 0xfe, 0xef, 0xec, 5}), 0x00feefecu) << "the largest that #line gives";
  EXPECT_EQ(line_of({0, 0, 1, 4, 0, 5}), 0u);
  EXPECT_EQ(line_of({0, 0, 1, 4, 0xdf, 0xff, 0xff, 0xff, 5}), 0u) << "ends behind the last";
  const std::vector<uint8_t> before_the_first = {0, 0, 1, 4,    2, 5,  // line 2
                                                 1, 1, 4, 0x79, 0};    // 4 lines before that
  const std::vector<SequencePoint> points = read_points(before_the_first, 1);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].line, 0u);
}

void add_number(std::vector<uint8_t>& to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8) to.push_back(static_cast<uint8_t>(value));
}

using Bytes = std::vector<uint8_t>;

Bytes pdb_file(const Bytes& tables, const Bytes& blobs, const Bytes& guids = {}) {
  Bytes ids(20, 1), pdb;
  add_number(ids, 0, 4 + 8);
  add_number(pdb, 0x424a5342, 4);
  add_number(pdb, 0x00010001, 8);
  add_number(pdb, 4, 4);
  add_number(pdb, 0x312e31, 4);
  add_number(pdb, 4u << 16, 4);
  uint32_t at = static_cast<uint32_t>(pdb.size()) + 4 * 8 + 8 + 4 + 8 + 8;
  const std::pair<const char*, const Bytes*> streams[] = {
      {"#Pdb\0\0\0\0", &ids}, {"#~\0\0", &tables}, {"#Blob\0\0\0", &blobs}, {"#GUID\0\0\0", &guids}};
  for (const auto& [name, stream] : streams) {
    add_number(pdb, at, 4);
    add_number(pdb, stream->size(), 4);
    for (size_t i = 0; i < (std::strlen(name) / 4 + 1) * 4; ++i) pdb.push_back(static_cast<uint8_t>(name[i]));
    at += static_cast<uint32_t>(stream->size());
  }
  for (const auto& [name, stream] : streams) pdb.insert(pdb.end(), stream->begin(), stream->end());
  return pdb;
}

// The head of tables with wide blobs, up to where the rows begin.
Bytes tables_of(uint64_t present, const std::vector<uint32_t>& rows) {
  Bytes tables;
  add_number(tables, 4ull << 48 | 2u << 16, 8);
  add_number(tables, present, 8);
  add_number(tables, 0, 8);
  for (const uint32_t count : rows) add_number(tables, count, 4);
  return tables;
}

uint32_t add_blob(Bytes& blobs, const Bytes& blob) {
  const auto at = static_cast<uint32_t>(blobs.size());
  const uint32_t size = 0xc0000000u | static_cast<uint32_t>(blob.size());
  for (int i = 3; i >= 0; --i) blobs.push_back(static_cast<uint8_t>(size >> (8 * i)));
  blobs.insert(blobs.end(), blob.begin(), blob.end());
  return at;
}

// Of one part, which is that blob.
uint32_t add_name(Bytes& blobs, uint32_t part) {
  Bytes name = {0};
  for (int i = 3; i >= 0; --i) name.push_back(static_cast<uint8_t>((0xc0000000u | part) >> (8 * i)));
  return add_blob(blobs, name);
}

// A PDB of so many methods, each of which has all lines of one blob.
Bytes pdb_with_shared_lines(uint16_t methods, uint16_t points) {
  Bytes tables = tables_of(uint64_t{1} << 0x31, {methods}), blobs = {0}, lines = {0, 0, 1, 4, 1, 1};
  for (uint16_t i = 1; i < points; ++i) lines.insert(lines.end(), {1, 1, 4, 2, 0});
  const uint32_t shared = add_blob(blobs, lines);
  for (uint16_t i = 0; i < methods; ++i) {
    add_number(tables, 1, 2);
    add_number(tables, shared, 4);
  }
  return pdb_file(tables, blobs);
}

// A PDB of so many documents, all with one name, one hash and one text, which is not deflated.
Bytes pdb_with_documents(uint16_t documents, const Bytes& name, const Bytes& hash, const Bytes& text) {
  Bytes tables = tables_of(uint64_t{1} << 0x30 | uint64_t{1} << 0x37, {documents, documents}), blobs = {0};
  const uint32_t named = add_name(blobs, add_blob(blobs, name)), hashed = add_blob(blobs, hash);
  Bytes source(4);
  source.insert(source.end(), text.begin(), text.end());
  const uint32_t source_at = add_blob(blobs, source);
  for (uint16_t i = 0; i < documents; ++i) {
    add_number(tables, named, 4);
    add_number(tables, 0, 2);
    add_number(tables, hashed, 4);
    add_number(tables, 0, 2);
  }
  for (uint32_t i = 1; i <= documents; ++i) {
    add_number(tables, i << 5 | 22, 2);
    add_number(tables, 1, 2);
    add_number(tables, source_at, 4);
  }
  return pdb_file(tables, blobs,
                  {0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe});
}

TEST(Pdb, HasWhatItSaysOfADocument) {
  const Result<Pdb> pdb = Pdb::parse(pdb_with_documents(3, {'a', '.', 'c', 's'}, Bytes(20, 7), {'x', '\n'}));
  ASSERT_TRUE(pdb) << pdb.message();
  EXPECT_EQ(pdb->document(3).path, "a.cs");
  EXPECT_EQ(pdb->document(3).hash, Bytes(20, 7));
  EXPECT_EQ(pdb->source(3), "x\n");
  EXPECT_FALSE(pdb->has_too_much_text());
}

// Each row has its own copy of a blob once it is read: none is longer than what it is for can be.
TEST(Pdb, NamesAreNoLongerThanPathsAndHashesAreNoLongerThanHashes) {
  const Result<Pdb> pdb = Pdb::parse(pdb_with_documents(3, Bytes(100'000, 'p'), Bytes(100'000, 'h'), {}));
  ASSERT_TRUE(pdb) << pdb.message();
  EXPECT_EQ(pdb->document(1).path.size(), 4096u);
  EXPECT_TRUE(pdb->document(1).hash.empty());
}

TEST(Pdb, WhatItsDocumentsShareIsNoMoreThanAFewTimesIt) {
  const Result<Pdb> names = Pdb::parse(pdb_with_documents(2000, Bytes(4096, 'p'), {}, {}));
  ASSERT_FALSE(names);
  EXPECT_NE(names.message().find("share their names"), std::string::npos) << names.message();
  const Result<Pdb> texts = Pdb::parse(pdb_with_documents(2000, {'p'}, {}, Bytes(10'000, 'x')));
  ASSERT_TRUE(texts) << texts.message();
  EXPECT_TRUE(texts->has_too_much_text());
  EXPECT_EQ(texts->source(1), std::nullopt);
  EXPECT_EQ(texts->document(1).path, "p");
}

TEST(Pdb, WhatItsMethodsShareIsNoMoreThanAFewTimesIt) {
  const Result<Pdb> few = Pdb::parse(pdb_with_shared_lines(3, 100));
  ASSERT_TRUE(few) << few.message();
  EXPECT_EQ(few->points(3).size(), 100u);
  EXPECT_EQ(few->points(3).back().line, 100u);
  const Result<Pdb> many = Pdb::parse(pdb_with_shared_lines(1000, 1000));
  ASSERT_FALSE(many);
  EXPECT_NE(many.message().find("share their lines"), std::string::npos) << many.message();
}

TEST(SymbolFolders, AreThoseOfThisMachine) {
  EXPECT_EQ(folders_in("srv*/cache*https://symbols.example/download;/plain"),
            (std::vector<std::string>{"/cache", "/plain"}));
  EXPECT_TRUE(folders_in("").empty());
}

}  // namespace
}  // namespace oriel::pdb
