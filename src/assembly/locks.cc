#include "assembly/locks.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "assembly/value_source.h"
#include "il/operands.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

constexpr unsigned kDeepestCall = 3;  // as far as methods are inlined

struct Taker {
  LockKind kind;
  std::string_view type;
  std::string_view begins;  // the method's name
};
constexpr Taker kTakers[] = {
    {LockKind::kMonitor, "System.Threading.Monitor", "Enter"},
    {LockKind::kMonitor, "System.Threading.Monitor", "TryEnter"},
    {LockKind::kMonitor, "System.Threading.Lock", "Enter"},
    {LockKind::kMonitor, "System.Threading.Lock", "TryEnter"},
    {LockKind::kSemaphore, "System.Threading.SemaphoreSlim", "Wait"},
    {LockKind::kReaderWriter, "System.Threading.ReaderWriterLockSlim", "Enter"},
    {LockKind::kReaderWriter, "System.Threading.ReaderWriterLockSlim", "TryEnter"},
    {LockKind::kReaderWriter, "System.Threading.ReaderWriterLock", "Acquire"},
};

bool takes(const CodeMember& member, LockKind kind) {
  return std::ranges::any_of(kTakers, [&](const Taker& taker) {
    return taker.kind == kind && member.type == taker.type && member.name.starts_with(taker.begins);
  });
}

// What releases a lock: Monitor.Exit, Lock.Exit, and Dispose of the result of Lock.EnterScope.
bool gives_back(const CodeMember& member) {
  if (member.type == "System.Threading.Monitor" || member.type == "System.Threading.Lock") return member.name == "Exit";
  return member.name == "Dispose" && member.type.starts_with("System.Threading.Lock") && member.type.ends_with("Scope");
}

class Finder {
 public:
  Finder(const Assembly& assembly, LockKind kind) : assembly_(assembly), kind_(kind), facts_(assembly.facts(0, 0)) {}

  std::vector<HeldCode> held(uint32_t method) const {
    std::vector<HeldCode> all;
    const std::optional<il::Body> body = decoded_body(assembly_, method);
    if (!body) return all;
    std::vector<size_t> open;  // not released so far
    size_t last = 0;           // the one last released
    for (const Instruction* one = body->first(); !one->is_end(); one = one->next()) {
      const uint32_t il = one->original_offset();
      for (const size_t held : open) all[held].to_il = il;
      if (!is_call(*one)) continue;
      const CodeMember callee = method_of(assembly_, one->token());
      if (takes(callee, kind_)) {
        open.push_back(all.size());
        all.push_back({il, il, taken_by(*one, method).name});
      } else if (gives_back(callee) && !open.empty()) {
        last = open.back();
        open.pop_back();
      } else if (gives_back(callee) && !all.empty()) {
        all[last].to_il = il;  // if several places release it, the last one ends it
      }
    }
    return all;
  }

  std::optional<ValueName> find(uint32_t method, uint32_t from_il, unsigned depth) {
    if (depth > kDeepestCall || !seen_.insert(method).second) return std::nullopt;
    const std::optional<il::Body> body = decoded_body(assembly_, method);
    if (!body) return std::nullopt;
    const Instruction* last_before = nullptr;
    for (const Instruction* one = body->first(); !one->is_end(); one = one->next()) {
      if (!is_call(*one)) continue;
      const CodeMember callee = method_of(assembly_, one->token());
      if (takes(callee, kind_)) {
        if (one->original_offset() >= from_il) return taken_by(*one, method);
        last_before = one;
      } else if (one->original_offset() >= from_il && callee.row != 0 && one->opcode() == Opcode::Call) {
        if (auto inner = find(callee.row, 0, depth + 1)) return inner;
      }
    }
    if (last_before) return taken_by(*last_before, method);
    return std::nullopt;
  }

 private:
  ValueName taken_by(const Instruction& call, uint32_t method) const {
    const Instruction* const source = first_operand(call, facts_);
    return source ? value_name(assembly_, *source, method, facts_) : ValueName{};
  }

  const Assembly& assembly_;
  const LockKind kind_;
  const il::MethodFacts facts_;
  std::set<uint32_t> seen_;  // methods
};

// The first argument of a constructor, if it is a constant.
std::optional<int32_t> first_number(const Instruction& made, const il::MethodFacts& facts) {
  const Instruction* const first = first_operand(made, facts);
  if (!first) return std::nullopt;
  if (first->opcode() == Opcode::Ldc_I4 || first->opcode() == Opcode::Ldc_I4_S)
    return static_cast<int32_t>(first->operand());
  const auto small = static_cast<int>(first->opcode()) - static_cast<int>(Opcode::Ldc_I4_0);
  if (small >= -1 && small <= 8) return small;
  return std::nullopt;
}

}  // namespace

std::vector<HeldCode> held_code(const Assembly& assembly, uint32_t method) {
  return Finder(assembly, LockKind::kMonitor).held(method);
}

uint32_t called_method(const Assembly& assembly, CodePlace place) {
  const std::optional<il::Body> body = decoded_body(assembly, place.method);
  if (!body) return 0;
  for (const Instruction* one = body->first(); !one->is_end(); one = one->next())
    if (one->original_offset() >= place.il && is_call(*one)) return method_of(assembly, one->token()).row;
  return 0;
}

ValueName acquired_lock(const Assembly& assembly, CodePlace place, LockKind kind) {
  return Finder(assembly, kind).find(place.method, place.il, 0).value_or(ValueName{});
}

std::map<uint32_t, FieldOrigin> field_origins(const Assembly& assembly) {
  const il::MethodFacts facts = assembly.facts(0, 0);
  std::map<uint32_t, FieldOrigin> all;
  for (uint32_t method = 1; method <= assembly.method_count(); ++method) {
    const std::optional<il::Body> body = decoded_body(assembly, method);
    if (!body) continue;
    for (const Instruction* one = body->first(); !one->is_end(); one = one->next()) {
      if (one->opcode() != Opcode::Stfld && one->opcode() != Opcode::Stsfld) continue;
      const uint32_t field = field_row(assembly, one->token());
      if (field == 0) continue;
      const Instruction* const value = value_source(one, 0, facts);
      const bool is_made = value && value->opcode() == Opcode::Newobj;
      const auto [known, is_first] = all.try_emplace(field);
      FieldOrigin& origin = known->second;
      const uint32_t more = is_first ? 0 : origin.more + 1;
      if (is_first || (is_made && !origin.is_made))
        origin = {{method, one->original_offset()}, is_made, is_made ? first_number(*value, facts) : std::nullopt, 0};
      origin.more = more;
    }
  }
  return all;
}

}  // namespace oriel::assembly
