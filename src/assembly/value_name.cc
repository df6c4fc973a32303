#include "assembly/value_name.h"

#include <optional>
#include <string_view>

#include "assembly/value_source.h"
#include "il/operands.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

// typeof(…), or a property: the field that it returns, if it does nothing else.
ValueName name_of_call(const Assembly& assembly, const Instruction& call, const il::MethodFacts& facts) {
  const CodeMember callee = method_of(assembly, call.token());
  if (callee.name == "GetTypeFromHandle") {
    const Instruction* const handle = value_source(&call, 0, facts);
    const bool is_type = handle && handle->opcode() == Opcode::Ldtoken;
    return {is_type ? "typeof(" + type_of(assembly, handle->token()) + ")" : "", 0};
  }
  constexpr std::string_view kGetter = "get_";
  if (!callee.name.starts_with(kGetter)) return {callee.text() + "()", 0};
  const std::optional<il::Body> body = callee.row != 0 ? decoded_body(assembly, callee.row) : std::nullopt;
  if (body && body->last()->opcode() == Opcode::Ret) {
    const Instruction* const given = value_source(body->last(), 0, facts);
    if (given && (given->opcode() == Opcode::Ldsfld || given->opcode() == Opcode::Ldfld))
      return value_name(assembly, *given, callee.row, facts);
  }
  return {callee.type + "." + callee.name.substr(kGetter.size()), 0};
}

}  // namespace

ValueName value_name(const Assembly& assembly, const Instruction& source, uint32_t method,
                     const il::MethodFacts& facts) {
  switch (source.opcode()) {
    case Opcode::Ldsfld:
    case Opcode::Ldfld:
    case Opcode::Ldsflda:
    case Opcode::Ldflda: {
      const CodeMember field = field_of(assembly, source.token());
      return {field.text(), field.row};
    }
    case Opcode::Call:
    case Opcode::Callvirt:
      return name_of_call(assembly, source, facts);
    default:
      break;
  }
  const std::optional<il::VariableUse> use = il::variable_use(source);
  return {use && use->is_argument ? argument_name(assembly, method, use->index) : "", 0};
}

}  // namespace oriel::assembly
