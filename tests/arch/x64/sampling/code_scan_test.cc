// What code tells of its frame, and what stands before a return address.
#include "sampling/walk/code_scan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "sampling/walk/call_site.h"
#include "sampling/walk/frame_rule.h"
#include "sampling/walk/instruction.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

using Bytes = std::vector<uint8_t>;

// The scan from the instruction at `from` on, behind the last of which comes what goes nowhere.
CodeFrame scan(Bytes code, size_t from) {
  code.insert(code.end(), 300, 0xcc);
  return scan_code(reinterpret_cast<uintptr_t>(code.data()) + from);
}

// The frame ends `end` bytes above the stack pointer, and the frame pointer is the caller's.
void expect_callers(const Bytes& code, size_t from, int32_t end) {
  const CodeFrame frame = scan(code, from);
  EXPECT_TRUE(frame.known && !frame.from_fp && !frame.saves_fp) << "at " << from;
  EXPECT_EQ(frame.end, end) << "at " << from;
}

// The caller's frame pointer lies at `fp_at`.
void expect_saved(const Bytes& code, size_t from, int32_t end, int32_t fp_at, bool from_fp = false) {
  const CodeFrame frame = scan(code, from);
  EXPECT_TRUE(frame.known && frame.saves_fp) << "at " << from;
  EXPECT_EQ(frame.from_fp, from_fp) << "at " << from;
  EXPECT_EQ(frame.end, end) << "at " << from;
  EXPECT_EQ(frame.fp_at, fp_at) << "at " << from;
}

void expect_unknown(const Bytes& code, size_t from) { EXPECT_FALSE(scan(code, from).known) << "at " << from; }

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

// An optimized method of Mono's, which saves the frame pointer without a push and uses it for a variable.
const Bytes kMonoMethod = {
    0x48, 0x83, 0xec, 0x18,        //  0 sub rsp, 24
    0x48, 0x89, 0x2c, 0x24,        //  4 mov [rsp], rbp
    0x4c, 0x89, 0x7c, 0x24, 0x08,  //  8 mov [rsp+8], r15
    0x48, 0x8b, 0xef,              // 13 mov rbp, rdi
    0x48, 0x89, 0x6c, 0x24, 0x10,  // 16 mov [rsp+16], rbp
    0xe8, 0x00, 0x01, 0x00, 0x00,  // 21 call
    0x48, 0x8b, 0x6c, 0x24, 0x10,  // 26 mov rbp, [rsp+16]
    0x48, 0x8b, 0xc5,              // 31 mov rax, rbp
    0x48, 0x8b, 0x2c, 0x24,        // 34 mov rbp, [rsp]
    0x4c, 0x8b, 0x7c, 0x24, 0x08,  // 38 mov r15, [rsp+8]
    0x48, 0x83, 0xc4, 0x18,        // 43 add rsp, 24
    0xc3,                          // 47 ret
};

TEST(CodeScan, FindsAFramePointerThatWasSavedByAStore) {
  expect_callers(kMonoMethod, 0, 8);
  expect_callers(kMonoMethod, 4, 32);  // it is yet to be saved
  for (const size_t from : {8, 13, 16, 21, 26, 31, 34}) expect_saved(kMonoMethod, from, 32, 0);
  expect_callers(kMonoMethod, 38, 32);
  expect_callers(kMonoMethod, 47, 8);
}

// Code that throws lies behind the way out, and the next method behind that.
TEST(CodeScan, TriesThrowsLast) {
  const Bytes code = {
      0x74, 0x09,                    //  0 je 11
      0x76, 0x0c,                    //  2 jbe 16, to the throw
      0xe8, 0x00, 0x01, 0x00, 0x00,  //  4 call
      0xeb, 0x00,                    //  9 jmp 11, where a branch goes too
      0x48, 0x83, 0xc4, 0x18,        // 11 add rsp, 24
      0xc3,                          // 15 ret
      0xe8, 0x00, 0x02, 0x00, 0x00,  // 16 call, which does not return
      0x48, 0x83, 0xec, 0x08,        // 21 sub rsp, 8: the next method
      0x48, 0x83, 0xc4, 0x08,        // 25 add rsp, 8
      0xc3,                          // 29 ret
  };
  expect_callers(code, 0, 32);
}

