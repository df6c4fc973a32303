// Frame pointers found from arm64 code alone, and calls before return addresses.
#include <gtest/gtest.h>

#include <vector>

#include "sampling/walk/call_site.h"
#include "sampling/walk/return_address.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

using Words = std::vector<uint32_t>;

int64_t offset(const Words& code) {
  return frame_pointer_offset(reinterpret_cast<const uint8_t*>(code.data()), code.size() * sizeof(uint32_t));
}

TEST(FramePointer, IsWhereThePrologueLeavesIt) {
  // stp x29, x30, [sp, #-48]!; mov x29, sp; sub sp, sp, #0x20; bl
  EXPECT_EQ(offset({0xa9bd7bfd, 0x910003fd, 0xd10083ff, 0x94000010}), 0x20);
  // sub sp, sp, #0x60; stp x29, x30, [sp, #64]; add x29, sp, #64; bl
  EXPECT_EQ(offset({0xd10183ff, 0xa9047bfd, 0x910103fd, 0x94000010}), 64);
}

TEST(FramePointer, IsNotFoundWhereThereIsNone) {
  EXPECT_EQ(offset({}), -1);
  EXPECT_EQ(offset({0xd10043ff, 0x94000010}), -1);              // sub sp, sp, #16; bl
  EXPECT_EQ(offset({0xa9bf7bfd, 0xd63f0100, 0x910003fd}), -1);  // stp x29, x30, [sp, #-16]!; blr x8; mov x29, sp
}

bool is_call(uint32_t code) {
  const uint32_t words[] = {code, 0};
  return read_call_site(reinterpret_cast<uintptr_t>(words + 1)).is_call;
}

TEST(ReturnAddress, StandsBehindACall) {
  EXPECT_TRUE(is_call(0x94000010));   // bl
  EXPECT_TRUE(is_call(0xd63f0060));   // blr x3
  EXPECT_TRUE(is_call(0xd73f0864));   // blraa x3, x4
  EXPECT_TRUE(is_call(0xd63f087f));   // blraaz x3
  EXPECT_FALSE(is_call(0x14000010));  // b
  EXPECT_FALSE(is_call(0xd61f0060));  // br x3
  EXPECT_FALSE(is_call(0xd503201f));  // nop
  EXPECT_FALSE(is_call(0xd65f03c0));  // ret
}

// A method calls what lies behind the call in its own code: bl to four instructions on.
TEST(ReturnAddress, TellsACallToAPartOfTheSameMethod) {
  alignas(8) uint32_t words[] = {0x94000004, 0xd65f03c0, 0xd65f03c0, 0xd65f03c0, 0xa9bf7bfd};
  EXPECT_TRUE(read_call_site(reinterpret_cast<uintptr_t>(words + 1)).of_funclet);
  // Before a method's start lies an address.
  words[2] = 0x12345678;
  words[3] = 0x00005555;
  EXPECT_FALSE(read_call_site(reinterpret_cast<uintptr_t>(words + 1)).of_funclet);
}

TEST(ReturnAddress, IsTheSameWithoutASignature) { EXPECT_EQ(without_signature(0x555512345678), 0x555512345678u); }

}  // namespace
}  // namespace oriel::sampling
