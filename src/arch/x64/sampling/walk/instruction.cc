#include "sampling/walk/instruction.h"

#include <cstring>

#include "sampling/cfi/byte_cursor.h"

namespace oriel::sampling {
namespace {

// Instruction lengths: from the opcode maps in Intel's manual, volume 2, appendix A.

struct Prefixes {
  bool operand_16 = false;  // 66
  bool address_32 = false;  // 67
  bool wide = false;        // REX.W
};

// The bytes after an opcode: a ModRM byte with its extensions, and an immediate value of so many bytes.
struct Shape {
  bool known = true;
  bool modrm = false;
  size_t immediate = 0;
};

constexpr Shape kNone{};
constexpr Shape kModrm{true, true, 0};
constexpr Shape kUnknown{false, false, 0};

constexpr Shape immediate(size_t size) { return {true, false, size}; }
constexpr Shape modrm_and(size_t size) { return {true, true, size}; }

// Opcodes 80 and up of the one-byte map.
Shape upper_shape(uint8_t opcode, const Prefixes& prefixes, size_t word, uint8_t modrm) {
  const bool tests = (modrm & 0x30) == 0;  // F6 and F7: only TEST has an immediate value
  switch (opcode) {
    case 0x81:
    case 0x69:
    case 0xc7:
      return modrm_and(word);
    case 0x80:
    case 0x82:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return modrm_and(1);
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
      return immediate(prefixes.address_32 ? 4 : 8);
    case 0xa8:
    case 0xcd:
    case 0xe4:
    case 0xe5:
    case 0xe6:
    case 0xe7:
    case 0xeb:
      return immediate(1);
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
      return immediate(1);
    case 0xa9:
      return immediate(word);
    case 0xc2:
    case 0xca:
      return immediate(2);
    case 0xc8:
      return immediate(3);
    case 0xe8:
    case 0xe9:
      return immediate(4);
    case 0xf6:
      return tests ? modrm_and(1) : kModrm;
    case 0xf7:
      return tests ? modrm_and(word) : kModrm;
    case 0x9a:
    case 0xea:
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xce:
      return kUnknown;
    default:
      break;
  }
  if (opcode <= 0x8f || (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf)) return kModrm;
  if (opcode == 0xfe || opcode == 0xff) return kModrm;
  if (opcode >= 0xb0 && opcode <= 0xb7) return immediate(1);
  if (opcode >= 0xb8 && opcode <= 0xbf) return immediate(prefixes.wide ? 8 : word);
  return kNone;
}

Shape one_byte_shape(uint8_t opcode, const Prefixes& prefixes, uint8_t modrm) {
  const size_t word = prefixes.operand_16 ? 2 : 4;
  if (opcode >= 0x80) return upper_shape(opcode, prefixes, word, modrm);
  if (opcode < 0x40) {  // arithmetic in blocks of eight
    const uint8_t form = opcode & 7;
    if (form < 4) return kModrm;
    if (form == 4) return immediate(1);
    return form == 5 ? immediate(word) : kUnknown;
  }
  if (opcode < 0x60 || (opcode >= 0x6c && opcode <= 0x6f)) return kNone;
  if (opcode >= 0x70 || opcode == 0x6a) return immediate(1);
  switch (opcode) {
    case 0x63:
      return kModrm;
    case 0x68:
      return immediate(word);
    case 0x69:
      return modrm_and(word);
    case 0x6b:
      return modrm_and(1);
    default:
      return kUnknown;
  }
}

// The map after 0F.
Shape two_byte_shape(uint8_t opcode) {
  if (opcode >= 0x80 && opcode <= 0x8f) return immediate(4);
  if ((opcode >= 0x70 && opcode <= 0x73) || (opcode >= 0xc4 && opcode <= 0xc6)) return modrm_and(1);
  if (opcode == 0xc2 || opcode == 0xa4 || opcode == 0xac || opcode == 0xba) return modrm_and(1);
  if ((opcode >= 0x30 && opcode <= 0x37) || (opcode >= 0xc8 && opcode <= 0xcf)) return kNone;
  switch (opcode) {
    case 0x05:
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x0b:
    case 0x77:
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa8:
    case 0xa9:
    case 0xaa:
      return kNone;
    default:
      return kModrm;
  }
}

// Maps 1 (0F), 2 (0F 38) and 3 (0F 3A).
Shape shape_in_map(unsigned map, uint8_t opcode) {
  if (map == 1) return two_byte_shape(opcode);
  if (map == 2) return kModrm;
  return map == 3 ? modrm_and(1) : kUnknown;
}

void skip_modrm(ByteCursor& code) {
  const uint8_t modrm = code.take<uint8_t>();
  const uint8_t mode = modrm >> 6;
  if (mode == 3) return;
  size_t displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  if ((modrm & 7) == 4) {
    const uint8_t scaled = code.take<uint8_t>();
    if (mode == 0 && (scaled & 7) == 5) displacement = 4;
  } else if (mode == 0 && (modrm & 7) == 5) {
    displacement = 4;
  }
  code.take_block(displacement);
}

uint8_t peek(const ByteCursor& code) { return code.left() > 0 ? *code.at() : 0; }

// The shape of what follows the opcode; consumes all prefixes and the opcode.
Shape take_opcode(ByteCursor& code) {
  Prefixes prefixes;
  uint8_t byte = code.take<uint8_t>();
  for (; code.left() > 0; byte = code.take<uint8_t>()) {
    if (byte == 0x66) {
      prefixes.operand_16 = true;
    } else if (byte == 0x67) {
      prefixes.address_32 = true;
    } else if (byte != 0xf0 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e && byte != 0x36 && byte != 0x3e &&
               byte != 0x26 && byte != 0x64 && byte != 0x65) {
      break;
    }
  }
  if ((byte & 0xf0) == 0x40) {
    prefixes.wide = (byte & 8) != 0;
    prefixes.operand_16 = prefixes.operand_16 && !prefixes.wide;
    byte = code.take<uint8_t>();
  }
  switch (byte) {
    case 0x0f: {
      const uint8_t opcode = code.take<uint8_t>();
      if (opcode == 0x38) return shape_in_map(2, code.take<uint8_t>());
      if (opcode == 0x3a) return shape_in_map(3, code.take<uint8_t>());
      return two_byte_shape(opcode);
    }
    case 0xc5:
      code.take<uint8_t>();
      return two_byte_shape(code.take<uint8_t>());  // VEX of two bytes
    case 0xc4: {                                    // VEX of three
      const unsigned map = code.take<uint8_t>() & 0x1f;
      code.take<uint8_t>();
      return shape_in_map(map, code.take<uint8_t>());
    }
    case 0x62: {  // EVEX
      const unsigned map = code.take<uint8_t>() & 7;
      code.take_block(2);
      return shape_in_map(map, code.take<uint8_t>());
    }
    default:
      return one_byte_shape(byte, prefixes, peek(code));
  }
}

// Instruction effects.

int32_t value_8(const uint8_t* at) { return static_cast<int8_t>(*at); }
int32_t value_32(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// Instructions with a fixed beginning, most of them with a value at their end.
struct Form {
  uint8_t bytes[4];
  uint8_t size;
  uint8_t value_size;
  Action action;
  int8_t sign;
};

constexpr Form kForms[] = {
    {{0x48, 0x83, 0xc4}, 3, 1, Action::kAddToStack, 1},               // add rsp, imm8
    {{0x48, 0x81, 0xc4}, 3, 4, Action::kAddToStack, 1},               // add rsp, imm32
    {{0x48, 0x83, 0xec}, 3, 1, Action::kAddToStack, -1},              // sub rsp, imm8
    {{0x48, 0x81, 0xec}, 3, 4, Action::kAddToStack, -1},              // sub rsp, imm32
    {{0x48, 0x8d, 0x64, 0x24}, 4, 1, Action::kAddToStack, 1},         // lea rsp, [rsp + disp8]
    {{0x48, 0x8d, 0xa4, 0x24}, 4, 4, Action::kAddToStack, 1},         // lea rsp, [rsp + disp32]
    {{0x48, 0x8d, 0x6c, 0x24}, 4, 1, Action::kSetFramePointer, 1},    // lea rbp, [rsp + disp8]
    {{0x48, 0x8d, 0xac, 0x24}, 4, 4, Action::kSetFramePointer, 1},    // lea rbp, [rsp + disp32]
    {{0x48, 0x8b, 0xec}, 3, 0, Action::kSetFramePointer, 1},          // mov rbp, rsp
    {{0x48, 0x89, 0xe5}, 3, 0, Action::kSetFramePointer, 1},          // likewise
    {{0x48, 0x8d, 0x65}, 3, 1, Action::kSetStackPointer, 1},          // lea rsp, [rbp + disp8]
    {{0x48, 0x8d, 0xa5}, 3, 4, Action::kSetStackPointer, 1},          // lea rsp, [rbp + disp32]
    {{0x48, 0x8b, 0xe5}, 3, 0, Action::kSetStackPointer, 1},          // mov rsp, rbp
    {{0x48, 0x89, 0xec}, 3, 0, Action::kSetStackPointer, 1},          // likewise
    {{0x48, 0x89, 0x2c, 0x24}, 4, 0, Action::kStoreFramePointer, 1},  // mov [rsp], rbp
    {{0x48, 0x89, 0x6c, 0x24}, 4, 1, Action::kStoreFramePointer, 1},  // mov [rsp + disp8], rbp
    {{0x48, 0x89, 0xac, 0x24}, 4, 4, Action::kStoreFramePointer, 1},  // mov [rsp + disp32], rbp
    {{0x48, 0x8b, 0x2c, 0x24}, 4, 0, Action::kLoadFramePointer, 1},   // mov rbp, [rsp]
    {{0x48, 0x8b, 0x6c, 0x24}, 4, 1, Action::kLoadFramePointer, 1},   // mov rbp, [rsp + disp8]
    {{0x48, 0x8b, 0xac, 0x24}, 4, 4, Action::kLoadFramePointer, 1},   // mov rbp, [rsp + disp32]
    {{0x4c, 0x8d, 0x5c, 0x24}, 4, 1, Action::kAddressBelow, 1},       // lea r11, [rsp + disp8]
    {{0x4c, 0x8d, 0x9c, 0x24}, 4, 4, Action::kAddressBelow, 1},       // lea r11, [rsp + disp32]
    {{0x49, 0x8b, 0xe3}, 3, 0, Action::kSetStackFromBelow, 1},        // mov rsp, r11
    {{0xf3, 0xc3}, 2, 0, Action::kReturn, 1},                         // rep ret
    {{0x0f, 0x0b}, 2, 0, Action::kStop, 1},                           // ud2
    {{0x00, 0x00}, 2, 0, Action::kStop, 1},                           // memory without code
};

// Whether an instruction sets the stack pointer in another way: mov, and, lea and sub with operands that are not
// followed.
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

// FF /2 and /4: to a computed address. A jump with REX.W, or through memory next to the code, is a tail call or a
// stub's; else it may be a switch. `high`: of r8 to r15.
Instruction classify_computed(const uint8_t* code, bool wide, bool high) {
  const uint8_t operation = code[1] & 0x38;
  const uint8_t operand = code[1] & 0xc7;
  if (operation == 0x30) return {Action::kPush, 0};
  if (operation == 0x10) return {Action::kCall, 0};
  if (operation != 0x20) return {};
  if (high && !wide && (operand == 0xc3 || operand == 0x03)) return {Action::kScratchJump, 0};
  return {wide || code[1] == 0x25 ? Action::kTailJump : Action::kSwitch, 0};
}

}  // namespace

size_t instruction_length(const uint8_t* bytes, size_t size) {
  ByteCursor code(bytes, bytes + size);
  const Shape shape = take_opcode(code);
  if (!shape.known) return 0;
  if (shape.modrm) skip_modrm(code);
  code.take_block(shape.immediate);
  return code.ok() ? size - code.left() : 0;
}

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
  if (rest >= 2 && *opcode == 0xff) return classify_computed(opcode, has_rex && (code[0] & 8) != 0, high);
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
    case 0xe8:
      return {Action::kCall, 0};
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
