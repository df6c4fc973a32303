#include "runtimes/coreclr/body_check.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "il/decode.h"
#include "il/errors.h"
#include "il/verify.h"

namespace oriel::coreclr {
namespace {

using il::OperandKind;

bool is_of(Token token, std::initializer_list<Token> tables) {
  return std::find(tables.begin(), tables.end(), table_of(token)) != tables.end();
}

bool fits(OperandKind kind, Token token) {
  switch (kind) {
    case OperandKind::Method:
      return is_of(token, {kMethodDefTable, kMemberRefTable, kMethodSpecTable});
    case OperandKind::Field:
      return is_of(token, {kFieldTable, kMemberRefTable});
    case OperandKind::Type:
      return is_of(token, {kTypeDefTable, kTypeRefTable, kTypeSpecTable});
    case OperandKind::String:
      return is_of(token, {kUserStrings});
    case OperandKind::Signature:
      return is_of(token, {kStandAloneSigTable});
    default:
      return !is_of(token, {kUserStrings, kStandAloneSigTable});
  }
}

std::string wrong(Token token) {
  char text[64];
  std::snprintf(text, sizeof text, "no token %08x that could stand here", token);
  return text;
}

Status check_tokens(const MethodMetadata& metadata, const il::Body& body) {
  if (body.locals_token != 0 && !(is_of(body.locals_token, {kStandAloneSigTable}) && metadata.has(body.locals_token))) {
    return Status::error("header: " + wrong(body.locals_token));
  }
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    const OperandKind kind = at->info().operand;
    if (!il::is_token(kind) || (fits(kind, at->token()) && metadata.has(at->token()))) continue;
    return il::error_at(*at, std::string(at->info().name) + ": " + wrong(at->token()));
  }
  for (const il::Clause& clause : body.clauses) {
    if (clause.kind != il::ClauseKind::kCatch) continue;
    if (fits(OperandKind::Type, clause.class_token) && metadata.has(clause.class_token)) continue;
    return il::error_at(*clause.handler_begin, "catch: " + wrong(clause.class_token));
  }
  return Status::ok();
}

}  // namespace

Result<BodyFacts> learn_facts(const MethodMetadata& metadata, const MethodDefinition& definition,
                              const il::Body& body) {
  const Result<il::MethodShape> shape = il::read_method_shape(definition.signature);
  if (!shape) return shape.status();
  BodyFacts known;
  known.returns_value = shape->returns_value;
  if (body.locals_token != 0) known.local_signature = metadata.signature_of(body.locals_token);
  const Result<uint32_t> locals = il::local_count(known.local_signature);
  if (!locals) return locals.status();
  known.locals = *locals;
  known.facts.call_effect = [&metadata](il::Opcode opcode, uint32_t token) {
    return metadata.call_effect(opcode, token);
  };
  known.facts.returns_value = shape->returns_value;
  known.facts.argument_count = shape->arguments();
  known.facts.local_count = known.locals;
  return known;
}

Status check_body(const MethodMetadata& metadata, const MethodDefinition& definition, std::span<const uint8_t> bytes) {
  Result<il::Body> body = il::decode(bytes);
  if (!body) return body.status();
  if (Status status = check_tokens(metadata, *body); !status) return status;
  const Result<BodyFacts> known = learn_facts(metadata, definition, *body);
  if (!known) return known.status();
  return il::verify(*body, known->facts);
}

}  // namespace oriel::coreclr
