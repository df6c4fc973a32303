#include "sampling/walk/instruction_kind_x64.h"

#include <cstring>

namespace oriel::sampling {
namespace {

int32_t value_8(const uint8_t* at) { return static_cast<int8_t>(*at); }
int32_t value_32(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// Instructions of a fixed beginning, most of them with a value at their end.
struct Form {
  uint8_t bytes[4];
  uint8_t size;
  uint8_t value_size;
  Action action;
  int8_t sign;
};

constexpr Form kForms[] = {
    {{0x48, 0x83, 0xc4}, 3, 1, Action::kAddToStack, 1},             // add rsp, imm8
    {{0x48, 0x81, 0xc4}, 3, 4, Action::kAddToStack, 1},             // add rsp, imm32
    {{0x48, 0x83, 0xec}, 3, 1, Action::kAddToStack, -1},            // sub rsp, imm8
    {{0x48, 0x81, 0xec}, 3, 4, Action::kAddToStack, -1},            // sub rsp, imm32
    {{0x48, 0x8d, 0x64, 0x24}, 4, 1, Action::kAddToStack, 1},       // lea rsp, [rsp + disp8]
    {{0x48, 0x8d, 0xa4, 0x24}, 4, 4, Action::kAddToStack, 1},       // lea rsp, [rsp + disp32]
    {{0x48, 0x8d, 0x6c, 0x24}, 4, 1, Action::kSetFramePointer, 1},  // lea rbp, [rsp + disp8]
    {{0x48, 0x8d, 0xac, 0x24}, 4, 4, Action::kSetFramePointer, 1},  // lea rbp, [rsp + disp32]
    {{0x48, 0x8b, 0xec}, 3, 0, Action::kSetFramePointer, 1},        // mov rbp, rsp
    {{0x48, 0x89, 0xe5}, 3, 0, Action::kSetFramePointer, 1},        // the same
    {{0x48, 0x8d, 0x65}, 3, 1, Action::kSetStackPointer, 1},        // lea rsp, [rbp + disp8]
    {{0x48, 0x8d, 0xa5}, 3, 4, Action::kSetStackPointer, 1},        // lea rsp, [rbp + disp32]
    {{0x48, 0x8b, 0xe5}, 3, 0, Action::kSetStackPointer, 1},        // mov rsp, rbp
    {{0x48, 0x89, 0xec}, 3, 0, Action::kSetStackPointer, 1},        // the same
    {{0x4c, 0x8d, 0x5c, 0x24}, 4, 1, Action::kAddressBelow, 1},     // lea r11, [rsp + disp8]
    {{0x4c, 0x8d, 0x9c, 0x24}, 4, 4, Action::kAddressBelow, 1},     // lea r11, [rsp + disp32]
    {{0x49, 0x8b, 0xe3}, 3, 0, Action::kSetStackFromBelow, 1},      // mov rsp, r11
    {{0xf3, 0xc3}, 2, 0, Action::kReturn, 1},                       // rep ret
    {{0x0f, 0x0b}, 2, 0, Action::kStop, 1},                         // ud2
};

// Whether something else sets the stack pointer: mov, and, lea and sub with what we do not follow.
bool sets_stack_pointer(const uint8_t* code, size_t length) {
  if (length < 3 || (code[0] & 0xf8) != 0x48) return false;
  const bool to_register = (code[2] & 0xc7) == 0xc4 && (code[0] & 1) == 0;   // rsp as the operand that may be memory
  const bool from_operand = (code[2] & 0x38) == 0x20 && (code[0] & 4) == 0;  // rsp as the other one
  switch (code[1]) {
    case 0x81:
    case 0x83:
      return to_register && (code[2] & 0x38) != 0x38;  // all but cmp
    case 0x01:
    case 0x29:
    case 0x21:
    case 0x89:
      return to_register;
    case 0x03:
    case 0x2b:
    case 0x23:
    case 0x8b:
    case 0x8d:
      return from_operand;
    default:
      return false;
  }
}

Instruction classify_form(const uint8_t* code, size_t length) {
  for (const Form& form : kForms) {
    if (length != size_t{form.size} + form.value_size || std::memcmp(code, form.bytes, form.size) != 0) continue;
    const uint8_t* const value = code + form.size;
    if (form.value_size == 0) return {form.action, 0};
    return {form.action, (form.value_size == 1 ? value_8(value) : value_32(value)) * form.sign};
  }
  if (sets_stack_pointer(code, length)) return {Action::kStop, 0};
  return {};
}

// FF /4: a jump to a computed address. With REX.W, or through memory next to the code, it is a call in tail position or
// a stub's; else it may be a switch.
Instruction classify_computed(const uint8_t* code, bool wide) {
  const uint8_t operation = code[1] & 0x38;
  if (operation == 0x30) return {Action::kPush, 0};
  if (operation != 0x20) return {};
  return {wide || code[1] == 0x25 ? Action::kTailJump : Action::kStop, 0};
}

}  // namespace

Instruction classify_instruction(const uint8_t* code, size_t length) {
  const bool has_rex = (code[0] & 0xf0) == 0x40 && length > 1;
  const uint8_t* const opcode = code + (has_rex ? 1 : 0);
  const size_t rest = length - (has_rex ? 1 : 0);
  const bool high = has_rex && (code[0] & 1) != 0;  // of r8 to r15
  if (rest == 1 && *opcode >= 0x50 && *opcode <= 0x57) {
    return {*opcode == 0x55 && !high ? Action::kPushFramePointer : Action::kPush, 0};
  }
  if (rest == 1 && *opcode >= 0x58 && *opcode <= 0x5f) {
    return {*opcode == 0x5d && !high ? Action::kPopFramePointer : Action::kPop, 0};
  }
  if (rest >= 2 && *opcode == 0xff) return classify_computed(opcode, has_rex && (code[0] & 8) != 0);
  switch (*opcode) {
    case 0x68:
    case 0x6a:
      return {Action::kPush, 0};
    case 0xc9:
      return {Action::kLeave, 0};
    case 0xc2:
    case 0xc3:
      return {Action::kReturn, 0};
    case 0xcc:
    case 0xf4:
      return {Action::kStop, 0};
    case 0xe9:
      return {Action::kJump, value_32(opcode + 1)};
    case 0xeb:
      return {Action::kJump, value_8(opcode + 1)};
    default:
      break;
  }
  if ((*opcode & 0xf0) == 0x70 || (*opcode >= 0xe0 && *opcode <= 0xe3)) return {Action::kBranch, value_8(opcode + 1)};
  if (*opcode == 0x0f && rest == 6 && (opcode[1] & 0xf0) == 0x80) return {Action::kBranch, value_32(opcode + 2)};
  return classify_form(code, length);
}

bool refers_to_frame_pointer(const uint8_t* code, size_t length) {
  constexpr uint8_t kUsual[] = {0x03, 0x2b, 0x33, 0x39, 0x3b, 0x63, 0x80, 0x83, 0x89, 0x8b, 0x8d, 0xc6, 0xc7, 0xff};
  const uint8_t* at = code;
  if (length < 3) return false;
  if ((*at & 0xf0) == 0x40) {
    if ((*at & 1) != 0) return false;  // r13
    at++;
  }
  bool usual = false;
  for (const uint8_t opcode : kUsual) usual = usual || *at == opcode;
  const uint8_t mode = at[1] >> 6;
  return usual && (mode == 1 || mode == 2) && (at[1] & 7) == 5;
}

}  // namespace oriel::sampling
