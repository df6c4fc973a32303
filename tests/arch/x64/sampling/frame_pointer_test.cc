// Frame pointers found from code and stack alone.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sampling/walk/call_site.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

int64_t offset(const std::vector<uint8_t>& code) { return frame_pointer_offset(code.data(), code.size()); }

TEST(FramePointer, IsWhereThePrologueLeavesIt) {
  // push rbp; mov rbp, rsp; push r15; push rbx; sub rsp, 0x28; call
  EXPECT_EQ(offset({0x55, 0x48, 0x89, 0xe5, 0x41, 0x57, 0x53, 0x48, 0x83, 0xec, 0x28, 0xe8, 0, 0, 0, 0}), 0x38);
  // endbr64; push rbp; mov rbp, rsp; sub rsp, 0x1000
  EXPECT_EQ(offset({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x8b, 0xec, 0x48, 0x81, 0xec, 0, 0x10, 0, 0}), 0x1000);
  // push rbp; push r15; push r14; sub rsp, 0x20; lea rbp, [rsp+0x30]: as the runtime's compiler does
  EXPECT_EQ(offset({0x55, 0x41, 0x57, 0x41, 0x56, 0x48, 0x83, 0xec, 0x20, 0x48, 0x8d, 0x6c, 0x24, 0x30}), 0x30);
  // push rbp; mov rbp, rsp; mov eax, edi; push rbx; push rax; jmp
  EXPECT_EQ(offset({0x55, 0x48, 0x89, 0xe5, 0x89, 0xf8, 0x53, 0x50, 0xeb, 0x10, 0x50, 0x50}), 0x10);
}

TEST(FramePointer, IsNotFoundWhereThereIsNone) {
  EXPECT_EQ(offset({}), -1);
  EXPECT_EQ(offset({0x48, 0x83, 0xec, 0x28, 0xe8, 0, 0, 0, 0}), -1);  // sub rsp, 0x28; call
  EXPECT_EQ(offset({0x55, 0x53, 0xff, 0xd0, 0x48, 0x89, 0xe5}), -1);  // push rbp; push rbx; call rax; mov rbp, rsp
}

bool is_call(std::vector<uint8_t> bytes) {
  bytes.insert(bytes.begin(), 8, 0x90);
  return read_call_site(reinterpret_cast<uintptr_t>(bytes.data() + bytes.size())).is_call;
}

TEST(ReturnAddress, StandsBehindACall) {
  EXPECT_TRUE(is_call({0xe8, 1, 2, 3, 4}));
  EXPECT_TRUE(is_call({0xff, 0xd0}));                                // call rax
  EXPECT_TRUE(is_call({0x41, 0xff, 0xd3}));                          // call r11
  EXPECT_TRUE(is_call({0xff, 0x15, 1, 2, 3, 4}));                    // call [rip+…]
  EXPECT_TRUE(is_call({0xff, 0x10}));                                // call [rax]
  EXPECT_TRUE(is_call({0xff, 0x50, 0x18}));                          // call [rax+0x18]
  EXPECT_TRUE(is_call({0xff, 0x90, 0x18, 1, 0, 0}));                 // call [rax+0x118]
  EXPECT_TRUE(is_call({0xff, 0x54, 0x24, 0x08}));                    // call [rsp+8]
  EXPECT_TRUE(is_call({0xff, 0x94, 0x24, 0x08, 0x01, 0x00, 0x00}));  // call [rsp+0x108]
  EXPECT_FALSE(is_call({0x90}));
  EXPECT_FALSE(is_call({0xff, 0x25, 1, 2, 3, 4}));  // jmp [rip+…]
  EXPECT_FALSE(is_call({0x48, 0x89, 0xe5}));
}

}  // namespace
}  // namespace oriel::sampling
