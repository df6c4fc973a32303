// What arm64 code tells of its frame.
#include "sampling/walk/code_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "sampling/walk/frame_rule.h"

namespace oriel::sampling {
namespace {

using Words = std::vector<uint32_t>;

// The scan from the instruction of that number on, behind the last of which comes what goes nowhere.
CodeFrame scan(Words code, size_t from) {
  constexpr uint32_t kBreakpoint = 0xd4200000;
  code.insert(code.end(), 100, kBreakpoint);
  return scan_code(reinterpret_cast<uintptr_t>(code.data() + from));
}

// The frame ends `end` bytes above the stack pointer, and both registers are the caller's.
void expect_callers(const Words& code, size_t from, int32_t end) {
  const CodeFrame frame = scan(code, from);
  EXPECT_TRUE(frame.known && !frame.from_fp && !frame.saves_fp && !frame.saves_lr) << "at " << from;
  EXPECT_EQ(frame.end, end) << "at " << from;
}

// The caller's frame pointer and the return address above it lie at `at`.
void expect_record(const Words& code, size_t from, int32_t end, int32_t at, bool from_fp = false) {
  const CodeFrame frame = scan(code, from);
  EXPECT_TRUE(frame.known && frame.saves_fp && frame.saves_lr) << "at " << from;
  EXPECT_EQ(frame.from_fp, from_fp) << "at " << from;
  EXPECT_EQ(frame.end, end) << "at " << from;
  EXPECT_EQ(frame.fp_at, at) << "at " << from;
  EXPECT_EQ(frame.lr_at, at + 8) << "at " << from;
}

void expect_unknown(const Words& code, size_t from) { EXPECT_FALSE(scan(code, from).known) << "at " << from; }

// A method as a runtime's compiler writes it.
const Words kMethod = {
    0xa9bd7bfd,  //  0 stp x29, x30, [sp, #-48]!
    0xa90253f3,  //  1 stp x19, x20, [sp, #32]
    0x910003fd,  //  2 mov x29, sp
    0xaa0003f3,  //  3 mov x19, x0
    0xd63f0020,  //  4 blr x1
    0x8b130000,  //  5 add x0, x0, x19
    0xa94253f3,  //  6 ldp x19, x20, [sp, #32]
    0xa8c37bfd,  //  7 ldp x29, x30, [sp], #48
    0xd65f03c0,  //  8 ret
};

TEST(CodeScan, FollowsAPrologue) {
  expect_callers(kMethod, 0, 0);
  expect_record(kMethod, 1, 48, 0);
  expect_record(kMethod, 2, 48, 0);
}

TEST(CodeScan, FindsTheFrameFromItsEpilogue) {
  for (const size_t at : {3u, 4u, 5u, 6u, 7u}) expect_record(kMethod, at, 48, 0);
  expect_callers(kMethod, 8, 0);
}

const Words kOther = {
    0xd10183ff,  //  0 sub sp, sp, #0x60
    0xa9047bfd,  //  1 stp x29, x30, [sp, #64]
    0xf9002bf3,  //  2 str x19, [sp, #80]
    0x910103fd,  //  3 add x29, sp, #64
    0x94000010,  //  4 bl #0x40
    0xf9402bf3,  //  5 ldr x19, [sp, #80]
    0xa9447bfd,  //  6 ldp x29, x30, [sp, #64]
    0x910183ff,  //  7 add sp, sp, #0x60
    0xd65f03c0,  //  8 ret
};

TEST(CodeScan, KnowsTheOtherPrologue) {
  expect_callers(kOther, 0, 0);
  expect_callers(kOther, 1, 96);
  for (const size_t at : {2u, 3u, 4u, 5u, 6u}) expect_record(kOther, at, 96, 64);
  expect_callers(kOther, 7, 96);
  expect_callers(kOther, 8, 0);
}

const Words kLeaf = {
    0x528003e2,  //  0 mov w2, #31
    0x1b020400,  //  1 madd w0, w0, w2, w1
    0xd65f03c0,  //  2 ret
};

const Words kLeafWithRoom = {
    0xd10043ff,  //  0 sub sp, sp, #16
    0xf90007e0,  //  1 str x0, [sp, #8]
    0xf94007e0,  //  2 ldr x0, [sp, #8]
    0x910043ff,  //  3 add sp, sp, #16
    0xd65f03c0,  //  4 ret
};

TEST(CodeScan, FindsTheCallerOfFunctionsThatCallNothing) {
  for (const size_t at : {0u, 1u, 2u}) expect_callers(kLeaf, at, 0);
  expect_callers(kLeafWithRoom, 0, 0);
  for (const size_t at : {1u, 2u, 3u}) expect_callers(kLeafWithRoom, at, 16);
  expect_callers(kLeafWithRoom, 4, 0);
}

const Words kOnlyLink = {
    0xf81f0ffe,  //  0 str x30, [sp, #-16]!
    0x94000010,  //  1 bl #0x40
    0xf84107fe,  //  2 ldr x30, [sp], #16
    0xd65f03c0,  //  3 ret
};

TEST(CodeScan, FindsAReturnAddressWithoutARecord) {
  expect_callers(kOnlyLink, 0, 0);
  const CodeFrame frame = scan(kOnlyLink, 1);
  EXPECT_TRUE(frame.known && frame.saves_lr && !frame.saves_fp);
  EXPECT_EQ(frame.end, 16);
  EXPECT_EQ(frame.lr_at, 0);
}

const Words kLarge = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0xd2846809,  //  2 mov x9, #0x2340
    0xf2a00029,  //  3 movk x9, #1, lsl #16
    0xcb2963ff,  //  4 sub sp, sp, x9
    0x94000010,  //  5 bl #0x40
    0xd2846809,  //  6 mov x9, #0x2340
    0xf2a00029,  //  7 movk x9, #1, lsl #16
    0x8b2963ff,  //  8 add sp, sp, x9
    0xa8c17bfd,  //  9 ldp x29, x30, [sp], #16
    0xd65f03c0,  // 10 ret
};

TEST(CodeScan, ReadsTheSizeOfALargeFrame) {
  expect_record(kLarge, 1, 16, 0);
  expect_record(kLarge, 5, 0x12340 + 16, 0x12340);
  expect_record(kLarge, 9, 16, 0);
}

const Words kMoving = {
    0xa9be7bfd,  //  0 stp x29, x30, [sp, #-32]!
    0xf9000bf3,  //  1 str x19, [sp, #16]
    0x910003fd,  //  2 mov x29, sp
    0xcb2063e9,  //  3 sub x9, sp, x0
    0x927ced3f,  //  4 and sp, x9, #0xfffffffffffffff0
    0x94000010,  //  5 bl #0x40
    0x910003bf,  //  6 mov sp, x29
    0xf9400bf3,  //  7 ldr x19, [sp, #16]
    0xa8c27bfd,  //  8 ldp x29, x30, [sp], #32
    0xd65f03c0,  //  9 ret
};

TEST(CodeScan, FollowsTheFramePointerWhereTheStackPointerMoves) {
  expect_callers(kMoving, 0, 0);
  expect_record(kMoving, 2, 32, 0);
  for (const size_t at : {3u, 5u, 6u}) expect_record(kMoving, at, 32, 0, true);
  expect_record(kMoving, 7, 32, 0);
}

// The frame that replaces another's returns from both.
const Words kReplacing = {
    0xa9bc7bfd,  //  0 stp x29, x30, [sp, #-64]!
    0x910003fd,  //  1 mov x29, sp
    0xb9407fa0,  //  2 ldr w0, [x29, #124]
    0x94000010,  //  3 bl #0x40
    0xa8c47bfd,  //  4 ldp x29, x30, [sp], #64
    0x910103ff,  //  5 add sp, sp, #64
    0xd65f03c0,  //  6 ret
};

TEST(CodeScan, TakesBothFramesOfReplacedCodeDown) {
  expect_record(kReplacing, 2, 128, 0);
  expect_callers(kReplacing, 5, 64);
}

const Words kSwitch = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x71000c1f,  //  2 cmp w0, #3
    0x540000a8,  //  3 b.hi l
    0x10000081,  //  4 adr x1, l
    0xb8605820,  //  5 ldr w0, [x1, w0, uxtw #2]
    0x8b010000,  //  6 add x0, x0, x1
    0xd61f0000,  //  7 br x0
    0x52800020,  //  8 mov w0, #1
    0xa8c17bfd,  //  9 ldp x29, x30, [sp], #16
    0xd65f03c0,  // 10 ret
};

