#include "assembly/pins.h"

#include "assembly/value_source.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

bool pins(const Assembly& assembly, const Instruction& one, const il::MethodFacts& facts) {
  const bool is_call = one.opcode() == Opcode::Call || one.opcode() == Opcode::Newobj;
  if (!is_call || method_row(assembly, one.token()) != 0) return false;
  const Assembly::Member callee = assembly.member(one.token());
  if (callee.type == "System.Runtime.InteropServices.PinnedGCHandle`1") return callee.name == ".ctor";
  if (callee.type != "System.Runtime.InteropServices.GCHandle" || callee.name != "Alloc") return false;
  const Instruction* const kind = value_source(&one, 0, facts);
  return kind && kind->opcode() == Opcode::Ldc_I4_3;  // GCHandleType.Pinned
}

}  // namespace

std::vector<CodePlace> pins(const Assembly& assembly) {
  const il::MethodFacts facts = assembly.facts(0, 0);
  std::vector<CodePlace> places;
  for (uint32_t method = 1; method <= assembly.method_count(); ++method) {
    const std::optional<il::Body> body = decoded_body(assembly, method);
    if (!body) continue;
    for (const Instruction* one = body->first(); !one->is_end(); one = one->next())
      if (pins(assembly, *one, facts)) places.push_back({method, one->original_offset()});
  }
  return places;
}

}  // namespace oriel::assembly
