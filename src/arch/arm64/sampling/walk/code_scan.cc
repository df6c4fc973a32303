#include "sampling/walk/code_scan.h"

#include <cstddef>

#include "sampling/walk/frame_rule.h"
#include "sampling/walk/instruction.h"
#include "sampling/walk/jump_targets.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {
namespace {

constexpr size_t kMostInstructions = 3000;
constexpr uintptr_t kInstruction = sizeof(uint32_t);

// Code read by system calls: a crashing program may be anywhere.
class CodeWindow {
 public:
  // Returns whether there is an instruction at `address`.
  bool read(uintptr_t address, uint32_t& code) {
    if (address % kInstruction != 0) return false;
    if (address < begin_ || address - begin_ >= size_) {
      begin_ = address;
      size_ = StackMemory::copy(address, words_, sizeof(words_)) / kInstruction * kInstruction;
    }
    if (address - begin_ >= size_) return false;
    code = words_[(address - begin_) / kInstruction];
    return true;
  }

 private:
  uint32_t words_[64];
  uintptr_t begin_ = 0;
  size_t size_ = 0;
};

// A register's place on the stack, as far as a path tells.
struct Kept {
  bool saved = false;
  bool restored = false;
  int32_t saved_at = 0;
  int32_t restored_at = 0;

  // Whether the path finds it on the stack and did not put it there.
  bool lay_there() const { return restored && !(saved && saved_at == restored_at); }
};

// A path through the code: its position, and the effect of its instructions so far. Stack positions are relative to the
// initial stack pointer, or to the frame pointer once the stack pointer was set from it.
struct Way {
  uintptr_t at = 0;
  int32_t moved = 0;   // position of the stack pointer
  int32_t own_fp = 0;  // position of the frame pointer, if it was set on the path
  int32_t constant = 0;
  uint8_t constant_in = kNoRegister;  // the register that holds it
  uint8_t sum_in = kNoRegister;       // the register that the last instruction computed
  bool from_fp = false;
  bool has_own_fp = false;
  bool lost = false;         // the stack pointer's position
  bool called = false;       // so the link register is no longer the caller's
  bool taking_down = false;  // the last change of the stack pointer was upwards
  Kept fp, lr;

  static constexpr uint8_t kNoRegister = 255;
};

void move_stack(Way& way, int32_t by) {
  way.moved += by;
  if (by != 0) way.taking_down = by > 0;
}

void set_stack_pointer(Way& way, int32_t to) {
  if (way.has_own_fp) {
    way.moved = way.own_fp + to;
  } else {
    way.moved = to;
    way.from_fp = true;
    way.fp = way.lr = {};
  }
  way.lost = false;
  way.taking_down = true;
}

void save(Way& way, const Instruction& instruction) {
  if (instruction.has_fp && !way.has_own_fp) way.fp = {true, false, way.moved + instruction.fp_at, 0};
  if (instruction.has_lr) way.lr = {true, false, way.moved + instruction.lr_at, 0};
  move_stack(way, instruction.value);
}

void restore(Way& way, const Instruction& instruction) {
  const auto take = [&](Kept& kept, int32_t at) {
    kept.restored = true;
    kept.restored_at = way.moved + at;
  };
  if (instruction.has_fp) take(way.fp, instruction.fp_at);
  if (instruction.has_lr) take(way.lr, instruction.lr_at);
  if (instruction.has_lr) way.called = false;
  move_stack(way, instruction.value);
}

void move_stack_by_register(Way& way, const Instruction& instruction) {
  if (way.constant_in != instruction.other) {
    way.lost = true;
  } else {
    move_stack(way, way.constant * instruction.value);
  }
}

// Applies an instruction that continues with the next one. Returns whether it can stand there.
bool follow(Way& way, const Instruction& instruction) {
  way.sum_in = instruction.action == Action::kAdd ? instruction.other : Way::kNoRegister;
  switch (instruction.action) {
    case Action::kMoveStack:
      move_stack(way, instruction.value);
      return true;
    case Action::kMoveStackBy:
      move_stack_by_register(way, instruction);
      return true;
    case Action::kSetFramePointer:
      way.has_own_fp = true;
      way.own_fp = way.moved + instruction.value;
      return true;
    case Action::kSetStackPointer:
      set_stack_pointer(way, instruction.value);
      return true;
    case Action::kLoseStackPointer:
      way.lost = true;
      return true;
    case Action::kSave:
      // After a call that does not return comes another function.
      if (instruction.has_lr && way.called) return false;
      save(way, instruction);
      return true;
    case Action::kRestore:
      restore(way, instruction);
      return true;
    case Action::kSetConstant:
      way.constant_in = instruction.other;
      way.constant = instruction.value;
      return true;
    case Action::kSetConstantsUpper:
      if (way.constant_in == instruction.other) way.constant |= instruction.value;
      return true;
    case Action::kCall:
    case Action::kComputedCall:
      way.called = true;
      return true;
    default:
      return true;
  }
}

class Scan {
 public:
  CodeFrame run(uintptr_t from) {
    Way way{.at = from, .sum_in = sum_before(from)};
    while (left_ > 0) {
      if (go_on(way) && way.moved > INT16_MIN * 1024 && way.moved < INT16_MAX * 1024) continue;
      if (found_.known) return found_;
      if (alternatives_ == 0) break;
      way = alternative_[--alternatives_];
    }
    return prologue_;
  }