const Words kLoop = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x94000010,  //  2 bl #0x40
    0x35ffffe0,  //  3 cbnz w0, k
    0x361fffc1,  //  4 tbz w1, #3, k
    0x14000002,  //  5 b m
    0xd4200000,  //  6 brk #0
    0xa8c17bfd,  //  7 ldp x29, x30, [sp], #16
    0xd65f03c0,  //  8 ret
};

TEST(CodeScan, FollowsAllPaths) {
  expect_record(kSwitch, 2, 16, 0);
  expect_record(kSwitch, 8, 16, 0);
  expect_unknown(kSwitch, 4);
  for (const size_t at : {2u, 3u, 4u, 5u}) expect_record(kLoop, at, 16, 0);
}

const Words kTailCall = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x94000010,  //  2 bl #0x40
    0xa8c17bfd,  //  3 ldp x29, x30, [sp], #16
    0xd61f0040,  //  4 br x2
};

const Words kNearTailCall = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x94000010,  //  2 bl #0x40
    0xa8c17bfd,  //  3 ldp x29, x30, [sp], #16
    0x14001000,  //  4 b #0x4000
};

const Words kStub = {
    0x58000810,  //  0 ldr x16, #0x100
    0xd61f0200,  //  1 br x16
};

TEST(CodeScan, EndsAtTailCalls) {
  for (const size_t at : {1u, 2u, 3u}) expect_record(kTailCall, at, 16, 0);
  expect_callers(kTailCall, 4, 0);
  for (const size_t at : {1u, 2u, 3u}) expect_record(kNearTailCall, at, 16, 0);
  expect_callers(kStub, 0, 0);
  expect_callers(kStub, 1, 0);
}

