#include "runtimes/coreclr/code_purpose.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtimes/coreclr/code_shape.h"

namespace oriel::coreclr {
namespace {

using Code = std::vector<uint8_t>;

// Bytes written down as in a pattern, with `before` of padding and so much behind that any window fits.
Code code_of(std::string_view digits, size_t before = 0) {
  Code code(before, 0xcc);
  for (size_t i = 0; i + 1 < digits.size(); i += 3)
    code.push_back(static_cast<uint8_t>(std::stoul(std::string(digits.substr(i, 2)), nullptr, 16)));
  code.insert(code.end(), 128, 0xcc);
  return code;
}

uintptr_t address_of(const Code& code) { return reinterpret_cast<uintptr_t>(code.data()); }

std::string function(std::string_view digits, const char* library = "/net/libcoreclr.so") {
  const Code code = code_of(digits);
  return purpose_of_function({library, 0, nullptr, 0, address_of(code), digits.size() / 3 + 1});
}

std::string stub(std::string_view digits, size_t next_instruction) {
  constexpr size_t kBefore = 64;
  const Code code = code_of(digits, kBefore);
  return purpose_of_stub(address_of(code) + kBefore + next_instruction);
}

TEST(CodePurpose, OfFunctionsTellsWhatTheyAreFor) {
  EXPECT_EQ(function("55 8b 08 89 ca c1 e2 0d 31 ca 89 d1 c1 e9 11 31 d1 89 ca c1 e2 05 31 ca 89 10 c3"),
            "[PGO counting]");
  EXPECT_EQ(function("55 48 89 e5 53 41 57 41 56 41 55 41 54 41 51 41 50 51 52 56 57 e8 00 00 00 00"),
            "[call preparation]");
  EXPECT_EQ(function("48 8b 0e 48 89 0f 48 83 c6 08 c3"), "[write barrier]");
  EXPECT_EQ(function("53 8b 43 fc a9 ff ff 3f 18 74 1d 8d 88 00 00 01 00 f7 c1 00 00 3f 00 74 08 f0 0f b1 4b fc 5b c3"),
            "[taking a lock]");
  EXPECT_EQ(function("41 8b 46 fc a9 00 00 3f 00 74 0e 8d 88 00 00 ff ff f0 41 0f b1 4e fc c3"), "[leaving a lock]");
  EXPECT_EQ(function("48 89 37 80 3c 07 ff 75 02 c3 90 c6 04 07 ff c3"), "[write barrier]");
  EXPECT_EQ(function("55 48 89 e5 5d c3"), "");
  EXPECT_EQ(function("48 8b 0e 48 89 0f 48 83 c6 08 c3", "/usr/lib/libother.so"), "") << "others may do the same";
  EXPECT_EQ(function("48 8b 0e 48 89"), "") << "a part of it only";
}

TEST(CodePurpose, OfStubsTellsAtEachInstruction) {
  constexpr std::string_view kVirtual = "48 8b 07 48 8b 40 48 ff 60 20";
  EXPECT_EQ(stub(kVirtual, 0), "[virtual call stub]");
  EXPECT_EQ(stub(kVirtual, 3), "[virtual call stub]");
  EXPECT_EQ(stub(kVirtual, 7), "[virtual call stub]");
  EXPECT_EQ(stub(kVirtual, 20), "");
  EXPECT_EQ(stub("48 8b 05 f9 3f 00 00 66 ff 08 74 06 ff 25 f6 3f 00 00", 7), "[call counting]");
  EXPECT_EQ(stub("ff 25 fa 3f 00 00 4c 8b 15 fb 3f 00 00 ff 25 fd 3f 00 00", 0), "[call thunk]");
  EXPECT_EQ(stub("48 8b 47 30 48 8b 40 00 48 8b 40 10 48 85 c0 74 01 c3", 0), "[look-up]");
  EXPECT_EQ(stub("48 8b 47 30 48 8b 40 00 48 8b 40 10 48 85 c0 74 01 c3", 17), "[look-up]");
  EXPECT_EQ(stub("90 90 90", 0), "");
}

TEST(CodePurpose, ThatIsGoneTellsNothing) {
  constexpr uintptr_t kNotMapped = 0x1000;
  EXPECT_STREQ(purpose_of_stub(kNotMapped), "");
  EXPECT_STREQ(purpose_of_function({"libcoreclr.so", 0, nullptr, 0, kNotMapped, 64}), "");
}

TEST(CodeShape, IsBytesWithGaps) {
  const Code code = {0x48, 0x8b, 0x07, 0x90, 0xff, 0x60, 0x20};
  EXPECT_TRUE(begins_with_shape(code, "48 8? ?7"));
  EXPECT_FALSE(begins_with_shape(code, "8b 07"));
  EXPECT_TRUE(has_shape(code, "8b 07"));
  EXPECT_TRUE(has_shape(code, "8b * ff ?? 20"));
  EXPECT_FALSE(has_shape(code, "ff * 8b"));
  EXPECT_FALSE(has_shape(code, "60 20 ??"));
  EXPECT_FALSE(has_shape({}, "48"));
  EXPECT_EQ(shape_length("48 8? ?7"), 3u);
}

}  // namespace
}  // namespace oriel::coreclr
