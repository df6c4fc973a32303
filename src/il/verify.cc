#include "il/verify.h"

#include <string>

#include "il/body.h"
#include "il/operands.h"
#include "il/regions.h"
#include "il/stack.h"

namespace oriel::il {
namespace {

// The rules of ECMA-335 I.12.4.2.8 for entering and leaving regions.
class RegionRules {
 public:
  RegionRules(const Body& body, const RegionTree& tree) : body_(body), tree_(tree) {}

  Status check(const Instruction& at) const {
    const uint32_t here = tree_.region_of(at);
    if (at.target()) {
      if (at.opcode() == Opcode::Leave ? !may_leave(here, *at.target()) : !may_go(here, *at.target()))
        return error_at(at, std::string(at.info().name) + " crosses the bounds of an exception region");
    }
    for (const Instruction* target : at.cases())
      if (!may_go(here, *target)) return error_at(at, "switch crosses the bounds of an exception region");
    if (falls_through(at.info().flow)) {
      if (at.next()->is_end()) return error_at(at, "runs off the end of the code");
      if (!may_go(here, *at.next())) return error_at(at, "runs across the bounds of an exception region");
    }
    return check_exit(at, here);
  }

 private:
  bool enters_try(uint32_t region, const Instruction& target) const {
    return tree_.regions[region].kind == RegionKind::kTry && tree_.regions[region].begin == target.index();
  }

  // Whether `wanted` is the target's region, or one reached from it by leaving try blocks that begin at the target,
  // which may be entered from anywhere.
  bool arrives_in(const Instruction& target, uint32_t wanted) const {
    uint32_t region = tree_.region_of(target);
    while (region != wanted && region != kNoRegion && enters_try(region, target)) region = tree_.regions[region].parent;
    return region == wanted;
  }
  bool may_go(uint32_t from, const Instruction& target) const { return arrives_in(target, from); }

  bool may_leave(uint32_t from, const Instruction& target) const {
    for (uint32_t region = from;; region = tree_.regions[region].parent) {
      if (arrives_in(target, region)) return true;
      if (region == kNoRegion) return false;
      const RegionKind kind = tree_.regions[region].kind;
      if (kind == RegionKind::kCatch && goes_back_to_try(region, target)) return true;
      if (kind != RegionKind::kTry && kind != RegionKind::kCatch) return false;
    }
  }
  // A catch handler may jump back into its own try block.
  bool goes_back_to_try(uint32_t catch_region, const Instruction& target) const {
    const uint32_t region = tree_.region_of(target);
    if (region == kNoRegion || tree_.regions[region].kind != RegionKind::kTry) return false;
    const Clause& clause = body_.clauses[tree_.regions[catch_region].clause];
    return clause.try_begin->index() == tree_.regions[region].begin &&
           clause.try_end->index() == tree_.regions[region].end;
  }

  bool is_within(uint32_t region, RegionKind kind) const {
    for (; region != kNoRegion; region = tree_.regions[region].parent)
      if (tree_.regions[region].kind == kind) return true;
    return false;
  }

  Status check_exit(const Instruction& at, uint32_t here) const {
    const RegionKind kind = here == kNoRegion ? RegionKind::kTry : tree_.regions[here].kind;
    switch (at.opcode()) {
      case Opcode::Ret:
      case Opcode::Jmp:
        if (here == kNoRegion) return Status::ok();
        return error_at(at, std::string(at.info().name) + " within an exception region");
      case Opcode::Endfinally:
        if (kind == RegionKind::kFinally || kind == RegionKind::kFault) return Status::ok();
        return error_at(at, "endfinally outside a finally or fault handler");
      case Opcode::Endfilter:
        if (kind == RegionKind::kFilter && tree_.regions[here].end == at.index() + 1) return Status::ok();
        return error_at(at, "endfilter that does not end a filter");
      case Opcode::Rethrow:
        if (is_within(here, RegionKind::kCatch)) return Status::ok();
        return error_at(at, "rethrow outside a catch handler");
      default:
        return Status::ok();
    }
  }

