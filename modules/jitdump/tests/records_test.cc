#include "records.h"

#include <gtest/gtest.h>

#include <cstring>

namespace oriel::jitdump {
namespace {

template <typename Number>
Number number_at(const std::string& bytes, size_t at) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

TEST(JitDump, TheHeaderNamesTheProcess) {
  const std::string bytes = header(4711, 99);
  ASSERT_EQ(bytes.size(), 40u);
  EXPECT_EQ(bytes.substr(0, 4), "DTiJ") << "JiTD in this byte order";
  EXPECT_EQ(number_at<uint32_t>(bytes, 8), bytes.size());
  EXPECT_EQ(number_at<uint32_t>(bytes, 20), 4711u);
  EXPECT_EQ(number_at<uint64_t>(bytes, 24), 99u);
}

TEST(JitDump, ALoadHasNameAndCode) {
  const uint8_t code[] = {0x90, 0x90, 0xc3};
  const std::string bytes = load_record({1, 2, 3, 4, 0x7000, code, std::string_view("Shop.Cart.Add(int)\0cut", 22)});
  const size_t name = 16 + 8 + 32;
  ASSERT_EQ(bytes.size(), name + sizeof "Shop.Cart.Add(int)" + sizeof code);
  EXPECT_EQ(number_at<uint32_t>(bytes, 0), 0u);
  EXPECT_EQ(number_at<uint32_t>(bytes, 4), bytes.size());
  EXPECT_EQ(number_at<uint64_t>(bytes, 8), 3u);
  EXPECT_EQ(number_at<uint64_t>(bytes, 32), 0x7000u);
  EXPECT_EQ(number_at<uint64_t>(bytes, 40), sizeof code);
  EXPECT_EQ(number_at<uint64_t>(bytes, 48), 4u);
  EXPECT_STREQ(bytes.c_str() + name, "Shop.Cart.Add(int)");
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - sizeof code, code, sizeof code), 0);
}

// perf shows names as they are.
TEST(JitDump, ANameHasNothingThatATerminalActsOn) {
  CompiledCode code;
  code.name = "A\x1b[2J\n\xc2\x9b\xe2\x80\xae\xff\xc3\xa9";
  const std::string bytes = load_record(code);
  EXPECT_NE(bytes.find("A?[2J????\xc3\xa9"), std::string::npos);
}

TEST(JitDump, TheLastRecordIsEmpty) {
  const std::string bytes = close_record(5);
  EXPECT_EQ(bytes.size(), 16u);
  EXPECT_EQ(number_at<uint32_t>(bytes, 0), 3u);
}

}  // namespace
}  // namespace oriel::jitdump
