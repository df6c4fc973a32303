#include "sampling/walk/called_code_x64.h"

#include <cstring>

#include "sampling/walk/call_site_x64.h"
#include "sampling/walk/code_scan_x64.h"

namespace oriel::sampling {
namespace {

constexpr size_t kWord = sizeof(uintptr_t);
constexpr size_t kMostWords = 40;
constexpr uintptr_t kLargestMethod = 1 << 16;
constexpr int kMostJumps = 4;

// Where a call's target really begins: calls go through stubs that jump on.
uintptr_t behind_stubs(uintptr_t target) {
  for (int i = 0; i < kMostJumps; i++) {
    const uintptr_t next = jump_of_stub(target);
    if (next == 0) return target;
    target = next;
  }
  return target;
}

// The rule if the function that begins at `target` has made a frame of `size` bytes by its prologue.
FrameRule rule_of(uintptr_t target, uintptr_t ip, int32_t size) {
  const Prologue prologue = scan_prologue(target, ip);
  if (prologue.sets_fp || prologue.size != size) return {};
  FrameRule rule{};
  rule.kind = RuleKind::kCode;
  rule.cfa_register = RuleRegister::kStackPointer;
  rule.cfa_offset = size + static_cast<int32_t>(kWord);
  rule.fp_slot = prologue.fp_at / static_cast<int32_t>(kWord);
  return rule;
}

}  // namespace

FrameRule find_called_frame(StackMemory& memory, const Registers& registers) {
  FrameRule found{};
  for (size_t i = 0; i < kMostWords; i++) {
    uintptr_t word = 0;
    if (!memory.read(registers.sp + i * kWord, word)) break;
    if (!is_code_address(word)) continue;
    const CallSite site = read_call_site(word);
    if (!site.is_call || site.target == 0) continue;
    const uintptr_t target = behind_stubs(site.target);
    if (target > registers.ip || registers.ip - target > kLargestMethod) continue;
    const FrameRule rule = rule_of(target, registers.ip, static_cast<int32_t>(i * kWord));
    if (rule.kind == RuleKind::kNone) continue;
    if (found.kind != RuleKind::kNone) return {};
    found = rule;
  }
  return found;
}

}  // namespace oriel::sampling
