#include "sampling/walk/instruction_x64.h"

#include "sampling/cfi/byte_cursor.h"

// From the opcode maps in Intel's manual, volume 2, appendix A.
namespace oriel::sampling {
namespace {

struct Prefixes {
  bool operand_16 = false;  // 66
  bool address_32 = false;  // 67
  bool wide = false;        // REX.W
};

// What follows an opcode: a ModRM byte with what it brings along, and so many bytes of immediate value.
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

// The map behind 0F.
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

// The shape of what follows the opcode, which is taken, and all prefixes before it.
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

}  // namespace

size_t instruction_length(const uint8_t* bytes, size_t size) {
  ByteCursor code(bytes, bytes + size);
  const Shape shape = take_opcode(code);
  if (!shape.known) return 0;
  if (shape.modrm) skip_modrm(code);
  code.take_block(shape.immediate);
  return code.ok() ? size - code.left() : 0;
}

}  // namespace oriel::sampling
