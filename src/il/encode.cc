#include "il/encode.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "il/format.h"
#include "il/layout.h"
#include "il/regions.h"
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

bool fits_tiny(const Body& body, uint32_t code_bytes, uint32_t max_stack, bool fat) {
  return !fat && !body.fat_header && code_bytes < kTinySizeLimit && max_stack <= kTinyMaxStack &&
         body.locals_token == 0 && !body.init_locals && body.other_flags == 0 && body.clauses.empty() &&
         body.extra_sections.empty();
}

std::vector<uint8_t> header(const Body& body, uint32_t code_bytes, uint32_t max_stack, bool fat) {
  if (fits_tiny(body, code_bytes, max_stack, fat)) return {static_cast<uint8_t>(code_bytes << 2 | kTinyFormat)};
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

// If not all effects are known, the bound is added to the header's value.
Result<uint32_t> find_max_stack(Body& body, const MethodFacts& facts, bool least) {
  const StackDepths depths = compute_stack(body, facts);
  if (!depths.problem) return depths.problem;
  if (depths.max > 0xffff) return Status::error("the method needs more than 65535 values on the stack");
  return least && depths.exact ? depths.max : std::max<uint32_t>(depths.max, body.max_stack);
}

// The sections behind the code.

// A clause as numbers.
struct Row {
  uint32_t kind, try_offset, try_length, handler_offset, handler_length, last;
};

Row row_of(const Clause& clause) {
  Row row{};
  row.kind = static_cast<uint32_t>(clause.kind);
  row.try_offset = clause.try_begin->encoded_offset();
  row.try_length = clause.try_end->encoded_offset() - row.try_offset;
  row.handler_offset = clause.handler_begin->encoded_offset();
  row.handler_length = clause.handler_end->encoded_offset() - row.handler_offset;
  if (clause.kind == ClauseKind::kFilter) row.last = clause.filter_begin->encoded_offset();
  if (clause.kind == ClauseKind::kCatch) row.last = clause.class_token;
  return row;
}

bool fits_small(const Row& row) {
  return row.try_offset <= 0xffff && row.try_length <= 0xff && row.handler_offset <= 0xffff &&
         row.handler_length <= 0xff;
}

template <typename T>
void append(std::vector<uint8_t>& bytes, T value) {
  uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

void append_small(std::vector<uint8_t>& bytes, const Row& row) {
  append(bytes, static_cast<uint16_t>(row.kind));
  append(bytes, static_cast<uint16_t>(row.try_offset));
  append(bytes, static_cast<uint8_t>(row.try_length));
  append(bytes, static_cast<uint16_t>(row.handler_offset));
  append(bytes, static_cast<uint8_t>(row.handler_length));
  append(bytes, row.last);
}

void append_fat(std::vector<uint8_t>& bytes, const Row& row) {
  for (uint32_t value : {row.kind, row.try_offset, row.try_length, row.handler_offset, row.handler_length, row.last})
    append(bytes, value);
}

void align4(std::vector<uint8_t>& bytes) { bytes.resize((bytes.size() + 3) & ~size_t{3}); }

void append_header(std::vector<uint8_t>& bytes, uint8_t kind, uint64_t size, bool fat, bool more) {
  const auto flags = static_cast<uint8_t>(kind | (fat ? kSectionFat : 0) | (more ? kSectionMore : 0));
  append(bytes, static_cast<uint32_t>(size << 8 | flags));
}

Status append_exceptions(const Body& body, std::vector<uint8_t>& bytes) {
  std::vector<Row> rows;
  rows.reserve(body.clauses.size());
  for (const Clause& clause : body.clauses) rows.push_back(row_of(clause));
  uint64_t size = kSectionHeaderBytes + uint64_t{kSmallClauseBytes} * rows.size();
  const bool fat = size > kSmallSectionLimit || !std::all_of(rows.begin(), rows.end(), fits_small);
  if (fat) size = kSectionHeaderBytes + uint64_t{kFatClauseBytes} * rows.size();
  if (size > kFatSectionLimit) return Status::error("the method has more exception clauses than a table holds");
  append_header(bytes, kSectionExceptions, size, fat, !body.extra_sections.empty());
  for (const Row& row : rows) fat ? append_fat(bytes, row) : append_small(bytes, row);
  return Status::ok();
}

// Appends the exception table, small if possible, and the extra sections, each aligned to four bytes.
Status append_sections(const Body& body, std::vector<uint8_t>& bytes) {
  if (!body.clauses.empty()) {
    align4(bytes);
    if (Status status = append_exceptions(body, bytes); !status) return status;
  }
  for (size_t i = 0; i < body.extra_sections.size(); ++i) {
    const ExtraSection& section = body.extra_sections[i];
    const uint64_t size = kSectionHeaderBytes + section.data.size();
    if (size > kFatSectionLimit) return Status::error("the method has a section longer than one may be");
    align4(bytes);
    append_header(bytes, section.kind, size, size > kSmallSectionLimit, i + 1 < body.extra_sections.size());
    bytes.insert(bytes.end(), section.data.begin(), section.data.end());
  }
  return Status::ok();
}

}  // namespace

Result<Encoded> encode(Body& body, const MethodFacts& facts, const EncodeOptions& options) {
  if (Status status = check_links(body); !status) return status;
  const Result<uint32_t> max_stack = find_max_stack(body, facts, options.least_stack);
  if (!max_stack) return max_stack.status();
  const std::vector<Instruction*>& order = body.number();
  Layout layout(body, order, options.long_branches);
  if (!layout.run()) return Status::error("the method has more code than offsets can tell");

  Encoded encoded;
  encoded.max_stack = static_cast<uint16_t>(*max_stack);
  encoded.code_bytes = layout.code_bytes();
  encoded.bytes = header(body, encoded.code_bytes, *max_stack, options.fat_header);
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
