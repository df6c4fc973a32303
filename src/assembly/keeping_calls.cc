#include "assembly/keeping_calls.h"

#include "assembly/value_name.h"
#include "assembly/value_source.h"
#include "il/operands.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

// A token is a value: the long-lived object is its source.
const Instruction* without_token(const Assembly& assembly, const Instruction* source, const il::MethodFacts& facts) {
  if (!source || !is_call(*source)) return source;
  const CodeMember callee = method_of(assembly, source->token());
  const bool gives_token = callee.type == "System.Threading.CancellationTokenSource" && callee.name == "get_Token";
  return gives_token ? value_source(source, 0, facts) : source;
}

std::string operand_of(const Assembly& assembly, const Instruction& call, uint32_t method) {
  const il::MethodFacts facts = assembly.facts(0, 0);
  const Instruction* const source = without_token(assembly, first_operand(call, facts), facts);
  return source ? value_name(assembly, *source, method, facts).name : "";
}

}  // namespace

std::string kept_in(const Assembly& assembly, CodePlace place, const std::function<bool(const CodeMember&)>& is_it) {
  const std::optional<il::Body> body = decoded_body(assembly, place.method);
  if (!body) return "";
  const Instruction* before = nullptr;
  for (const Instruction* one = body->first(); !one->is_end(); one = one->next()) {
    if (!is_call(*one) || !is_it(method_of(assembly, one->token()))) continue;
    if (one->original_offset() >= place.il) return operand_of(assembly, *one, place.method);
    if (before) return "";
    before = one;
  }
  return before ? operand_of(assembly, *before, place.method) : "";
}

}  // namespace oriel::assembly