// The same where the branch is to the way out, and the throw is what follows.
TEST(CodeScan, PrefersAWayThatDoesNotRunIntoTheNextMethod) {
  const Bytes code = {
      0x48, 0x83, 0xc4, 0x18,        //  0 add rsp, 24
      0xc3,                          //  4 ret
      0x75, 0xf9,                    //  5 jne 0
      0xe8, 0x00, 0x02, 0x00, 0x00,  //  7 call, which does not return
      0x55,                          // 12 push rbp: the next method
      0x48, 0x8b, 0xec,              // 13 mov rbp, rsp
      0xc9,                          // 16 leave
      0xc3,                          // 17 ret
  };
  expect_callers(code, 5, 32);
  expect_callers(code, 7, 8);  // there is no other way
  set_has_funclets(false);
  expect_unknown(code, 7);
  EXPECT_FALSE(scan_code(reinterpret_cast<uintptr_t>(code.data()) + 12, true).known);  // of what the call returns to
  set_has_funclets(true);
}

// A small method has no frame, so the stack pointer does not go down in it. But at a return it lies as no caller's
// would.
TEST(CodeScan, KnowsByItsAlignmentThatTheNextMethodReturns) {
  const Bytes code = {
      0x48, 0x83, 0xc4, 0x18,        //  0 add rsp, 24
      0xc3,                          //  4 ret
      0x75, 0xf9,                    //  5 jne 0
      0xe8, 0x00, 0x02, 0x00, 0x00,  //  7 call, which does not return
      0x48, 0x8b, 0xc7,              // 12 mov rax, rdi: the next method
      0xc3,                          // 15 ret
  };
  for (const bool funclets : {false, true}) {
    set_has_funclets(funclets);
    const CodeFrame frame = scan_code(reinterpret_cast<uintptr_t>(code.data()) + 5, true);
    EXPECT_TRUE(frame.known && !frame.from_fp);
    EXPECT_EQ(frame.end, 32);
  }
  set_has_funclets(false);
  expect_unknown(code, 7);
  set_has_funclets(true);
}

// A method of Mono's calls its finally block with a word less of stack. Its frame pointer remains the method's.
TEST(CodeScan, LeavesAMethodThatHasCalledItsFinallyBlock) {
  Bytes code = {
      0x48, 0x83, 0xec, 0x08,        //  0 sub rsp, 8
      0xe8, 0x0a, 0x00, 0x00, 0x00,  //  4 call 19, the block
      0x48, 0x83, 0xc4, 0x08,        //  9 add rsp, 8
      0x4c, 0x8b, 0x65, 0xe0,        // 13 mov r12, [rbp-32]
      0xc9,                          // 17 leave
      0xc3,                          // 18 ret
      0x48, 0x89, 0x65, 0xd0,        // 19 mov [rbp-48], rsp
      0x48, 0x8b, 0x65, 0xd0,        // 23 mov rsp, [rbp-48]
      0xc3,                          // 27 ret
  };
  code.insert(code.end(), 300, 0xcc);
  for (const bool funclets : {false, true}) {
    set_has_funclets(funclets);
    const CodeFrame frame = scan_code(reinterpret_cast<uintptr_t>(code.data()), true);
    EXPECT_TRUE(frame.known && frame.from_fp && frame.saves_fp);
    EXPECT_EQ(frame.end, 16);
    EXPECT_EQ(frame.fp_at, 0);
  }
}

// Each use of a reference may throw. A switch ends the way that comes first.
TEST(CodeScan, ManyBranchesToThrowsDoNotHideTheWayOut) {
  constexpr size_t kThrows = 200, kBranch = 6;
  Bytes code(kThrows * kBranch);
  const size_t behind = code.size() + 15;
  for (size_t i = 0; i < kThrows; i++) {
    const auto distance = static_cast<uint32_t>(behind + i * kBranch - (i + 1) * kBranch);
    code[i * kBranch] = 0x0f;
    code[i * kBranch + 1] = 0x84;
    std::memcpy(&code[i * kBranch + 2], &distance, sizeof distance);
  }
  const Bytes rest = {
      0x74, 0x08,                    // je to the way out
      0xe8, 0x00, 0x01, 0x00, 0x00,  // call
      0xff, 0xe0,                    // jmp rax
      0x90,                          // nop
      0x48, 0x83, 0xc4, 0x18,        // add rsp, 24
      0xc3,                          // ret
  };
  code.insert(code.end(), rest.begin(), rest.end());
  ASSERT_EQ(code.size(), behind);
  for (size_t i = 0; i < kThrows; i++) code.insert(code.end(), {0xe8, 0x00, 0x02, 0x00, 0x00, 0xcc});
  expect_callers(code, 0, 32);
}

