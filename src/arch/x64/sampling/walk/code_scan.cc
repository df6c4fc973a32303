#include "sampling/walk/code_scan.h"

#include <algorithm>

#include "sampling/walk/call_site.h"
#include "sampling/walk/instruction.h"
#include "sampling/walk/jump_targets.h"

namespace oriel::sampling {
namespace {

constexpr size_t kMostInstructions = 16000;  // an initializer of tables has 10,000
constexpr size_t kLongestInstruction = 15;

// Code read by system calls: a crashing program may be anywhere.
class CodeWindow {
 public:
  // The code at `address`; `size` gets the number of bytes available.
  const uint8_t* at(uintptr_t address, size_t& size) {
    if (address < begin_ || address - begin_ + kLongestInstruction > size_) {
      begin_ = address;
      size_ = StackMemory::copy(address, bytes_, sizeof(bytes_));
    }
    size = size_ - (address - begin_);
    return bytes_ + (address - begin_);
  }

 private:
  uint8_t bytes_[256];
  uintptr_t begin_ = 0;
  size_t size_ = 0;
};

// A path through the code: its position, and the effect of its instructions so far. Stack positions are relative to the
// initial stack pointer, or to the frame pointer once the stack pointer was set from it.
struct Way {
  uintptr_t at = 0;
  int32_t moved = 0;      // position of the stack pointer
  int32_t own_fp = 0;     // position of the frame pointer, if it was set on the path
  int32_t pushed_at = 0;  // where it was pushed, and popped from
  int32_t popped_at = 0;
  int32_t below = 0;
  bool from_fp = false;
  bool has_own_fp = false;
  bool pushed = false;
  bool popped = false;
  bool taking_down = false;  // the last change of the stack pointer was upwards
  bool has_called = false;
  int32_t called_at = 0;     // position of the stack pointer at the last call
  bool is_doubtful = false;  // after a call, the stack pointer went down: the call may not return, and what follows be
                             // the next function
};

void move_stack(Way& way, int32_t by) {
  way.is_doubtful = way.is_doubtful || (by < 0 && way.has_called);
  way.moved += by;
  way.taking_down = by > 0;
}

void pop_frame_pointer(Way& way) {
  way.popped = true;
  way.popped_at = way.moved;
  move_stack(way, 8);
}

// Mono's optimized methods save the frame pointer among their variables and use it for one. The first store that can be
// the saving is: what the method then keeps there lies elsewhere. The last load is the restoring.
void store_frame_pointer(Way& way, int32_t at) {
  if (!way.pushed) way.pushed_at = way.moved + at;
  way.pushed = true;
}

void load_frame_pointer(Way& way, int32_t at) {
  way.popped = true;
  way.popped_at = way.moved + at;
}

void set_stack_pointer(Way& way, int32_t to) {
  if (way.has_own_fp) {
    way.moved = way.own_fp + to;
  } else {
    way.moved = to;
    way.from_fp = true;
    way.pushed = false;
  }
  way.taking_down = true;
}

// Applies an instruction that continues with the next one.
void follow(Way& way, const Instruction& instruction) {
  switch (instruction.action) {
    case Action::kPush:
      return move_stack(way, -8);
    case Action::kPushFramePointer:
      move_stack(way, -8);
      way.pushed = true;
      way.pushed_at = way.moved;
      return;
    case Action::kPop:
      return move_stack(way, 8);
    case Action::kPopFramePointer:
      return pop_frame_pointer(way);
    case Action::kStoreFramePointer:
      return store_frame_pointer(way, instruction.value);
    case Action::kLoadFramePointer:
      return load_frame_pointer(way, instruction.value);
    case Action::kAddToStack:
      return move_stack(way, instruction.value);
    case Action::kSetFramePointer:
      way.has_own_fp = true;
      way.own_fp = way.moved + instruction.value;
      return;
    case Action::kSetStackPointer:
      return set_stack_pointer(way, instruction.value);
    case Action::kLeave:
      set_stack_pointer(way, 0);
      return pop_frame_pointer(way);
    case Action::kCall:
      way.has_called = true;
      way.called_at = way.moved;
      return;
    case Action::kAddressBelow:
      way.below = way.moved + instruction.value;
      return;
    case Action::kSetStackFromBelow:
      return move_stack(way, way.below - way.moved);
    default:
      return;
  }
}

bool goes_elsewhere(Action action) {
  return action == Action::kBranch || action == Action::kJump || action == Action::kTailJump ||
         action == Action::kScratchJump || action == Action::kReturn || action == Action::kSwitch ||
         action == Action::kStop;
}

// The frame at a return.
CodeFrame frame_of(const Way& way) {
  const bool as_before = way.pushed && way.pushed_at == way.popped_at;
  return {true, way.from_fp, way.popped && !as_before, way.moved + 8, way.popped_at, false};
}

// For a prologue from which no return was found: the frame pointer will point at the caller's, below the return
// address.
CodeFrame frame_of_prologue(const Way& way) { return {true, false, false, way.own_fp + 16, 0, false}; }

// Whether what is left may be the next function. At a call the stack pointer is a multiple of 16, at a return it is 8
// more: what returns elsewhere behind a call is not the function that called. Without funclets, no call in a body moves
// the stack pointer, but for those of methods with a frame pointer, and another method would have set its own.
bool is_doubtful(const Way& way) {
  constexpr int32_t kAlignment = 16, kWord = 8;
  if (way.from_fp) return way.is_doubtful && has_funclets();
  return way.is_doubtful || (way.has_called && (way.moved - way.called_at) % kAlignment != kWord);
}

class Scan {
 public:
  CodeFrame run(uintptr_t from, bool after_call) {
    Way way{.at = from, .has_called = after_call};
    from_ = from;
    while (left_ > 0) {
      if (go_on(way) && way.moved > INT16_MIN * 1024 && way.moved < INT16_MAX * 1024) continue;
      if (found_.known ? !take_earlier(way) : !take_lowest(way) && !take_swept(way)) break;
    }
    if (found_.known) return found_;
    if (doubtful_.known) return doubtful_;
    if (prologue_.known) return prologue_;
    return {.uses_fp = uses_fp_};
  }

