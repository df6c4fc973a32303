#include "engine/code/make_instruction.h"

#include <limits>
#include <optional>
#include <vector>

#include "engine/code/method_body.h"
#include "engine/or_else.h"
#include "il/operands.h"

namespace oriel {
namespace {

using il::Opcode;
using il::OperandKind;

template <typename Number>
bool is_within(int64_t value) {
  return value >= std::numeric_limits<Number>::min() && value <= std::numeric_limits<Number>::max();
}

bool has_room(OperandKind kind, int64_t operand) {
  switch (kind) {
    case OperandKind::None:
      return operand == 0;
    case OperandKind::Int8:
      return is_within<int8_t>(operand);
    case OperandKind::UInt8:
    case OperandKind::Local8:
    case OperandKind::Argument8:
      return is_within<uint8_t>(operand);
    case OperandKind::Local16:
    case OperandKind::Argument16:
      return is_within<uint16_t>(operand);
    case OperandKind::Int32:
      return is_within<int32_t>(operand);
    case OperandKind::Int64:
    case OperandKind::Float64:
      return true;
    default:
      return is_within<uint32_t>(operand);
  }
}

bool goes_somewhere(Opcode opcode) {
  const OperandKind kind = il::info(opcode).operand;
  return il::is_branch(kind) || kind == OperandKind::Switch;
}

// The shortest form if there are several; nullptr if there is one.
il::Instruction* make_shortest(il::Body& body, Opcode opcode, int64_t operand) {
  if (opcode == Opcode::Ldc_I4 && is_within<int32_t>(operand))
    return il::load_int32(body, static_cast<int32_t>(operand));
  if (!is_within<uint16_t>(operand)) return nullptr;
  const auto index = static_cast<uint16_t>(operand);
  switch (opcode) {
    case Opcode::Ldloc:
      return il::load_local(body, index);
    case Opcode::Stloc:
      return il::store_local(body, index);
    case Opcode::Ldloca:
      return il::load_local_address(body, index);
    case Opcode::Ldarg:
      return il::load_argument(body, index);
    case Opcode::Starg:
      return il::store_argument(body, index);
    case Opcode::Ldarga:
      return il::load_argument_address(body, index);
    default:
      return nullptr;
  }
}

il::Instruction* make(Graph& graph, oriel_opcode given, int64_t operand) {
  const Opcode opcode = opcode_of(given);
  const auto no = [&](const std::string& why) -> il::Instruction* {
    refuse(graph, "make: " + why);
    return nullptr;
  };
  if (opcode == Opcode::End) return no("there is no opcode " + std::to_string(given));
  if (goes_somewhere(opcode)) return no(std::string(il::info(opcode).name) + " is made with where it goes");
  if (il::Instruction* const made = make_shortest(graph.body, opcode, operand)) return made;
  if (!has_room(il::info(opcode).operand, operand)) return no(does_not_fit(opcode, operand));
  return graph.body.make(opcode, operand);
}

std::optional<NamedToken> named_by(OperandKind kind) {
  switch (kind) {
    case OperandKind::Method:
    case OperandKind::Field:
      return NamedToken::kMember;
    case OperandKind::Type:
      return NamedToken::kType;
    case OperandKind::String:
      return NamedToken::kString;
    case OperandKind::Signature:
      return NamedToken::kSignature;
    case OperandKind::AnyToken:
      return NamedToken::kTypeOrMember;
    default:
      return std::nullopt;
  }
}

il::Instruction* make_named(oriel_method_body& body, Graph& graph, oriel_opcode given, const std::string& text) {
  const Opcode opcode = opcode_of(given);
  const std::string name(il::info(opcode).name);
  const std::optional<NamedToken> kind = named_by(il::info(opcode).operand);
  if (!kind) {
    refuse(graph, "make_named: " + name + " takes nothing that has a name");
    return nullptr;
  }
  const Result<uint32_t> token = body.site.token(*kind, text);
  if (!token) {
    refuse(graph, name + " " + text + ": " + token.message());
    return nullptr;
  }
  return graph.body.make(opcode, *token);
}

il::Instruction* make_branch(Graph& graph, oriel_opcode given, il::Instruction* target) {
  const Opcode opcode = opcode_of(given);
  if (il::is_branch(il::info(opcode).operand)) return graph.body.make_branch(opcode, target);
  refuse(graph, "make_branch: " + std::string(il::info(opcode).name) + " is no branch");
  return nullptr;
}

template <typename Make>
oriel_instruction* made_in(oriel_method_body* body, Make what) {
  return edit_graph<oriel_instruction*>(body, nullptr, [&](Graph& graph) { return to_api(what(graph)); });
}

}  // namespace

Opcode opcode_of(oriel_opcode opcode) {
  return static_cast<uint32_t>(opcode) > 0xffff ? Opcode::End : il::find_opcode(static_cast<uint16_t>(opcode));
}

bool fits(const il::Instruction& instruction, int64_t operand) {
  return goes_somewhere(instruction.opcode()) || has_room(instruction.info().operand, operand);
}

std::string does_not_fit(Opcode opcode, int64_t operand) {
  return std::string(il::info(opcode).name) + " has no room for " + std::to_string(operand);
}

}  // namespace oriel

oriel_instruction* oriel_code_make(oriel_method_body* body, oriel_opcode opcode, int64_t operand) {
  return oriel::made_in(body, [&](oriel::Graph& graph) { return oriel::make(graph, opcode, operand); });
}

oriel_instruction* oriel_code_make_named(oriel_method_body* body, oriel_opcode opcode, const char* text) {
  return oriel::made_in(body,
                        [&](oriel::Graph& graph) { return oriel::make_named(*body, graph, opcode, text ? text : ""); });
}

oriel_instruction* oriel_code_make_branch(oriel_method_body* body, oriel_opcode opcode, oriel_instruction* target) {
  return oriel::made_in(body,
                        [&](oriel::Graph& graph) { return oriel::make_branch(graph, opcode, oriel::of_api(target)); });
}

oriel_instruction* oriel_code_make_switch(oriel_method_body* body, oriel_instruction* const* cases, size_t count) {
  return oriel::made_in(body, [&](oriel::Graph& graph) {
    std::vector<oriel::il::Instruction*> targets;
    for (size_t i = 0; cases && i < count; ++i) targets.push_back(oriel::of_api(cases[i]));
    return graph.body.make_switch(std::move(targets));
  });
}
