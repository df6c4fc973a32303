#include "sampling/code_scan_x64.h"

#include <cstring>

#include "sampling/instruction_x64.h"

namespace oriel::sampling {
namespace {

enum class Action {
  kOther,
  kPush,
  kPop,
  kPopFramePointer,
  kAddToStack,       // by `value`
  kSetFramePointer,  // to stack pointer + `value`
  kSetStackPointer,  // from the frame pointer
  kReturn,
  kStop,  // goes elsewhere
};

struct Instruction {
  Action action = Action::kOther;
  int64_t value = 0;
};

template <size_t N>
bool starts_with(const uint8_t* code, size_t length, const uint8_t (&bytes)[N]) {
  return length >= N && std::memcmp(code, bytes, N) == 0;
}

int64_t value_8(const uint8_t* at) { return static_cast<int8_t>(*at); }
int64_t value_32(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

constexpr uint8_t kAddStack8[] = {0x48, 0x83, 0xc4}, kAddStack32[] = {0x48, 0x81, 0xc4};
constexpr uint8_t kSubStack8[] = {0x48, 0x83, 0xec}, kSubStack32[] = {0x48, 0x81, 0xec};
constexpr uint8_t kLeaFrame8[] = {0x48, 0x8d, 0x6c, 0x24}, kLeaFrame32[] = {0x48, 0x8d, 0xac, 0x24};
constexpr uint8_t kMovFrame[] = {0x48, 0x8b, 0xec}, kMovFrameToo[] = {0x48, 0x89, 0xe5};
constexpr uint8_t kLeaStack8[] = {0x48, 0x8d, 0x65}, kLeaStack32[] = {0x48, 0x8d, 0xa5};
constexpr uint8_t kMovStack[] = {0x48, 0x8b, 0xe5}, kMovStackToo[] = {0x48, 0x89, 0xec};
constexpr uint8_t kRepeatReturn[] = {0xf3, 0xc3};

Instruction classify_long(const uint8_t* code, size_t length) {
  if (starts_with(code, length, kAddStack8)) return {Action::kAddToStack, value_8(code + 3)};
  if (starts_with(code, length, kAddStack32)) return {Action::kAddToStack, value_32(code + 3)};
  if (starts_with(code, length, kSubStack8)) return {Action::kAddToStack, -value_8(code + 3)};
  if (starts_with(code, length, kSubStack32)) return {Action::kAddToStack, -value_32(code + 3)};
  if (starts_with(code, length, kLeaFrame8)) return {Action::kSetFramePointer, value_8(code + 4)};
  if (starts_with(code, length, kLeaFrame32)) return {Action::kSetFramePointer, value_32(code + 4)};
  if (starts_with(code, length, kMovFrame) || starts_with(code, length, kMovFrameToo)) {
    return {Action::kSetFramePointer, 0};
  }
  if (starts_with(code, length, kLeaStack8) || starts_with(code, length, kLeaStack32) ||
      starts_with(code, length, kMovStack) || starts_with(code, length, kMovStackToo)) {
    return {Action::kSetStackPointer, 0};
  }
  if (starts_with(code, length, kRepeatReturn)) return {Action::kReturn, 0};
  return {};
}

// FF /4: a jump to a computed address. With REX.W, or through memory next to the code, it is a call in tail position or
// a stub's, made with the stack as a caller left it; else it may be a switch.
Instruction classify_jump(const uint8_t* code, bool wide) {
  const uint8_t modrm = code[1];
  if ((modrm & 0x38) != 0x20) return {};
  return {wide || modrm == 0x25 ? Action::kReturn : Action::kStop, 0};
}

Instruction classify(const uint8_t* code, size_t length) {
  const bool has_rex = (code[0] & 0xf0) == 0x40 && length > 1;
  const uint8_t* opcode = code + (has_rex ? 1 : 0);
  const size_t rest = length - (has_rex ? 1 : 0);
  if (rest == 1 && *opcode >= 0x50 && *opcode <= 0x57) return {Action::kPush, 0};
  if (rest == 1 && *opcode == 0x5d && !(has_rex && (code[0] & 1))) return {Action::kPopFramePointer, 0};
  if (rest == 1 && *opcode >= 0x58 && *opcode <= 0x5f) return {Action::kPop, 0};
  if (rest >= 2 && *opcode == 0xff) return classify_jump(opcode, has_rex && (code[0] & 8));
  switch (*opcode) {
    case 0x68:
    case 0x6a:
      return {Action::kPush, 0};
    case 0xc9:
      return {Action::kSetStackPointer, 0};
    case 0xc2:
    case 0xc3:
      return {Action::kReturn, 0};
    case 0xcc:
    case 0xe9:
    case 0xeb:
      return {Action::kStop, 0};
    default:
      return classify_long(code, length);
  }
}

}  // namespace

ScannedCode scan_code(const uint8_t* code, size_t size) {
  // What the instructions add to the stack pointer up to the one at hand.
  int64_t moved = 0;
  for (size_t at = 0; at < size;) {
    const size_t length = instruction_length(code + at, size - at);
    if (length == 0) return {};
    const Instruction instruction = classify(code + at, length);
    switch (instruction.action) {
      case Action::kOther:
        break;
      case Action::kPush:
        moved -= 8;
        break;
      case Action::kPop:
        moved += 8;
        break;
      case Action::kAddToStack:
        moved += instruction.value;
        break;
      // The frame pointer will point at the caller's, which lies below the return address.
      case Action::kSetFramePointer:
        return {FrameState::kCallers, moved + instruction.value + 8};
      case Action::kReturn:
        return {FrameState::kCallers, moved};
      case Action::kPopFramePointer:
      case Action::kSetStackPointer:
      case Action::kStop:
        return {};
    }
    at += length;
  }
  return {};
}

}  // namespace oriel::sampling
