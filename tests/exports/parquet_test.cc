// Parquet files byte by byte, where other readers (tests/e2e/tool/parquet_test.py) would not say what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <sstream>

#include "exports/parquet_file.h"

namespace oriel::exports {
namespace {

using query::Cell;
using std::string_literals::operator""s;

Cell integer(int64_t value) { return {Cell::Type::kInteger, value}; }
Cell text(std::string_view value) { return {Cell::Type::kText, 0, 0, value}; }

TEST(Thrift, StructsAreWrittenInTheCompactProtocol) {
  std::string bytes;
  {
    ThriftStruct fields(bytes);
    fields.i32(1, -1);
    fields.i64(2, 300);
    fields.text(20, "ab");
    fields.record(21, [](ThriftStruct& inner) { inner.i32(5, 0); });
    fields.numbers(22, {1, 2});
    fields.texts(23, std::vector<std::string>(15, "x"));
  }
  std::string many;
  for (int i = 0; i < 15; ++i) many += "\x01x";
  EXPECT_EQ(bytes,
            "\x15\x01\x16\xd8\x04\x08\x28\x02"
            "ab\x1c\x55\x00\x00\x19\x25\x02\x04\x19\xf8\x0f"s +
                many + "\0"s);
}

// The data page of a column, uncompressed: the last zstd frame of its pages.
std::string data_page(const ParquetChunk& chunk, const std::string& pages) {
  const size_t from = pages.find("\x28\xb5\x2f\xfd", static_cast<size_t>(chunk.data_offset));
  std::string page(1 << 20, '\0');
  page.resize(ZSTD_decompress(page.data(), page.size(), pages.data() + from, pages.size() - from));
  return page;
}

TEST(ParquetColumn, IntegersWithNullsArePackedBitsAndPlainValues) {
  ParquetColumn column;
  column.add(int64_t{-2});
  column.add_null();
  column.add(int64_t{5});
  std::string pages;
  const ParquetChunk chunk = column.take_pages({"n", false}, 0, pages);
  EXPECT_EQ(data_page(chunk, pages),
            "\x02\0\0\0\x03\x05"s + "\xfe\xff\xff\xff\xff\xff\xff\xff"s + "\x05\0\0\0\0\0\0\0"s);
  EXPECT_EQ(chunk.values, 3);
  EXPECT_EQ(chunk.nulls, 1);
  EXPECT_EQ(chunk.least, -2);
  EXPECT_EQ(chunk.most, 5);
  EXPECT_EQ(chunk.dictionary_offset, -1);
  EXPECT_EQ(chunk.stored_bytes, static_cast<int64_t>(pages.size()));
}

TEST(ParquetColumn, TextsAreNumbersOfADictionary) {
  ParquetColumn column;
  for (const char* word : {"a", "b", "a", "c", "b", "a", "a", "a", "c"}) column.add(std::string_view(word));
  std::string pages;
  const ParquetChunk chunk = column.take_pages({"t", true}, 100, pages);
  EXPECT_EQ(chunk.dictionary_offset, 100);
  // One run of nine rows with a value; two bits a number: 0 1 0 2, 1 0 0 0, 2.
  ParquetChunk moved = chunk;
  moved.data_offset -= 100;
  EXPECT_EQ(data_page(moved, pages), "\x02\0\0\0\x12\x01\x02\x05\x84\x01\x02\0"s);
  EXPECT_FALSE(chunk.has_range({"t", true}));
}

TEST(ParquetColumn, OneTextIsARun) {
  ParquetColumn column;
  for (int i = 0; i < 3; ++i) column.add(std::string_view("same"));
  std::string pages;
  const ParquetChunk chunk = column.take_pages({"t", true}, 0, pages);
  EXPECT_EQ(data_page(chunk, pages), "\x02\0\0\0\x06\x01\x01\x06\0"s);
}

TEST(ParquetColumn, NothingButNullsHasNoDictionary) {
  ParquetColumn column;
  column.add_null();
  std::string pages;
  const ParquetChunk chunk = column.take_pages({"t", true}, 0, pages);
  EXPECT_EQ(chunk.dictionary_offset, -1);
  EXPECT_EQ(data_page(chunk, pages), "\x02\0\0\0\x02\0"s);
}

// How much is written before the rows end.
std::vector<size_t> sizes_while_rows_come(size_t rows, const std::string& words) {
  std::ostringstream out;
  ParquetFile file(out, {false, true});
  EXPECT_TRUE(file.begin({"number", "text"}));
  std::vector<size_t> sizes = {out.str().size()};
  for (size_t i = 0; i < rows; ++i) {
    const std::string word = words + std::to_string(i);
    const Cell cells[] = {integer(static_cast<int64_t>(i)), text(word)};
    EXPECT_TRUE(file.row(cells));
    const auto size = static_cast<size_t>(out.tellp());
    if (size != sizes.back()) sizes.push_back(size);
  }
  EXPECT_TRUE(file.end());
  EXPECT_TRUE(out.str().starts_with("PAR1") && out.str().ends_with("PAR1"));
  return sizes;
}

TEST(ParquetFile, RowGroupsEndByRowsAndByBytes) {
  EXPECT_EQ(sizes_while_rows_come(10, "").size(), 1u);
  EXPECT_EQ(sizes_while_rows_come(2 * ParquetFile::kMostRows, "").size(), 3u);
  const std::string long_text(ParquetFile::kMostBytes / 4, 'x');
  EXPECT_EQ(sizes_while_rows_come(10, long_text).size(), 3u);
}

TEST(ParquetFile, AFullDiskIsAnError) {
  std::ostringstream out;
  ParquetFile file(out, {false});
  ASSERT_TRUE(file.begin({"number"}));
  out.setstate(std::ios::badbit);
  const Cell cells[] = {integer(1)};
  EXPECT_FALSE(file.row(cells));
}

}  // namespace
}  // namespace oriel::exports
