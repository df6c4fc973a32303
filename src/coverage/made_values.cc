#include "coverage/made_values.h"

#include <algorithm>
#include <map>

#include "il/operands.h"

namespace oriel::coverage {
namespace {

using il::Flow;
using il::Instruction;
using il::Opcode;

// The local variable that an instruction reads, writes or takes the address of.
std::optional<uint32_t> local_of(const Instruction& at) {
  const std::optional<il::VariableUse> use = il::variable_use(at);
  return use && !use->is_argument ? std::optional(use->index) : std::nullopt;
}

bool stores_local(const Instruction& at) {
  return at.info().pops == 1 && at.info().pushes == 0 && local_of(at).has_value();
}

// The nested name in "Shop.Cart+<>c".
std::string_view own_name(std::string_view type) { return type.substr(type.find_last_of("+.") + 1); }

// Classes for lambdas and method group conversions.
bool is_closure(std::string_view type) {
  const std::string_view name = own_name(type);
  return name.starts_with("<>") || name.starts_with("_Closure$__");
}

}  // namespace

GeneratedValues::GeneratedValues(const std::vector<il::Instruction*>& order, const CodeFacts& facts)
    : order_(order), facts_(facts) {
  for (const Instruction* at : order_) {
    if (at->target()) targets_.push_back(at->target());
    targets_.insert(targets_.end(), at->cases().begin(), at->cases().end());
    if (at->info().flow == Flow::Leave) left_to_.push_back(at->target());
  }
  std::ranges::sort(targets_);
  std::ranges::sort(left_to_);
  learn_locals();
}

std::optional<std::vector<const Instruction*>> GeneratedValues::makers(const Instruction& at) const {
  constexpr size_t kMost = 12;
  std::vector<const Instruction*> found;
  int needed = static_cast<int>(at.info().pops);
  for (const Instruction* maker = at.previous(); needed > 0; maker = maker->previous()) {
    if (maker->is_end() || found.size() == kMost) return std::nullopt;
    const il::OpcodeInfo& info = maker->info();
    if (info.flow == Flow::Prefix || maker->opcode() == Opcode::Nop) continue;
    found.push_back(maker);
    if (maker->opcode() == Opcode::Dup) {
      // The other copy belongs to another user; both have the same makers.
      continue;
    }
    if (info.flow == Flow::Call) return found;  // arguments do not matter: the call's name determines the kind
    if (info.flow != Flow::Next || info.pops < 0 || info.pushes < 0) return std::nullopt;
    needed += info.pops - info.pushes;
  }
  return found;
}

GeneratedValues::Kind GeneratedValues::kind_of_field(const Member& field) const {
  // <>1__state, <>w__disposeMode, <>s__1 and the like; in VB and F# only the state has a reserved name.
  if (field.name.starts_with("<>") || field.name == "$State" || field.name.starts_with("$I")) return Kind::kMade;
  if (is_closure(field.type) && field.name.starts_with("<")) return Kind::kMade;
  const bool of_sequence = own_name(field.type).find('@') != std::string_view::npos;
  if (of_sequence && (field.name == "pc" || field.name == "ResumptionPoint")) return Kind::kMade;
  return Kind::kOther;
}

GeneratedValues::Kind GeneratedValues::kind_of_call(const Member& method) const {
  const bool of_task = method.type.starts_with("System.Threading.Tasks.Task") ||
                       method.type.starts_with("System.Threading.Tasks.ValueTask");
  if (facts_.in_state_machine && method.name == "get_IsCompleted" && !of_task) return Kind::kMade;
  if (method.name == "ComputeStringHash" || method.name == "ComputeReadOnlySpanHash" ||
      method.name == "ComputeSpanHash")
    return Kind::kPartOfText;
  const bool of_text = method.type == "System.String" || method.type == "System.MemoryExtensions" ||
                       method.type.starts_with("System.ReadOnlySpan") || method.type.starts_with("System.Span");
  if (of_text && (method.name == "get_Length" || method.name == "get_Chars" || method.name == "get_Item"))
    return Kind::kPartOfText;
  return Kind::kOther;
}

const Instruction* GeneratedValues::store_before(const Instruction& load) const {
  constexpr int kMost = 64;
  const std::optional<uint32_t> local = local_of(load);
  const Instruction* at = &load;
  for (int i = 0; i < kMost && !std::ranges::binary_search(targets_, at); ++i) {
    at = at->previous();
    const Flow flow = at->info().flow;
    if (at->is_end() || (flow != Flow::Next && flow != Flow::Call && flow != Flow::CondBranch && flow != Flow::Prefix))
      return nullptr;
    if (local ? stores_local(*at) && local_of(*at) == local
              : at->opcode() == Opcode::Stfld && at->token() == load.token())
      return at;
  }
  return nullptr;
}

GeneratedValues::Kind GeneratedValues::kind_of(const Instruction& maker, int depth) const {
  constexpr int kDeepest = 4;
  const std::optional<uint32_t> local = local_of(maker);
  const bool is_field = maker.info().operand == il::OperandKind::Field;
  if ((local || maker.opcode() == Opcode::Ldfld) && depth < kDeepest) {
    // Variables and fields are reused: the last store determines the kind.
    const Instruction* store = store_before(maker);
    const auto from = store ? makers(*store) : std::nullopt;
    const Kind kind = from ? kind_of_all(*from, depth + 1) : Kind::kConstant;
    if (from && (local ? kind != Kind::kConstant : kind == Kind::kOther)) return kind;
  }
  if (local) {
    if (made_.contains(*local)) return Kind::kMade;
    return parts_of_text_.contains(*local) ? Kind::kPartOfText : Kind::kOther;
  }
  if (is_field) return kind_of_field(facts_.member(maker.token()));
  if (maker.info().flow == Flow::Call) return kind_of_call(facts_.member(maker.token()));
  // Arguments come from source code, except `this` in a field access.
  if (il::variable_use(maker))
    return maker.next()->info().operand == il::OperandKind::Field ? Kind::kConstant : Kind::kOther;
  return Kind::kConstant;
}

GeneratedValues::Kind GeneratedValues::kind_of_all(const std::vector<const Instruction*>& makers, int depth) const {
  Kind kind = Kind::kConstant;
  for (const Instruction* maker : makers) {
    const Kind of_one = kind_of(*maker, depth);
    if (of_one == Kind::kOther) return Kind::kOther;
    if (of_one == Kind::kMade || (of_one == Kind::kPartOfText && kind == Kind::kConstant)) kind = of_one;
  }
  return kind;
}

// The kind of a local variable is that of all stores to it, if they agree. Repeats until nothing changes, because
// stored values may come from other locals.
void GeneratedValues::learn_locals() {
  std::map<uint32_t, std::vector<const Instruction*>> stores;
  std::set<uint32_t> addressed;
  for (const Instruction* at : order_) {
    if (stores_local(*at)) stores[*local_of(*at)].push_back(at);
    if (at->opcode() == Opcode::Ldloca || at->opcode() == Opcode::Ldloca_S) addressed.insert(*local_of(*at));
  }
  for (size_t before = SIZE_MAX; before != made_.size() + parts_of_text_.size();) {
    before = made_.size() + parts_of_text_.size();
    for (const auto& [local, all] : stores) {
      if (addressed.contains(local)) continue;
      size_t made = 0, parts = 0, constants = 0, before_leaves = 0;
      for (const Instruction* store : all) {
        const auto from = makers(*store);
        const Kind kind = from ? kind_of_all(*from) : Kind::kOther;
        made += kind == Kind::kMade;
        parts += kind == Kind::kPartOfText;
        constants += kind == Kind::kConstant;
        before_leaves += store->next()->info().flow == Flow::Leave;
      }
      if (constants == all.size() && before_leaves > 0) handler_selectors_.insert(local);
      if (made > 0 && made + constants == all.size()) made_.insert(local);
      if (parts > 0 && parts == all.size()) parts_of_text_.insert(local);
    }
  }
}

bool GeneratedValues::tests_generated_value(const Instruction& branch) const {
  const auto from = makers(branch);
  if (!from) return false;
  const Kind kind = kind_of_all(*from);
  return kind == Kind::kMade || kind == Kind::kConstant;
}

bool GeneratedValues::tests_left_handler(const Instruction& branch) const {
  constexpr int kMostHandlers = 64;
  if (!facts_.in_state_machine) return false;
  const Instruction* at = &branch;
  std::optional<uint32_t> asked;
  for (int i = 0; i < kMostHandlers; ++i) {
    const auto from = makers(*at);
    if (!from || from->empty()) return false;
    const Instruction* const load = from->back();  // the first of them in the code
    const std::optional<uint32_t> local = local_of(*load);
    if (!local || (asked && asked != local)) return false;
    asked = local;
    if (handler_selectors_.contains(*local) && std::ranges::binary_search(left_to_, load)) return true;
    if (i > 0 && tests_generated_value(*at)) return true;
    // State machines test for one handler after the other.
    at = load->previous();
    while (!at->is_end() && (at->opcode() == Opcode::Nop || (at->info().flow == Flow::Branch && at->target() == load)))
      at = at->previous();
    if (at->is_end() || at->info().flow != Flow::CondBranch) return false;
  }
  return false;
}

bool GeneratedValues::tests_string_equality(const Instruction& branch) const {
  const Instruction* call = branch.previous();
  if (call->is_end() || call->info().flow != Flow::Call || branch.info().pops != 1) return false;
  const Member method = facts_.member(call->token());
  return (method.type == "System.String" && (method.name == "op_Equality" || method.name == "Equals")) ||
         (method.type == "System.MemoryExtensions" && method.name == "SequenceEqual") ||
         (method.type.ends_with("CompilerServices.Operators") && method.name == "CompareString");
}

bool GeneratedValues::tests_string_part(const Instruction& branch) const {
  const auto from = makers(branch);
  if (!from) return false;
  // Operands may also be the string itself, as an argument or local variable.
  bool part = false;
  for (const Instruction* maker : *from) {
    const Kind kind = kind_of(*maker, 0);
    part |= kind == Kind::kPartOfText;
    if (kind == Kind::kOther && !il::variable_use(*maker)) return false;
  }
  return part;
}

}  // namespace oriel::coverage
