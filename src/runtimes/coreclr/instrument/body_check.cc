#include "runtimes/coreclr/instrument/body_check.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "il/body.h"
#include "il/decode.h"
#include "il/signature.h"
#include "il/stack.h"
#include "il/verify.h"

namespace oriel::coreclr {
namespace {

using il::OperandKind;

// Signatures of a body's tokens, each queried once: the query takes the runtime longer than the check takes.
class Signatures {
 public:
  explicit Signatures(const ModuleMetadata& metadata) : metadata_(metadata) {}

  std::span<const uint8_t> of(Token token) {
    const auto [known, added] = known_.try_emplace(token);
    if (added) known->second = metadata_.signature_of(token);
    return known->second;
  }

 private:
  const ModuleMetadata& metadata_;
  std::unordered_map<Token, std::span<const uint8_t>> known_;
};

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

// Fields and methods of other types share one table, and signatures of calls and of locals another. Their first byte
// tells them apart (II.23.2).
bool has_signature_for(Signatures& signatures, OperandKind kind, Token token) {
  constexpr uint8_t kKind = 0x0f, kField = 0x06, kLastCall = 0x05, kUnmanaged = 0x09;
  const std::span<const uint8_t> signature = signatures.of(token);
  if (signature.empty()) return false;
  const uint8_t its = signature[0] & kKind;
  return kind == OperandKind::Field ? its == kField : its <= kLastCall || its == kUnmanaged;
}

bool can_stand(const ModuleMetadata& metadata, Signatures& signatures, OperandKind kind, Token token) {
  if (!fits(kind, token) || !metadata.has(token)) return false;
  const bool has_signature = kind == OperandKind::Method || kind == OperandKind::Signature ||
                             (kind == OperandKind::Field && table_of(token) == kMemberRefTable);
  return !has_signature || has_signature_for(signatures, kind, token);
}

bool is_of_locals(const ModuleMetadata& metadata, Token token) {
  constexpr uint8_t kLocals = 0x07;
  if (!is_of(token, {kStandAloneSigTable}) || !metadata.has(token)) return false;
  const std::span<const uint8_t> signature = metadata.signature_of(token);
  return !signature.empty() && signature[0] == kLocals;
}

Status check_tokens(const ModuleMetadata& metadata, Signatures& signatures, const il::Body& body) {
  if (body.locals_token != 0 && !is_of_locals(metadata, body.locals_token)) {
    return Status::error("header: " + wrong(body.locals_token));
  }
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    const OperandKind kind = at->info().operand;
    if (!il::is_token(kind) || can_stand(metadata, signatures, kind, at->token())) continue;
    return il::error_at(*at, std::string(at->info().name) + ": " + wrong(at->token()));
  }
  for (const il::Clause& clause : body.clauses) {
    if (clause.kind != il::ClauseKind::kCatch) continue;
    if (fits(OperandKind::Type, clause.class_token) && metadata.has(clause.class_token)) continue;
    return il::error_at(*clause.handler_begin, "catch: " + wrong(clause.class_token));
  }
  return Status::ok();
}

std::optional<il::StackEffect> call_effect(il::Opcode opcode, std::span<const uint8_t> signature) {
  if (signature.empty()) return std::nullopt;
  const Result<il::MethodShape> shape = il::read_method_shape(signature);
  if (!shape) return std::nullopt;
  return il::call_effect(opcode, *shape);
}

// Rules that the verifier leaves open, because compilers' bodies are known to follow them.
Status check_stack(il::Body& body, const il::MethodFacts& facts) {
  const il::StackDepths depths = il::compute_stack(body, facts);
  if (!depths.exact) return Status::error("what a call of it takes and leaves cannot be told");
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() == il::Opcode::Arglist) return il::error_at(*at, "arglist: there are no such arguments");
    if (at->opcode() == il::Opcode::Localloc && depths.before[at->index()] > 1) {
      return il::error_at(*at, "localloc with more values on the stack than the size");
    }
  }
  if (depths.max <= body.max_stack) return Status::ok();
  return Status::error("header: room for " + std::to_string(body.max_stack) + " values on the stack, which takes " +
                       std::to_string(depths.max));
}

// Code that the runtime calls while it handles an exception: an exception clause in it would be searched too.
constexpr std::u16string_view kExceptions[] = {
    u"System.Runtime.EH",
    u"System.Runtime.InternalCalls",
    u"System.Runtime.StackFrameIterator",
    u"System.Runtime.ExInfo",
    u"System.Runtime.ExceptionServices.InternalCalls",
    u"System.Runtime.CompilerServices.AsyncHelpers",
};

// Helpers that compiled code calls in place of instructions, millions of times a second, on behalf of any method.
constexpr std::u16string_view kHelpers[] = {
    u"System.Runtime.CompilerServices.CastHelpers",
    u"System.Runtime.CompilerServices.StaticsHelpers",
    u"System.Runtime.CompilerServices.GenericsHelpers",
    u"System.Runtime.CompilerServices.InitHelpers",
    u"System.Runtime.CompilerServices.BoxingHelpers",
    u"System.Runtime.CompilerServices.VirtualDispatchHelpers",
    u"System.Runtime.CompilerServices.CastCache",
    u"System.Math.ConvertHelpers",
    u"System.ThrowHelpers",
    u"System.Runtime.CompilerServices.GenericCache",
};

template <size_t N>
bool contains(const std::u16string_view (&list)[N], std::u16string_view type) {
  return std::find(list, list + N, type) != list + N;
}

}  // namespace

bool is_reserved(const ModuleMetadata& metadata, const MethodDefinition& definition) {
  if (!metadata.is_core_library()) return false;
  Token type = definition.type;
  while (const Token outer = metadata.enclosing_type(type)) type = outer;
  const std::u16string name = metadata.type_name(type);
  return contains(kExceptions, name) || contains(kHelpers, name);
}

Result<BodyFacts> learn_facts(const ModuleMetadata& metadata, const MethodDefinition& definition,
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
    return call_effect(opcode, metadata.signature_of(token));
  };
  known.facts.returns_value = shape->returns_value;
  known.facts.has_this = shape->has_this;
  known.facts.argument_count = shape->arguments();
  known.facts.local_count = known.locals;
  if (const Result<il::MethodTypes> types = il::read_method_types(definition.signature)) {
    known.facts.by_reference.resize(shape->arguments() -
                                    std::min<size_t>(shape->arguments(), types->parameters.size()));
    for (const auto& parameter : types->parameters)
      known.facts.by_reference.push_back(il::element_of(parameter) == Element::kByRef);
  }
  return known;
}

Status check_body(const ModuleMetadata& metadata, const MethodDefinition& definition, std::span<const uint8_t> bytes) {
  Result<il::Body> body = il::decode(bytes);
  if (!body) return body.status();
  if (body->other_flags != 0) return Status::error("header: flags that mean nothing");
  Signatures signatures(metadata);
  if (Status status = check_tokens(metadata, signatures, *body); !status) return status;
  Result<BodyFacts> known = learn_facts(metadata, definition, *body);
  if (!known) return known.status();
  known->facts.call_effect = [&](il::Opcode opcode, uint32_t token) {
    return call_effect(opcode, signatures.of(token));
  };
  if (Status status = il::verify(*body, known->facts); !status) return status;
  return check_stack(*body, known->facts);
}

}  // namespace oriel::coreclr
