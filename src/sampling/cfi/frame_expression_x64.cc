#include "sampling/cfi/frame_expression.h"

#include "sampling/cfi/frame_registers_x64.h"

namespace oriel::sampling {
namespace {

// DWARF expressions' operations (DWARF 5, section 7.7.1), those that occur here.
constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpAnd = 0x1a;
constexpr uint8_t kOpPlus = 0x22;
constexpr uint8_t kOpShl = 0x24;
constexpr uint8_t kOpGe = 0x2a;
constexpr uint8_t kOpLiteral0 = 0x30;
constexpr uint8_t kOpRegister0 = 0x70;  // register + offset

}  // namespace

bool evaluate_from_stack_pointer(ByteCursor code, uintptr_t pc, int64_t& offset) {
  constexpr size_t kDepth = 8;
  int64_t stack[kDepth];
  size_t depth = 0;
  while (code.left() > 0) {
    const uint8_t operation = code.take<uint8_t>();
    if (operation >= kOpRegister0 && operation < kOpRegister0 + 32) {
      const uint64_t dwarf_register = operation - kOpRegister0;
      const int64_t plus = code.take_signed();
      if (depth == kDepth) return false;
      if (dwarf_register == kDwarfStackPointer) {
        stack[depth++] = plus;
      } else if (dwarf_register == kDwarfReturnAddress) {
        stack[depth++] = static_cast<int64_t>(pc) + plus;
      } else {
        return false;
      }
    } else if (operation >= kOpLiteral0 && operation < kOpLiteral0 + 32) {
      if (depth == kDepth) return false;
      stack[depth++] = operation - kOpLiteral0;
    } else {
      if (depth < 2) return false;
      const int64_t right = stack[--depth];
      int64_t& left = stack[depth - 1];
      switch (operation) {
        case kOpAnd:
          left &= right;
          break;
        case kOpPlus:
          left += right;
          break;
        case kOpShl:
          left = right < 64 ? static_cast<int64_t>(static_cast<uint64_t>(left) << right) : 0;
          break;
        case kOpGe:
          left = left >= right;
          break;
        default:
          return false;
      }
    }
  }
  if (depth != 1 || !code.ok()) return false;
  offset = stack[0];
  return true;
}

bool is_from_frame_pointer(ByteCursor code, bool deref, int64_t& offset) {
  if (code.take<uint8_t>() != kOpRegister0 + kDwarfFramePointer) return false;
  offset = code.take_signed();
  if (deref && code.take<uint8_t>() != kOpDeref) return false;
  return code.ok() && code.left() == 0;
}

}  // namespace oriel::sampling