// The last method that was compiled. The memory for the next ones lies behind it.
TEST(CodeScan, DoesNotReadMemoryThatHasNoCodeYet) {
  Bytes code = {
      0x48, 0x83, 0xc4, 0x18,        //  0 add rsp, 24
      0xc3,                          //  4 ret
      0x75, 0xf9,                    //  5 jne 0
      0xe8, 0x00, 0x02, 0x00, 0x00,  //  7 call, which does not return
  };
  code.insert(code.end(), 65'536, 0);
  expect_callers(code, 5, 32);
}

// The code of a throw may be followed by anything, here by the end of a frame.
TEST(CodeScan, PrefersTheWayOutBeforeIt) {
  const Bytes code = {
      0x48, 0x83, 0xc4, 0x18,        //  0 add rsp, 24
      0xc3,                          //  4 ret
      0x75, 0xf9,                    //  5 jne 0
      0xe8, 0x00, 0x02, 0x00, 0x00,  //  7 call, which does not return
      0x48, 0x83, 0xc4, 0x08,        // 12 add rsp, 8
      0xc3,                          // 16 ret
  };
  set_has_funclets(false);
  expect_callers(code, 5, 32);
  set_has_funclets(true);
}

// All cases go back to the loop, but for one.
TEST(CodeScan, LooksForTheWayOutAmongTheCasesOfASwitch) {
  Bytes code = {
      0xff, 0xe0,                    //  0 jmp rax
      0xe8, 0x00, 0x02, 0x00, 0x00,  //  2 call
      0xeb, 0xf7,                    //  7 jmp 0
      0x48, 0x83, 0xc4, 0x18,        //  9 add rsp, 24
      0xc3,                          // 13 ret
      0xe8, 0x00, 0x02, 0x00, 0x00,  // 14 call
      0xeb, 0xeb,                    // 19 jmp 0
  };
  code.insert(code.end(), 300, 0xcc);
  const auto from = reinterpret_cast<uintptr_t>(code.data()) + 19;
  EXPECT_FALSE(scan_code(from, true).known);
  set_has_funclets(false);
  const CodeFrame frame = scan_code(from, true);
  EXPECT_TRUE(frame.known && !frame.from_fp);
  EXPECT_EQ(frame.end, 32);
  set_has_funclets(true);
}

// A table's initializer.
TEST(CodeScan, FindsTheEndOfLongCode) {
  Bytes code;
  for (int i = 0; i < 10'000; i++) code.insert(code.end(), {0x48, 0x8b, 0xc7});
  code.insert(code.end(), {0x48, 0x83, 0xc4, 0x18, 0xc3});
  expect_callers(code, 0, 32);
}

TEST(CodeScan, ASwitchMayJumpByTheScratchRegisterWhereThatIsNotForStubs) {
  const Bytes code = {0x4d, 0x3b, 0xd3, 0x41, 0xff, 0x23};  // cmp r10, r11; jmp [r11]
  expect_unknown(code, 0);
  set_has_funclets(false);
  expect_callers(code, 0, 8);
  set_has_funclets(true);
}

TEST(CodeScan, FollowsAPrologue) {
  expect_callers(kMethod, 0, 8);
  expect_saved(kMethod, 1, 16, 0);
  expect_saved(kMethod, 3, 24, 8);
  expect_saved(kMethod, 4, 32, 16);
  expect_saved(kMethod, 8, 56, 40);
}

TEST(CodeScan, FindsTheFrameFromItsEpilogue) {
  for (const size_t at : {13u, 16u, 22u}) expect_saved(kMethod, at, 56, 40);
  expect_saved(kMethod, 26, 32, 16);
  expect_saved(kMethod, 29, 16, 0);
  expect_callers(kMethod, 30, 8);
}

TEST(CodeScan, KnowsTheOtherPrologue) {
  const Bytes code = {0x55, 0x48, 0x89, 0xe5, 0x90, 0x5d, 0xc3};  // push rbp; mov rbp, rsp; nop; pop rbp; ret
  expect_callers(code, 0, 8);
  expect_saved(code, 1, 16, 0);
  expect_saved(code, 4, 16, 0);
  expect_callers(code, 6, 8);
}

TEST(CodeScan, FindsTheCallerOfSmallMethodsWithoutFrame) {
  // lea eax, [rdi+rsi]; imul eax, eax, 31; ret
  const Bytes leaf = {0x8d, 0x04, 0x37, 0x6b, 0xc0, 0x1f, 0xc3};
  for (const size_t at : {0u, 3u, 6u}) expect_callers(leaf, at, 8);
  // push rbx; sub rsp, 16; mov [rsp], rdi; add rsp, 16; pop rbx; ret
  const Bytes saving = {0x53, 0x48, 0x83, 0xec, 0x10, 0x48, 0x89, 0x3c, 0x24, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3};
  expect_callers(saving, 0, 8);
  expect_callers(saving, 1, 16);
  expect_callers(saving, 5, 32);
  expect_callers(saving, 9, 32);
  expect_callers(saving, 13, 16);
}

TEST(CodeScan, SeesTheFramePointerInGeneralUse) {
  // push rbp; push rbx; push rax; mov ebp, edi; call; add rsp, 8; pop rbx; pop rbp; ret
  const Bytes code = {0x55, 0x53, 0x50, 0x8b, 0xef, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 0x08, 0x5b, 0x5d, 0xc3};
  expect_saved(code, 10, 32, 16);
}

// The frame that replaces another's returns from both.
TEST(CodeScan, TakesBothFramesOfReplacedCodeDown) {
  const Bytes code = {
      0x48, 0x8b, 0x45, 0x00,                    //  0 mov rax, [rbp]
      0x50,                                      //  4 push rax
      0x48, 0x83, 0xec, 0x20,                    //  5 sub rsp, 32
      0x48, 0x8d, 0x6c, 0x24, 0x20,              //  9 lea rbp, [rsp+32]
      0xe8, 0,    0,    0,    0,                 // 14 call
      0x48, 0x83, 0xc4, 0x68, 0x5b, 0x5d, 0xc3,  // 19 add rsp, 104; pop rbx; pop rbp; ret
  };
  expect_saved(code, 0, 88, 72);
  expect_saved(code, 19, 128, 112);
}

TEST(CodeScan, FollowsTheFramePointerWhereTheStackPointerMoves) {
  // lea rsp, [rbp-16]; pop rbx; pop r15; pop rbp; ret
  expect_saved({0x90, 0x48, 0x8d, 0x65, 0xf0, 0x5b, 0x41, 0x5f, 0x5d, 0xc3}, 0, 16, 0, true);
  expect_saved({0x90, 0xc9, 0xc3}, 0, 16, 0, true);              // leave; ret
  expect_saved({0x48, 0x8b, 0xe5, 0x5d, 0xc3}, 0, 16, 0, true);  // mov rsp, rbp; pop rbp; ret
  expect_unknown({0x48, 0x8b, 0xe0, 0xc3}, 0);                   // mov rsp, rax
  expect_unknown({0x48, 0x2b, 0xe7, 0xc3}, 0);                   // sub rsp, rdi
}

TEST(CodeScan, FollowsAFrameThatIsLookedAtFirst) {
  // push rbx; lea r11, [rsp-0x3e80]; call; mov rsp, r11; add rsp, 0x3e80; pop rbx; ret
  const Bytes code = {0x53, 0x4c, 0x8d, 0x9c, 0x24, 0x80, 0xc1, 0xff, 0xff, 0xe8, 0, 0,    0,
                      0,    0x49, 0x8b, 0xe3, 0x48, 0x81, 0xc4, 0x80, 0x3e, 0,    0, 0x5b, 0xc3};
  expect_callers(code, 0, 8);
  expect_callers(code, 1, 16);
  expect_callers(code, 17, 0x3e90);
  expect_unknown(code, 14);
}

TEST(CodeScan, FollowsJumps) {
  // 0 je +3; 2 add rsp, 8; 6 ret …: the first way that returns counts
  expect_callers({0x74, 0x05, 0x48, 0x83, 0xc4, 0x08, 0xc3, 0xcc}, 0, 16);
  // 0 je +1; 2 int3; 3 add rsp, 24; 7 ret
  expect_callers({0x74, 0x01, 0xcc, 0x48, 0x83, 0xc4, 0x18, 0xc3}, 0, 32);
  // 0 jne near +6; 6 call; 11 int3; 12 pop rbx; 13 ret
  expect_callers({0x0f, 0x85, 6, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0xcc, 0x5b, 0xc3}, 0, 16);
  // 0 jmp +1; 2 int3; 3 pop rbx; 4 ret
  expect_callers({0xeb, 0x01, 0xcc, 0x5b, 0xc3}, 0, 16);
  // 0 jmp near +1; 5 int3; 6 ret
  expect_callers({0xe9, 1, 0, 0, 0, 0xcc, 0xc3}, 0, 8);
  // 0 nop; 1 jmp -3: round and round
  expect_unknown({0x90, 0xeb, 0xfd}, 0);
  // 0 dec eax; 2 jne -4; 4 pop rbx; 5 ret
  expect_callers({0xff, 0xc8, 0x75, 0xfc, 0x5b, 0xc3}, 0, 16);
}

TEST(CodeScan, TakesTailCallsAndStubsForReturns) {
  expect_callers({0x48, 0xff, 0xe0}, 0, 8);           // rex.w jmp rax
  expect_callers({0xff, 0x25, 0x10, 0, 0, 0}, 0, 8);  // jmp [rip+16]
  expect_callers({0x4c, 0x8b, 0x15, 1, 0, 0, 0, 0xff, 0x25, 8, 0, 0, 0}, 0, 8);
  expect_callers({0x48, 0x83, 0xc4, 0x18, 0x5b, 0xe9, 0, 1, 0, 0}, 0, 40);  // add rsp, 24; pop rbx; jmp
  expect_unknown({0xff, 0xe0}, 0);                                          // jmp rax: may be a switch
}

TEST(CodeScan, GivesUpAtWhatItCannotRead) {
  EXPECT_FALSE(scan_code(1).known);
  expect_unknown({0x06, 0xc3}, 0);                    // no instruction in 64-bit mode
  expect_unknown({0xe8, 0, 0, 0, 0, 0xcc, 0xc3}, 0);  // a call that does not return
  expect_unknown({0x90, 0x90, 0x90}, 0);              // no end
}

TEST(CodeScan, TrustsThePrologueWhereNothingReturns) {
  expect_callers({0x55, 0x48, 0x89, 0xe5, 0x90, 0xcc}, 0, 8);
  expect_callers({0x55, 0x48, 0x89, 0xe5, 0x90, 0xcc}, 1, 16);
}

TEST(CodeScan, EndsOnAnyBytes) {
  uint64_t seed = 1;
  for (int round = 0; round < 20'000; round++) {
    uint8_t code[64];
    for (uint8_t& byte : code) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<uint8_t>(seed >> 56);
    }
    EXPECT_LE(instruction_length(code, sizeof(code)), sizeof(code));
    scan_code(reinterpret_cast<uintptr_t>(code));
  }
}

CallSite site_after(Bytes call) {
  call.insert(call.begin(), 8, 0x90);
  return read_call_site(reinterpret_cast<uintptr_t>(call.data() + call.size()));
}

TEST(CallSite, IsBehindACall) {
  EXPECT_TRUE(site_after({0xe8, 1, 2, 3, 4}).is_call);
  EXPECT_TRUE(site_after({0xff, 0xd0}).is_call);                    // call rax
  EXPECT_TRUE(site_after({0x41, 0xff, 0xd3}).is_call);              // call r11
  EXPECT_TRUE(site_after({0xff, 0x15, 1, 2, 3, 4}).is_call);        // call [rip+disp32]
  EXPECT_TRUE(site_after({0xff, 0x50, 0x18}).is_call);              // call [rax+24]
  EXPECT_TRUE(site_after({0x41, 0xff, 0x54, 0x24, 0x08}).is_call);  // call [r12+8]
  EXPECT_TRUE(site_after({0xff, 0x14, 0xc8}).is_call);              // call [rax+rcx*8]
  EXPECT_TRUE(site_after({0xff, 0x94, 0xc8, 0, 1, 0, 0}).is_call);  // call [rax+rcx*8+256]
}

TEST(CallSite, IsNotElsewhere) {
  EXPECT_FALSE(site_after({0x48, 0x89, 0xc7}).is_call);
  EXPECT_FALSE(site_after({0xff, 0xe0}).is_call);              // jmp rax
  EXPECT_FALSE(site_after({0xff, 0x25, 0, 0, 0, 0}).is_call);  // jmp [rip]
  EXPECT_FALSE(site_after({0xe8, 1, 2, 3, 4, 0x90}).is_call);
  EXPECT_FALSE(read_call_site(0x1000).is_call);
}

TEST(CallSite, TellsAPartOfTheSameMethodFromAMethod) {
  alignas(8) uint8_t code[32] = {};
  code[8] = 0xe8;  // call the last part, 5 bytes long from 8 on
  const auto site_of = [&](uint8_t target, uint64_t before) {
    code[9] = static_cast<uint8_t>(target - 13);
    std::memcpy(code + 16, &before, sizeof(before));
    return read_call_site(reinterpret_cast<uintptr_t>(code) + 13);
  };
  EXPECT_FALSE(site_of(24, 0x00007f0123456788).of_funclet);
  EXPECT_TRUE(site_of(24, 0xc35d5b0001c48348).of_funclet);
  EXPECT_TRUE(site_of(25, 0x00007f0123456788).of_funclet);
}

TEST(CallSite, KnowsItsTarget) {
  uint8_t code[24] = {0, 0, 0, 0, 0xe8, 7, 0, 0, 0};
  const auto at = [&](size_t offset) { return reinterpret_cast<uintptr_t>(code) + offset; };
  EXPECT_EQ(read_call_site(at(9)).target, at(16));
  const uint8_t indirect[] = {0xff, 0x15, 6, 0, 0, 0};  // call [rip+6]
  std::memcpy(code + 4, indirect, sizeof(indirect));
  const uint64_t target = 0x7f0123456780;
  std::memcpy(code + 16, &target, sizeof(target));
  EXPECT_EQ(read_call_site(at(10)).target, target);
  EXPECT_EQ(site_after({0xff, 0xd0}).target, 0u);
}

TEST(Stubs, LeadOn) {
  // mov r10, [rip+20]; jmp [rip+3]; …; where to
  uint8_t code[40] = {0x4c, 0x8b, 0x15, 20, 0, 0, 0, 0xff, 0x25, 3, 0, 0, 0};
  const uint64_t target = 0x7f0123456780;
  std::memcpy(code + 16, &target, sizeof(target));
  EXPECT_EQ(jump_of_stub(reinterpret_cast<uintptr_t>(code)), target);
  const uint8_t direct[] = {0xe9, 1, 0, 0, 0};
  std::memcpy(code, direct, sizeof(direct));
  EXPECT_EQ(jump_of_stub(reinterpret_cast<uintptr_t>(code)), reinterpret_cast<uintptr_t>(code) + 6);
  code[0] = 0x53;  // push rbx: a function
  EXPECT_EQ(jump_of_stub(reinterpret_cast<uintptr_t>(code)), 0u);
}

TEST(Prologue, TellsTheFrame) {
  const auto scan_from_start = [](Bytes code, size_t end) {
    code.insert(code.end(), 300, 0xcc);
    const auto start = reinterpret_cast<uintptr_t>(code.data());
    return scan_prologue(start, start + end);
  };
  const Prologue small = scan_from_start({0x50, 0xe8, 0, 0, 0, 0, 0x8b, 0xf8, 0xe8, 0, 0, 0, 0, 0xcc}, 6);
  EXPECT_EQ(small.size, 8);
  EXPECT_FALSE(small.sets_fp);
  EXPECT_EQ(small.fp_at, 0);
  const Prologue saving = scan_from_start({0x53, 0x55, 0x48, 0x83, 0xec, 0x18, 0x8b, 0xef, 0xe8, 0, 0, 0, 0}, 13);
  EXPECT_EQ(saving.size, 40);
  EXPECT_EQ(saving.fp_at, -24);
  EXPECT_TRUE(scan_from_start(kMethod, 22).sets_fp);
}

// A method that only throws, called by another through a stub: its return address is told from what else lies there.
TEST(CalledCode, IsFoundByItsCaller) {
  alignas(16) uint8_t code[64] = {};
  const auto at = [&](size_t offset) { return reinterpret_cast<uintptr_t>(code) + offset; };
  const uint8_t stub[] = {0xe9, 11, 0, 0, 0};                                       //  0 jmp to 16
  const uint8_t method[] = {0x53, 0x48, 0x83, 0xec, 0x10, 0xe8, 0, 0, 0, 0, 0xcc};  // 16 push rbx; sub rsp, 16; call
  const uint8_t caller[] = {0xe8, 0xcb, 0xff, 0xff, 0xff};                          // 48 call 0
  const uint8_t other[] = {0xff, 0xd0};                                             // 60 call rax
  std::memcpy(code, stub, sizeof(stub));
  std::memcpy(code + 16, method, sizeof(method));
  std::memcpy(code + 48, caller, sizeof(caller));
  std::memcpy(code + 60, other, sizeof(other));
  uintptr_t stack[64] = {1, at(62), at(8), at(53), 2};
  auto walker = std::make_unique<Walker>();
  const Registers registers{.ip = at(26), .sp = reinterpret_cast<uintptr_t>(stack)};
  const auto found = [&] {
    StackMemory memory(*walker, registers.sp);
    return find_called_frame(memory, registers);
  };
  const FrameRule rule = found();
  EXPECT_EQ(rule.kind, RuleKind::kCode);
  EXPECT_EQ(rule.cfa_offset, 32);
  EXPECT_EQ(rule.fp_slot, 0);
  std::swap(stack[2], stack[3]);
  EXPECT_EQ(found().kind, RuleKind::kNone);
}

// A method that only throws, and one before it; the return addresses of calls to them.
struct ThrowingMethod {
  alignas(16) uint8_t code[64] = {};
  ThrowingMethod() {
    const uint8_t before[] = {0x53, 0xc3};                                            //  8 push rbx; ret
    const uint8_t method[] = {0x53, 0x48, 0x83, 0xec, 0x10, 0xe8, 0, 0, 0, 0, 0xcc};  // 16 push rbx; sub rsp, 16; call
    const uint8_t callers[] = {0xe8, 0xdb, 0xff, 0xff, 0xff, 0xe8, 0xce, 0xff, 0xff, 0xff};  // 48 call 16; 53 call 8
    std::memcpy(code + 8, before, sizeof(before));
    std::memcpy(code + 16, method, sizeof(method));
    std::memcpy(code + 48, callers, sizeof(callers));
  }
  uintptr_t at(size_t offset) const { return reinterpret_cast<uintptr_t>(code) + offset; }
  uintptr_t inside() const { return at(26); }
  uintptr_t caller() const { return at(53); }
  uintptr_t caller_of_other() const { return at(58); }
};

TEST(CalledCode, IsNotFoundWhereAnEndedCallLeftAnotherReturnAddress) {
  const ThrowingMethod method;
  uintptr_t stack[64] = {1, method.caller_of_other(), 2, method.caller(), 3};
  auto walker = std::make_unique<Walker>();
  const Registers registers{.ip = method.inside(), .sp = reinterpret_cast<uintptr_t>(stack)};
  StackMemory memory(*walker, registers.sp);
  EXPECT_EQ(find_called_frame(memory, registers).kind, RuleKind::kNone);
}

TEST(CalledCode, IsRememberedOnceItWasFoundAtTwoPlaces) {
  const ThrowingMethod method;
  alignas(16) uintptr_t stack[128] = {};
  auto walker = std::make_unique<Walker>();
  const auto size_found = [&](size_t place, size_t words, uintptr_t return_address) {
    std::fill(std::begin(stack), std::end(stack), 1);
    stack[place + words] = return_address;
    Frame frame{{.ip = method.inside(), .sp = reinterpret_cast<uintptr_t>(stack + place)}, {}};
    frame.rule = rule_for(method.inside(), false);
    StackMemory memory(*walker, frame.registers.sp);
    EXPECT_EQ(step_to_caller(memory, frame), Step::kCaller);
    return frame.registers.sp - reinterpret_cast<uintptr_t>(stack + place);
  };
  const auto is_remembered = [&] { return rule_for(method.inside(), false).kind == RuleKind::kCode; };
  EXPECT_EQ(size_found(0, 1, method.caller_of_other()), 16u) << "wrong, as nothing tells that that call is over";
  EXPECT_FALSE(is_remembered());
  EXPECT_EQ(size_found(0, 3, method.caller()), 32u) << "so it must not stay";
  EXPECT_EQ(size_found(0, 3, method.caller()), 32u);
  EXPECT_FALSE(is_remembered()) << "the same frame once more";
  EXPECT_EQ(size_found(16, 3, method.caller()), 32u);
  EXPECT_TRUE(is_remembered());
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
