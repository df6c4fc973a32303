// Any bytes as a method body, then a script of edits on it. Input: the script's length, the script, the body.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "equivalence.h"
#include "il/decode.h"
#include "il/encode.h"
#include "il/transform.h"
#include "il/verify.h"

namespace oriel::il::test {
namespace {

void require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

MethodFacts guessed_facts(uint8_t choice) {
  MethodFacts facts;
  if (choice & 1)
    facts.call_effect = [](Opcode, uint32_t token) { return StackEffect{static_cast<uint16_t>(token & 1), 1}; };
  if (choice & 2) facts.returns_value = choice & 4;
  if (choice & 8) facts.local_count = facts.argument_count = 4;
  return facts;
}

void check_round_trip(Body& body, const MethodFacts& facts, bool must_encode) {
  const Result<Encoded> encoded = encode(body, facts);
  if (!encoded) {
    require(!must_encode, "verified, but not encoded: " + (encoded ? "" : encoded.message()));
    return;
  }
  Result<Body> again = decode(encoded->bytes);
  require(again.is_ok(), "encoded, but not decoded: " + (again ? "" : again.message()));
  const std::string different = difference(body, *again);
  require(different.empty(), different);
  require(again->encoded_bytes == encoded->bytes.size(), "decoded something shorter than was encoded");
  // Once more: the same code. What inserted calls declared about themselves is not in the bytes, hence no facts.
  const Result<Encoded> twice = encode(*again);
  require(twice && twice->code_bytes == encoded->code_bytes, "the second encoding differs");
}

void edit(Body& body, uint8_t what, uint8_t where) {
  const auto order = body.number();
  if (order.empty()) return;
  Instruction* at = order[where % order.size()];
  Instruction* other = order[(where * 7u) % order.size()];
  const Branches branches = what & 0x40 ? Branches::kMove : Branches::kStay;
  const Regions regions = what & 0x80 ? Regions::kOfNext : Regions::kOfPrevious;
  switch (what & 0x0f) {
    case 0:
      return body.insert_before(at, body.make(Opcode::Nop), branches, regions);
    case 1:
      return body.insert_after(at, body.make(Opcode::Nop));
    case 2:
      return body.remove(at);
    case 3:
      return body.replace(at, body.make(Opcode::Nop));
    case 4:
      return body.insert_before(at, body.make_branch(Opcode::Br_S, other), branches, regions);
    case 5:
      return body.insert_before(at, body.make_switch({at, other, at}), branches, regions);
    case 6:
      return body.move_branches(at, other);
    case 7:
      return body.set_baseline();
    case 8:
      return body.add_prefix(at, body.make(Opcode::Volatile));
    case 9:
      (void)make_single_return(body, where % 4, what & 0x20 ? TailCalls::kKeep : TailCalls::kDrop);
      return;
    case 10:
      (void)wrap_in_try(body, static_cast<ClauseKind>(where % 3 * 2), 0x01000001, where % 4);
      return;
    case 11:
      (void)expand_jumps(body, where % 5, true, TailCalls::kKeep);
      return;
    case 12:
      for (int i = 0; i < 130; ++i) body.insert_before(at, body.make(Opcode::Nop), branches, regions);
      return;
    case 13:
      return body.insert_before(body.end(), body.make(Opcode::Ret), branches, regions);
    case 14:
      if (at->target()) body.retarget(at, other);
      return;
    default:
      if (at->info().flow == Flow::Prefix) body.remove_prefix(at);
      return;
  }
}

void run(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const size_t script_size = std::min<size_t>(input[0] % 32, input.size() - 1);
  const auto script = input.subspan(1, script_size);
  Result<Body> body = decode(input.subspan(1 + script_size));
  if (!body) return;
  // Near the limit, verified code may need more stack than a header can say.
  const bool far_from_limits = body->max_stack < 0x8000;
  const MethodFacts facts = guessed_facts(input[0] >> 4);
  check_round_trip(*body, facts, far_from_limits && verify(*body, facts).is_ok());
  for (size_t i = 0; i + 1 < script.size(); i += 2) {
    edit(*body, script[i], script[i + 1]);
    check_round_trip(*body, facts, far_from_limits && verify(*body, facts).is_ok());
  }
}

}  // namespace
}  // namespace oriel::il::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oriel::il::test::run({data, size});
  return 0;
}
