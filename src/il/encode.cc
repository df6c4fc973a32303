#include "il/encode.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "il/encode_sections.h"
#include "il/format.h"
#include "il/layout.h"
#include "il/links.h"
#include "il/stack.h"

namespace oriel::il {
namespace {

template <typename T>
uint8_t* put(uint8_t* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return out + sizeof value;
}

int32_t distance(const Instruction& from, uint32_t size, const Instruction& to) {
  return static_cast<int32_t>(to.encoded_offset()) - static_cast<int32_t>(from.encoded_offset() + size);
}

uint8_t* put_opcode(uint8_t* out, Opcode opcode) {
  const uint16_t encoding = info(opcode).encoding;
  if (encoding > 0xff) *out++ = static_cast<uint8_t>(encoding >> 8);
  return put(out, static_cast<uint8_t>(encoding));
}

uint8_t* put_branch(uint8_t* out, const Instruction& at, bool is_long) {
  out = put_opcode(out, is_long ? at.opcode() : short_form(at.opcode()));
  const int32_t far = distance(at, is_long ? 5 : 2, *at.target());
  return is_long ? put(out, far) : put(out, static_cast<int8_t>(far));
}

uint8_t* put_instruction(uint8_t* out, const Instruction& at, const Layout& layout) {
  const OperandKind kind = at.info().operand;
  if (is_branch(kind)) return put_branch(out, at, layout.is_long(at));
  out = put_opcode(out, at.opcode());
  switch (operand_bytes(kind)) {
    case 1:
      return put(out, static_cast<uint8_t>(at.operand()));
    case 2:
      return put(out, static_cast<uint16_t>(at.operand()));
    case 8:
      return put(out, at.operand());
    case 4:
      break;
    default:
      return out;
  }
  if (kind != OperandKind::Switch) return put(out, at.token());
  out = put(out, static_cast<uint32_t>(at.cases().size()));
  for (const Instruction* target : at.cases()) out = put(out, distance(at, layout.size_of(at), *target));
  return out;
}

bool fits_tiny(const Body& body, uint32_t code_bytes, uint32_t max_stack) {
  return !body.fat_header && code_bytes < kTinySizeLimit && max_stack <= kTinyMaxStack && body.locals_token == 0 &&
         !body.init_locals && body.other_flags == 0 && body.clauses.empty() && body.extra_sections.empty();
}

std::vector<uint8_t> header(const Body& body, uint32_t code_bytes, uint32_t max_stack) {
  if (fits_tiny(body, code_bytes, max_stack)) return {static_cast<uint8_t>(code_bytes << 2 | kTinyFormat)};
  std::vector<uint8_t> bytes(kFatHeaderBytes);
  uint16_t flags = kFatFormat | kFatHeaderWords << 12 | body.other_flags;
  if (body.init_locals) flags |= kInitLocals;
  if (!body.clauses.empty() || !body.extra_sections.empty()) flags |= kMoreSections;
  uint8_t* out = put(bytes.data(), flags);
  out = put(out, static_cast<uint16_t>(max_stack));
  out = put(out, code_bytes);
  put(out, body.locals_token);
  return bytes;
}

Result<uint32_t> find_max_stack(Body& body, const MethodFacts& facts) {
  const StackDepths depths = compute_stack(body, facts);
  if (!depths.problem) return depths.problem;
  if (depths.max > 0xffff) return Status::error("the method needs more than 65535 values on the stack");
  return std::max<uint32_t>(depths.max, body.max_stack);
}

}  // namespace

Result<Encoded> encode(Body& body, const MethodFacts& facts) {
  if (Status status = check_links(body); !status) return status;
  const Result<uint32_t> max_stack = find_max_stack(body, facts);
  if (!max_stack) return max_stack.status();
  const std::vector<Instruction*>& order = body.number();
  Layout layout(body, order);
  if (!layout.run()) return Status::error("the method has more code than offsets can tell");

  Encoded encoded;
  encoded.max_stack = static_cast<uint16_t>(*max_stack);
  encoded.code_bytes = layout.code_bytes();
  encoded.bytes = header(body, encoded.code_bytes, *max_stack);
  const size_t code_begin = encoded.bytes.size();
  encoded.bytes.resize(code_begin + encoded.code_bytes);
  uint8_t* out = encoded.bytes.data() + code_begin;
  encoded.map.reserve(order.size());
  for (const Instruction* at : order) {
    out = put_instruction(out, *at, layout);
    if (at->original_offset() != kNoOffset) encoded.map.push_back({at->original_offset(), at->encoded_offset()});
  }
  if (Status status = append_sections(body, encoded.bytes); !status) return status;
  return encoded;
}

}  // namespace oriel::il
