#include "plugins/code/decode.h"

#include <cstring>

#include "il/decode.h"

namespace oriel::plugins {
namespace {

uint32_t end_of(const il::Instruction& at, const il::Body& body, uint32_t code_size) {
  const il::Instruction* next = at.next(il::View::kOriginal);
  return next == body.end() ? code_size : next->original_offset();
}

// il::Body has only the long forms of branches; `size` tells the original form.
ComPtr<Instruction> make_alike(const il::Instruction& at, uint32_t size) {
  const il::OperandKind kind = at.info().operand;
  if (il::is_branch(kind)) {
    constexpr uint32_t kShort = 2;
    return Instruction::branch(ordinal_of(size == kShort ? il::short_form(at.opcode()) : at.opcode()), nullptr);
  }
  const Opcode opcode = ordinal_of(at.opcode());
  if (kind == il::OperandKind::Switch) return Instruction::choice(std::vector<Instruction*>(at.cases().size()));
  if (kind == il::OperandKind::None) return Instruction::plain(opcode);
  return Instruction::with_operand(opcode, static_cast<uint64_t>(at.operand()));
}

// Each instruction's place is its index.
std::vector<ComPtr<Instruction>> instructions_of(il::Body& body, uint32_t code_size) {
  std::vector<ComPtr<Instruction>> made;
  made.reserve(body.number().size());
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    made.push_back(make_alike(*at, end_of(*at, body, code_size) - at->original_offset()));
    made.back()->offset = made.back()->original_offset = at->original_offset();
  }
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    Instruction& from = *made[at->index()].get();
    if (at->target() != nullptr) from.set_target(0, made[at->target()->index()].get());
    for (size_t i = 0; i < at->cases().size(); ++i) from.set_target(i, made[at->cases()[i]->index()].get());
  }
  return made;
}

DecodedClause clause_of(const il::Clause& clause) {
  const auto first = [](const il::Instruction* at) { return at == nullptr ? -1 : static_cast<int32_t>(at->index()); };
  const auto last = [](const il::Instruction* behind) { return static_cast<int32_t>(behind->previous()->index()); };
  DecodedClause made{};
  made.flags = static_cast<uint32_t>(clause.kind);
  made.type = clause.class_token;
  made.at[ExceptionClause::kTryFirst] = first(clause.try_begin);
  made.at[ExceptionClause::kTryLast] = last(clause.try_end);
  made.at[ExceptionClause::kHandlerFirst] = first(clause.handler_begin);
  made.at[ExceptionClause::kHandlerLast] = last(clause.handler_end);
  made.at[ExceptionClause::kFilterFirst] = first(clause.filter_begin);
  return made;
}

uint32_t code_size_of(std::span<const uint8_t> bytes) {
  constexpr uint8_t kFormatMask = 3, kTiny = 2;
  if ((bytes[0] & kFormatMask) == kTiny) return bytes[0] >> 2;
  uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 4, sizeof size);
  return size;
}

}  // namespace

Result<DecodedBody> decode_body(std::span<const uint8_t> bytes) {
  Result<il::Body> body = il::decode(bytes);
  if (!body) return body.status();
  DecodedBody decoded;
  decoded.instructions = instructions_of(*body, code_size_of(bytes));
  for (const il::Clause& clause : body->clauses) decoded.clauses.push_back(clause_of(clause));
  decoded.locals = body->locals_token;
  return decoded;
}

Status decode_code(std::span<const uint8_t> code, std::vector<ComPtr<Instruction>>& instructions) {
  if (code.empty()) return Status::ok();
  constexpr uint16_t kFat = 0x3003;
  std::vector<uint8_t> bytes(12);
  const auto size = static_cast<uint32_t>(code.size());
  std::memcpy(bytes.data(), &kFat, sizeof kFat);
  std::memcpy(bytes.data() + 4, &size, sizeof size);
  bytes.insert(bytes.end(), code.begin(), code.end());
  Result<DecodedBody> decoded = decode_body(bytes);
  if (!decoded) return decoded.status();
  instructions = std::move(decoded->instructions);
  return Status::ok();
}

}  // namespace oriel::plugins