// From within it, what comes behind the call that does not return is another function.
const Words kThrower = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x94000010,  //  2 bl #0x40
    0xd4200000,  //  3 brk #0
    0xa9be7bfd,  //  4 stp x29, x30, [sp, #-32]!
    0x910003fd,  //  5 mov x29, sp
    0xa8c27bfd,  //  6 ldp x29, x30, [sp], #32
    0xd65f03c0,  //  7 ret
};

const Words kEndless = {
    0xa9bf7bfd,  //  0 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  1 mov x29, sp
    0x94000010,  //  2 bl #0x40
    0x17ffffff,  //  3 b e
};

TEST(CodeScan, KnowsWhatDoesNotReturn) {
  expect_callers(kThrower, 0, 0);
  expect_record(kThrower, 1, 16, 0);
  expect_unknown(kThrower, 2);
  Words code = kThrower;
  code.erase(code.begin() + 3);
  expect_unknown(code, 2);
  expect_callers(kEndless, 0, 0);
  expect_unknown(kEndless, 2);
}

const Words kSigned = {
    0xd503233f,  //  0 paciasp
    0xa9bf7bfd,  //  1 stp x29, x30, [sp, #-16]!
    0x910003fd,  //  2 mov x29, sp
    0x94000010,  //  3 bl #0x40
    0xa8c17bfd,  //  4 ldp x29, x30, [sp], #16
    0xd65f0bff,  //  5 retaa
};

TEST(CodeScan, ReadsCodeThatSignsItsReturnAddress) {
  expect_callers(kSigned, 0, 0);
  for (const size_t at : {2u, 3u, 4u}) expect_record(kSigned, at, 16, 0);
}

FrameRule rule_at(const Words& code, size_t from) {
  Words padded = code;
  padded.insert(padded.end(), 4, 0);
  return read_code_rule(reinterpret_cast<uintptr_t>(padded.data() + from), true);
}

TEST(CodeRule, HasTheRecordsPlaces) {
  const FrameRule rule = rule_at(kOther, 4);
  EXPECT_EQ(rule.kind, RuleKind::kCode);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.cfa_offset, 96);
  EXPECT_EQ(rule.fp_slot, -4);
  EXPECT_EQ(rule.base_slot, -3);
  EXPECT_EQ(rule_at(kThrower, 2).kind, RuleKind::kNoReturnFound);
}

const Words kSignalReturn = {
    0xd2801168,  //  0 mov x8, #139
    0xd4000001,  //  1 svc #0
};

TEST(CodeRule, KnowsTheReturnFromASignal) {
  EXPECT_EQ(rule_at(kSignalReturn, 0).kind, RuleKind::kSignal);
  EXPECT_NE(rule_at(kSignalReturn, 1).kind, RuleKind::kSignal);
}

}  // namespace
}  // namespace oriel::sampling
