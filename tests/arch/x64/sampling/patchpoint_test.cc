// Calls at patchpoints, as the JIT compiler of .NET 10 writes them, and calls that only look a little like them.
#include "sampling/walk/call_site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace oriel::sampling {
namespace {

bool ends_with_patchpoint(const std::vector<uint8_t>& code) {
  std::vector<uint8_t> padded(kPatchpointBytes + code.size(), 0x90);
  std::copy(code.begin(), code.end(), padded.begin() + kPatchpointBytes);
  return is_patchpoint_call(padded.data() + padded.size());
}

TEST(Patchpoint, IsTheCallWithTheCounterAndTheOffset) {
  // lea rdi, [rbp-0x40]; mov esi, 18; call rel32
  EXPECT_TRUE(ends_with_patchpoint({0x48, 0x8d, 0x7d, 0xc0, 0xbe, 0x12, 0, 0, 0, 0xe8, 0x52, 0xa3, 0x57, 0x7e}));
  // lea rdi, [rbp-0x200]; mov esi, 18; call [rip+rel32]
  EXPECT_TRUE(ends_with_patchpoint(
      {0x48, 0x8d, 0xbd, 0, 0xfe, 0xff, 0xff, 0xbe, 0x12, 0, 0, 0, 0xff, 0x15, 0x52, 0xa3, 0x57, 0x7e}));
  // lea rdi, [rbp-0x40]; xor esi, esi; call rel32
  EXPECT_TRUE(ends_with_patchpoint({0x48, 0x8d, 0x7d, 0xc0, 0x33, 0xf6, 0xe8, 0x52, 0xa3, 0x57, 0x7e}));
}

TEST(Patchpoint, IsNoOtherCall) {
  EXPECT_FALSE(ends_with_patchpoint({0xe8, 0x52, 0xa3, 0x57, 0x7e}));
  EXPECT_FALSE(ends_with_patchpoint({0xbe, 0x12, 0, 0, 0, 0xe8, 0x52, 0xa3, 0x57, 0x7e}));
  // lea rdx, [rbp-0x40]
  EXPECT_FALSE(ends_with_patchpoint({0x48, 0x8d, 0x55, 0xc0, 0xbe, 0x12, 0, 0, 0, 0xe8, 0x52, 0xa3, 0x57, 0x7e}));
  // mov esi, eax
  EXPECT_FALSE(ends_with_patchpoint({0x48, 0x8d, 0x7d, 0xc0, 0x8b, 0xf0, 0xe8, 0x52, 0xa3, 0x57, 0x7e}));
  EXPECT_FALSE(ends_with_patchpoint({}));
}

}  // namespace
}  // namespace oriel::sampling