 private:
  // The register that the instruction before computes, for a jump to it.
  uint8_t sum_before(uintptr_t from) {
    uint32_t code = 0;
    if (!code_.read(from - kInstruction, code)) return Way::kNoRegister;
    const Instruction instruction = classify_instruction(code);
    return instruction.action == Action::kAdd ? instruction.other : Way::kNoRegister;
  }

  // Executes one instruction. Returns false at the path's end, with or without a frame found.
  bool go_on(Way& way) {
    uint32_t code = 0;
    if (!code_.read(way.at, code)) return false;
    left_--;
    const Instruction instruction = classify_instruction(code);
    const uintptr_t target = way.at + static_cast<uintptr_t>(intptr_t{instruction.value});
    way.at += kInstruction;
    switch (instruction.action) {
      case Action::kReturn:
        return_from(way);
        return false;
      case Action::kComputedJump:
        // A switch adds the distance to one of its cases; all else is a tail call.
        if (way.sum_in != instruction.other) return_from(way);
        return false;
      case Action::kJump:
        if (way.lr.restored || (way.taking_down && way.moved > 0)) return_from(way);
        if (found_.known || !targets_.is_new(target)) return false;
        way.at = target;
        return true;
      case Action::kBranch:
        if (alternatives_ < kAlternatives && targets_.is_new(target)) {
          alternative_[alternatives_] = way;
          alternative_[alternatives_++].at = target;
        }
        return true;
      case Action::kStop:
        return false;
      default:
        if (!follow(way, instruction)) return false;
        if (instruction.action == Action::kSetFramePointer && !prologue_.known) prologue_ = frame_of_prologue(way);
        return true;
    }
  }

  // The caller's link register must be in place.
  void return_from(const Way& way) {
    if (way.lost || way.called) return;
    found_ = {true,
              way.from_fp,
              way.fp.lay_there(),
              way.lr.lay_there(),
              way.moved,
              way.fp.lay_there() ? way.fp.restored_at : 0,
              way.lr.lay_there() ? way.lr.restored_at : 0};
  }

  // For a prologue from which no return is found: the frame pointer will point at the frame record. If that is still to
  // be saved, the registers hold the caller's values, and the frame is taken as if it were to begin.
  static CodeFrame frame_of_prologue(const Way& way) {
    if (way.lost || way.called) return {};
    if (way.lr.saved) return {.known = true};
    return {true, false, true, true, way.own_fp + 16, way.own_fp, way.own_fp + 8};
  }

  static constexpr size_t kAlternatives = 12;

  CodeWindow code_;
  CodeFrame found_;
  CodeFrame prologue_;
  size_t left_ = kMostInstructions;
  size_t alternatives_ = 0;
  Way alternative_[kAlternatives];
  JumpTargets targets_;
};

// The system's return from a signal handler: mov x8, #139; svc #0. Not all that provide it describe it.
bool returns_from_signal(uintptr_t pc) {
  uint32_t code[2];
  return StackMemory::copy(pc, code, sizeof(code)) == sizeof(code) && code[0] == 0xd2801168 && code[1] == 0xd4000001;
}

// In words from the frame's end; 0 if it has no room in a rule.
int32_t slot_of(const CodeFrame& frame, int32_t at) {
  const int32_t slot = (at - frame.end) / 8;
  return slot < 0 && slot >= -2048 ? slot : 0;
}

}  // namespace

CodeFrame scan_code(uintptr_t from) { return Scan().run(from); }

CodeFrame scan_epilogue(uintptr_t from) {
  constexpr int kMost = 12;
  CodeWindow window;
  Way way{.at = from};
  for (int i = 0; i < kMost; i++, way.at += kInstruction) {
    uint32_t code = 0;
    if (!window.read(way.at, code)) return {};
    const Instruction instruction = classify_instruction(code);
    if (instruction.action == Action::kReturn) break;
    const bool belongs = instruction.action == Action::kOther || instruction.action == Action::kMoveStack ||
                         instruction.action == Action::kRestore;
    if (!belongs || !follow(way, instruction) || way.lr.restored) return {};
    if (i == kMost - 1) return {};
  }
  return {.known = true, .saves_fp = way.fp.restored, .end = way.moved, .fp_at = way.fp.restored_at};
}

FrameRule read_code_rule(uintptr_t pc, bool /*exact*/) {
  FrameRule rule{};
  if (returns_from_signal(pc)) {
    rule.kind = RuleKind::kSignal;
    return rule;
  }
  rule.kind = RuleKind::kNoReturnFound;
  const CodeFrame frame = scan_code(pc);
  const int32_t of_fp = frame.saves_fp ? slot_of(frame, frame.fp_at) : 0;
  const int32_t of_lr = frame.saves_lr ? slot_of(frame, frame.lr_at) : 0;
  if (!frame.known || (frame.saves_fp && of_fp == 0) || (frame.saves_lr && of_lr == 0)) return rule;
  rule.kind = RuleKind::kCode;
  rule.cfa_register = frame.from_fp ? RuleRegister::kFramePointer : RuleRegister::kStackPointer;
  rule.cfa_offset = frame.end;
  rule.fp_slot = of_fp;
  rule.base_slot = of_lr;
  return rule;
}

}  // namespace oriel::sampling