  const Body& body_;
  const RegionTree& tree_;
};

Status check_index(const Instruction& at, const MethodFacts& facts) {
  const std::optional<VariableUse> use = variable_use(at);
  if (!use) return Status::ok();
  const std::optional<uint32_t>& count = use->is_argument ? facts.argument_count : facts.local_count;
  if (!count || use->index < *count) return Status::ok();
  return error_at(at, std::string(at.info().name) + " of number " + std::to_string(use->index) + " of " +
                          std::to_string(*count) + (use->is_argument ? " arguments" : " local variables"));
}

Status check_depths(Body& body, const std::vector<Instruction*>& order, const MethodFacts& facts) {
  const StackDepths depths = compute_stack(body, facts);
  if (!depths.problem) return depths.problem;
  if (!depths.exact) return Status::ok();
  for (const Clause& clause : body.clauses)
    if (depths.before[clause.try_begin->index()] > 0)
      return error_at(*clause.try_begin, "a try block entered with values on the stack");
  for (const Instruction* at : order) {
    const int32_t depth = depths.before[at->index()];
    if (at->opcode() == Opcode::Jmp && depth > 0) return error_at(*at, "jmp with values on the stack");
    if (at->opcode() != Opcode::Ret || !facts.returns_value) continue;
    // Unreachable code starts with an empty stack, even if it returns a value.
    if (depth > (*facts.returns_value ? 1 : 0))
      return error_at(*at, "ret with more values on the stack than it returns");
  }
  return Status::ok();
}

// Which prefixes may precede which instructions.

bool is_indirect_access(Opcode opcode) {
  return (opcode >= Opcode::Ldind_I1 && opcode <= Opcode::Stind_R8) || opcode == Opcode::Stind_I ||
         opcode == Opcode::Ldobj || opcode == Opcode::Stobj || opcode == Opcode::Ldfld || opcode == Opcode::Stfld ||
         opcode == Opcode::Cpblk || opcode == Opcode::Initblk;
}

bool is_call(Opcode opcode) { return opcode == Opcode::Call || opcode == Opcode::Calli || opcode == Opcode::Callvirt; }

bool applies(Opcode prefix, Opcode to) {
  switch (prefix) {
    case Opcode::Tailcall:
      return is_call(to);
    case Opcode::Constrained:
      return to == Opcode::Callvirt || to == Opcode::Call || to == Opcode::Ldftn;
    case Opcode::Readonly:
      // For call: the Address method of multi-dimensional arrays.
      return to == Opcode::Ldelema || to == Opcode::Call || to == Opcode::Callvirt;
    case Opcode::Volatile:
      return is_indirect_access(to) || to == Opcode::Ldsfld || to == Opcode::Stsfld;
    case Opcode::Unaligned:
      return is_indirect_access(to);
    default:
      return true;
  }
}

// Whether a prefix is followed by an instruction that it applies to, and for tail., whether a ret follows that call. Ok
// for other instructions.
Status check_prefix(const Instruction& instruction) {
  if (instruction.info().flow != Flow::Prefix) return Status::ok();
  const Instruction* to = instruction.next();
  while (!to->is_end() && to->info().flow == Flow::Prefix) to = to->next();
  if (to->is_end()) return error_at(instruction, "a prefix without its instruction");
  if (!applies(instruction.opcode(), to->opcode()))
    return error_at(instruction, std::string(instruction.info().name) + " before " + std::string(to->info().name));
  if (instruction.opcode() == Opcode::Tailcall && to->next()->opcode() != Opcode::Ret)
    return error_at(instruction, "a tail call without ret behind it");
  return Status::ok();
}

}  // namespace

Status verify(Body& body, const MethodFacts& facts) {
  if (Status status = check_links(body); !status) return status;
  const Result<RegionTree> tree = find_regions(body);
  if (!tree) return tree.status();
  const RegionRules rules(body, *tree);
  const std::vector<Instruction*>& order = body.number();
  for (const Instruction* at : order) {
    if (Status status = rules.check(*at); !status) return status;
    if (Status status = check_prefix(*at); !status) return status;
    if (Status status = check_index(*at, facts); !status) return status;
  }
  return check_depths(body, order, facts);
}

}  // namespace oriel::il