 private:
  // A method's throws lie behind its ways out, and where a call that does not return ends them, the next method's code
  // follows. So these are tried last.
  bool take_lowest(Way& way) {
    while (alternatives_ > 0) {
      Way* const lowest = std::min_element(alternative_, alternative_ + alternatives_, is_lower);
      way = *lowest;
      *lowest = alternative_[--alternatives_];
      if (targets_.is_new(way.at)) return true;
    }
    return false;
  }

  // Without funclets, a way out of the method before where the scan began is the right one: what was found behind may
  // lie behind a throw, where anything follows.
  bool take_earlier(Way& way) { return !has_funclets() && take_lowest(way) && way.at < from_; }

  static bool is_lower(const Way& a, const Way& b) { return a.at < b.at; }

  // Where there are too many, the highest are forgotten, which are throws.
  void remember(const Way& way) {
    Way* const end = alternative_ + alternatives_;
    if (std::any_of(alternative_, end, [&](const Way& known) { return known.at == way.at; })) return;
    if (alternatives_ < kAlternatives) {
      alternative_[alternatives_++] = way;
      return;
    }
    Way* const highest = std::max_element(alternative_, end, is_lower);
    if (is_lower(way, *highest)) *highest = way;
  }

  // The cases of a switch lie between others' jumps back, and an interpreter's loop has no other way out. So what lies
  // behind the lowest of the jumps is tried when nothing else is left; with funclets the frame pointer tells the frame.
  bool end_before(const Way& way) {
    const bool is_lowest = swept_.at == 0 || way.at < swept_.at;
    if (!has_funclets() && way.has_called && !way.is_doubtful && way.moved <= 0 && way.at > swept_to_ && is_lowest)
      swept_ = way;
    return false;
  }

  bool take_swept(Way& way) {
    if (swept_.at == 0) return false;
    way = swept_;
    swept_to_ = way.at;
    swept_.at = 0;
    return true;
  }

  // The way leads out of a function.
  bool find(const Way& way) {
    if (!is_doubtful(way)) {
      if (!found_.known || way.at < found_at_) found_ = frame_of(way);
      found_at_ = std::min(found_at_, way.at);
    } else if (has_funclets() && !doubtful_.known) {
      doubtful_ = frame_of(way);
    }
    return false;
  }

