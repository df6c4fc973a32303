// Where the return address lies, by the instructions that follow the interrupted one.
#include "sampling/code_scan_x64.h"

#include <gtest/gtest.h>

#include <vector>

#include "sampling/instruction_x64.h"

namespace oriel::sampling {
namespace {

using Bytes = std::vector<uint8_t>;

// The scan from the instruction at `from` on.
ScannedCode scan(const Bytes& code, size_t from) { return scan_code(code.data() + from, code.size() - from); }

void expect_callers(const Bytes& code, size_t from, int64_t offset) {
  const ScannedCode scanned = scan(code, from);
  EXPECT_EQ(scanned.state, FrameState::kCallers) << "at " << from;
  EXPECT_EQ(scanned.offset, offset) << "at " << from;
}

void expect_own_frame(const Bytes& code, size_t from) {
  EXPECT_EQ(scan(code, from).state, FrameState::kFramePointer) << "at " << from;
}

// A method as a runtime's compiler writes it.
const Bytes kMethod = {
    0x55,                                //  0 push rbp
    0x41, 0x57,                          //  1 push r15
    0x53,                                //  3 push rbx
    0x48, 0x83, 0xec, 0x18,              //  4 sub rsp, 24
    0x48, 0x8d, 0x6c, 0x24, 0x28,        //  8 lea rbp, [rsp+40]
    0x48, 0x8b, 0xdf,                    // 13 mov rbx, rdi
    0xff, 0x15, 0x00, 0x01, 0x00, 0x00,  // 16 call [rip+256]
    0x48, 0x83, 0xc4, 0x18,              // 22 add rsp, 24
    0x5b,                                // 26 pop rbx
    0x41, 0x5f,                          // 27 pop r15
    0x5d,                                // 29 pop rbp
    0xc3,                                // 30 ret
};

TEST(CodeScan, FollowsAPrologue) {
  expect_callers(kMethod, 0, 0);
  expect_callers(kMethod, 1, 8);
  expect_callers(kMethod, 3, 16);
  expect_callers(kMethod, 4, 24);
  expect_callers(kMethod, 8, 48);
}

TEST(CodeScan, TrustsTheFramePointerInTheBody) {
  for (const size_t at : {13u, 16u, 22u, 26u, 27u, 29u}) expect_own_frame(kMethod, at);
}

TEST(CodeScan, SeesThatTheFrameIsGoneAtTheReturn) { expect_callers(kMethod, 30, 0); }

TEST(CodeScan, KnowsTheOtherPrologue) {
  const Bytes code = {0x55, 0x48, 0x89, 0xe5, 0x90, 0x5d, 0xc3};  // push rbp; mov rbp, rsp; nop; pop rbp; ret
  expect_callers(code, 0, 0);
  expect_callers(code, 1, 8);
  expect_own_frame(code, 4);
  expect_callers(code, 6, 0);
}

TEST(CodeScan, FindsTheCallerOfSmallMethodsWithoutFrame) {
  // lea eax, [rdi+rsi]; imul eax, eax, 31; ret
  const Bytes leaf = {0x8d, 0x04, 0x37, 0x6b, 0xc0, 0x1f, 0xc3};
  for (const size_t at : {0u, 3u, 6u}) expect_callers(leaf, at, 0);
  // push rbx; sub rsp, 16; mov [rsp], rdi; add rsp, 16; pop rbx; ret
  const Bytes saving = {0x53, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0x3c, 0x24, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3};
  expect_callers(saving, 0, 0);
  expect_callers(saving, 1, 8);
  expect_callers(saving, 5, 24);
  expect_callers(saving, 9, 24);
  expect_callers(saving, 13, 8);
}

TEST(CodeScan, TakesTailCallsAndStubsForReturns) {
  expect_callers({0x48, 0xff, 0xe0}, 0, 0);           // rex.w jmp rax
  expect_callers({0xff, 0x25, 0x10, 0, 0, 0}, 0, 0);  // jmp [rip+16]
  expect_callers({0x4c, 0x8b, 0x15, 1, 0, 0, 0, 0xff, 0x25, 8, 0, 0, 0}, 0, 0);
  expect_own_frame({0xff, 0xe0}, 0);  // jmp rax: may be a switch
}

TEST(CodeScan, GivesUpAtWhatItCannotRead) {
  expect_own_frame({}, 0);
  expect_own_frame({0x06, 0xc3}, 0);        // no instruction in 64-bit mode
  expect_own_frame({0xe9, 0, 0, 0, 0}, 0);  // jmp elsewhere
  expect_own_frame({0x90, 0x90, 0x90}, 0);  // no end
  expect_own_frame({0x48}, 0);
}

TEST(CodeScan, EndsOnAnyBytes) {
  uint64_t seed = 1;
  for (int round = 0; round < 100'000; round++) {
    uint8_t code[64];
    for (uint8_t& byte : code) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<uint8_t>(seed >> 56);
    }
    EXPECT_LE(instruction_length(code, sizeof(code)), sizeof(code));
    scan_code(code, sizeof(code));
  }
}

TEST(InstructionLength, MatchesTheManual) {
  const struct {
    Bytes code;
  } instructions[] = {
      {{0x90}},                                      // nop
      {{0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}},        // mov rax, imm64
      {{0xb8, 1, 2, 3, 4}},                          // mov eax, imm32
      {{0x66, 0xb8, 1, 2}},                          // mov ax, imm16
      {{0x48, 0xc7, 0x45, 0xf8, 1, 0, 0, 0}},        // mov qword [rbp-8], imm32
      {{0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4}},        // mov rax, [disp32]
      {{0x8b, 0x84, 0x24, 1, 2, 3, 4}},              // mov eax, [rsp+disp32]
      {{0xf6, 0x07, 0x01}},                          // test byte [rdi], 1
      {{0xf6, 0xdf}},                                // neg bh
      {{0xf7, 0xc7, 1, 0, 0, 0}},                    // test edi, imm32
      {{0x0f, 0x84, 1, 2, 3, 4}},                    // je rel32
      {{0x0f, 0xb6, 0x47, 0x10}},                    // movzx eax, byte [rdi+16]
      {{0xf2, 0x0f, 0x10, 0x05, 1, 2, 3, 4}},        // movsd xmm0, [rip+disp32]
      {{0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08}},        // palignr xmm0, xmm1, 8
      {{0xc5, 0xf8, 0x77}},                          // vzeroupper
      {{0xc5, 0xfa, 0x6f, 0x06}},                    // vmovdqu xmm0, [rsi]
      {{0xc4, 0xe3, 0x7d, 0x19, 0xc1, 0x01}},        // vextractf128 xmm1, ymm0, 1
      {{0xc4, 0xe2, 0x7d, 0x58, 0x07}},              // vpbroadcastd ymm0, [rdi]
      {{0x62, 0xf1, 0x7c, 0x48, 0x10, 0x47, 0x01}},  // vmovups zmm0, [rdi+64]
      {{0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}},  // mov rax, fs:[0]
      {{0xf3, 0x48, 0xab}},                          // rep stosq
      {{0xe8, 1, 2, 3, 4}},                          // call rel32
      {{0x41, 0xff, 0xd3}},                          // call r11
      {{0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0}},        // nop [rax+rax+disp32]
  };
  for (const auto& instruction : instructions) {
    Bytes code = instruction.code;
    const size_t length = code.size();
    code.insert(code.end(), 8, 0xcc);
    EXPECT_EQ(instruction_length(code.data(), code.size()), length) << "opcode " << int{code[0]} << " " << int{code[1]};
    EXPECT_EQ(instruction_length(code.data(), length - 1), 0u) << "cut off";
  }
}

}  // namespace
}  // namespace oriel::sampling