  // Executes one instruction. Returns false at the path's end, with or without a frame found.
  bool go_on(Way& way) {
    if (found_.known && way.at == from_) return false;  // the rest is known
    size_t size = 0;
    const uint8_t* const code = code_.at(way.at, size);
    const size_t length = instruction_length(code, size);
    if (length == 0) return false;
    left_--;
    uses_fp_ = uses_fp_ || refers_to_frame_pointer(code, length);
    const Instruction instruction = classify_instruction(code, length);
    way.at += length;
    const uintptr_t target = way.at + static_cast<uintptr_t>(intptr_t{instruction.value});
    switch (instruction.action) {
      case Action::kScratchJump:
        if (has_funclets()) return false;
        [[fallthrough]];
      case Action::kReturn:
      case Action::kTailJump:
        return find(way);
      case Action::kJump:
        if (way.taking_down && way.moved > 0) {
          find(way);
          if (!is_doubtful(way)) return false;
        }
        end_before(way);
        if (!targets_.is_new(target)) return false;
        way.at = target;
        return true;
      case Action::kBranch: {
        Way branch = way;
        branch.at = target;
        remember(branch);
        return true;
      }
      case Action::kSwitch:
        return end_before(way);
      case Action::kStop:
        return false;
      case Action::kSetStackFromBelow:
        if (way.below == 0) return false;
        [[fallthrough]];
      default:
        follow(way, instruction);
        if (instruction.action == Action::kSetFramePointer && !prologue_.known && !way.is_doubtful)
          prologue_ = frame_of_prologue(way);
        return true;
    }
  }

  static constexpr size_t kAlternatives = 24;

  CodeWindow code_;
  uintptr_t from_ = 0;
  CodeFrame found_;
  uintptr_t found_at_ = UINTPTR_MAX;  // behind its return
  CodeFrame doubtful_;
  CodeFrame prologue_;
  bool uses_fp_ = false;
  size_t left_ = kMostInstructions;
  size_t alternatives_ = 0;
  Way alternative_[kAlternatives];
  Way swept_;
  uintptr_t swept_to_ = 0;
  JumpTargets targets_;
};

constexpr size_t kWord = sizeof(uintptr_t);
constexpr size_t kMostWords = 128;  // Mono saves all registers on its way to a throw
constexpr uintptr_t kLargestMethod = 1 << 16;
constexpr int kMostJumps = 4;

// The real target of a call, after stubs that jump on.
uintptr_t behind_stubs(uintptr_t target) {
  for (int i = 0; i < kMostJumps; i++) {
    const uintptr_t next = jump_of_stub(target);
    if (next == 0) return target;
    target = next;
  }
  return target;
}

// The rule, if the prologue of the function at `target` made a frame of `size` bytes.
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

CodeFrame scan_code(uintptr_t from, bool after_call) { return Scan().run(from, after_call); }

Prologue scan_prologue(uintptr_t from, uintptr_t end) {
  constexpr int kMost = 16;
  CodeWindow window;
  Way way{.at = from};
  for (int i = 0; i < kMost && way.at < end; i++) {
    size_t size = 0;
    const uint8_t* const code = window.at(way.at, size);
    const size_t length = instruction_length(code, size);
    if (length == 0) break;
    const Instruction instruction = classify_instruction(code, length);
    if (goes_elsewhere(instruction.action)) break;
    follow(way, instruction);
    way.at += length;
  }
  return {-way.moved, way.has_own_fp || way.from_fp, way.pushed ? way.pushed_at - 8 : 0};
}

FrameRule read_code_rule(uintptr_t pc, bool exact) {
  FrameRule rule{};
  rule.kind = RuleKind::kNoReturnFound;
  const CodeFrame frame = scan_code(pc, !exact);
  const int32_t slot = (frame.fp_at - frame.end) / 8;
  // Otherwise the caller must find out, if it matters, whether the frame pointer is the function's own.
  if (frame.uses_fp) rule.cfa_register = RuleRegister::kFramePointer;
  if (!frame.known || (frame.saves_fp && (slot >= 0 || slot < -2048))) return rule;
  rule.kind = RuleKind::kCode;
  rule.cfa_register = frame.from_fp ? RuleRegister::kFramePointer : RuleRegister::kStackPointer;
  rule.cfa_offset = frame.end;
  rule.fp_slot = frame.saves_fp ? slot : 0;
  return rule;
}

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
