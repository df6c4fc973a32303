#include "il/probes/probes.h"

#include "il/operands.h"
#include "il/sequence.h"
#include "il/transform.h"

namespace oriel::il {
namespace {

// Pushes the boxed default value of a generic parameter: null if it is a reference type.
void add_default_box(Sequence& sequence, uint32_t parameter, uint16_t local) {
  Body& body = sequence.body();
  sequence.add(load_local_address(body, local));
  sequence.add(Opcode::Initobj, parameter);
  sequence.add(load_local(body, local));
  sequence.add(Opcode::Box, parameter);
}

void add_value(Sequence& sequence, const ContextWord& word) {
  Body& body = sequence.body();
  switch (word.kind) {
    case ContextWord::Kind::kArgument:
      sequence.add(load_argument(body, word.index));
      break;
    case ContextWord::Kind::kArgumentAddress:
      sequence.add(load_argument_address(body, word.index));
      break;
    case ContextWord::Kind::kLocal:
      sequence.add(load_local(body, word.index));
      break;
    case ContextWord::Kind::kLocalAddress:
      sequence.add(load_local_address(body, word.index));
      break;
    case ContextWord::Kind::kSizeOf:
      sequence.add(Opcode::Sizeof, word.token);
      break;
  }
}

void add_word(Sequence& sequence, const ContextWord& word) {
  add_value(sequence, word);
  sequence.add(Opcode::Conv_U);
}

void pin(Sequence& sequence, const std::vector<PinnedValue>& pins) {
  for (const PinnedValue& each : pins) {
    add_value(sequence, each.value);
    sequence.add(store_local(sequence.body(), each.pin_local));
  }
}

void let_go(Sequence& sequence, const std::vector<PinnedValue>& pins) {
  for (const PinnedValue& each : pins) {
    sequence.add(each.is_byref ? Opcode::Ldc_I4_0 : Opcode::Ldnull);
    if (each.is_byref) sequence.add(Opcode::Conv_U);
    sequence.add(store_local(sequence.body(), each.pin_local));
  }
}

// if (t = *cell) t->code(t->profiler, method, last), or function(t, method, layout, words…)
void add_call_probe(Sequence sequence, Instruction* behind, uint64_t cell, const CallProbes& probes,
                    const ContextProbe& context, uint64_t last = 0) {
  Body& body = sequence.body();
  const auto target = [&] { sequence.add(load_local(body, probes.target_local)); };
  sequence.address(cell);
  sequence.add(Opcode::Ldind_I);
  sequence.add(store_local(body, probes.target_local));
  target();
  sequence.add(body.make_branch(Opcode::Brfalse, behind));
  pin(sequence, context.pins);
  target();
  if (context.function != 0) {
    sequence.address(probes.method);
    sequence.address(context.layout);
    for (const ContextWord& word : context.words) add_word(sequence, word);
    sequence.address(context.function);
    sequence.call(context.call_signature, static_cast<uint16_t>(3 + context.words.size()));
    let_go(sequence, context.pins);
    return;
  }
  sequence.add(load_int32(body, kTargetProfiler));
  sequence.add(Opcode::Add);
  sequence.add(Opcode::Ldind_I);
  sequence.address(probes.method);
  sequence.address(last);
  target();
  static_assert(kTargetCode == 0);
  sequence.add(Opcode::Ldind_I);
  sequence.call(probes.call_signature, 3);
}

bool is_tail_call(const Instruction& at) { return at.opcode() == Opcode::Tailcall || at.opcode() == Opcode::Jmp; }

std::vector<Instruction*> tail_calls_of(const Body& body) {
  std::vector<Instruction*> found;
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (is_tail_call(*at)) found.push_back(at);
  }
  return found;
}

}  // namespace

bool has_tail_calls(const Body& body) { return !tail_calls_of(body).empty(); }

Result<InsertedProbes> insert_call_probes(Body& body, const CallProbes& probes) {
  const std::vector<Instruction*> tail_calls = tail_calls_of(body);
  SingleReturn returns;
  if (probes.exception_leave != 0 && tail_calls.empty()) {
    Result<Wrapped> wrapped = wrap_in_try(body, ClauseKind::kFault, 0, probes.return_local);
    if (!wrapped) return wrapped.status();
    returns = wrapped->returns;
    Instruction* const exit = wrapped->handler_exit;
    add_call_probe({body, exit, Branches::kStay, Regions::kOfNext}, exit, probes.exception_leave, probes,
                   probes.exception_leave_context);
  } else if (probes.leave != 0 || probes.leave_full != 0) {
    Result<SingleReturn> joined = make_single_return(body, probes.return_local, TailCalls::kKeep);
    if (!joined) return joined.status();
    returns = *joined;
  }
  if (probes.leave != 0 && returns.exit != nullptr) {
    add_call_probe({body, returns.exit, Branches::kMove, Regions::kOfNext}, returns.exit, probes.leave, probes,
                   probes.leave_context);
  }
  if (probes.leave_full != 0 && returns.exit != nullptr) {
    add_call_probe({body, returns.exit, Branches::kMove, Regions::kOfNext}, returns.exit, probes.leave_full, probes,
                   probes.leave_full_context);
  }
  if (probes.tail_call != 0) {
    for (Instruction* at : tail_calls) {
      Instruction* const unit = body.unit_begin(at);
      const uint64_t target = probes.target_of_tail_call ? probes.target_of_tail_call(*body.unit_end(at)) : 0;
      ContextProbe counted = probes.tail_call_context;
      counted.layout = target;
      add_call_probe({body, unit, Branches::kMove, Regions::kOfNext}, unit, probes.tail_call, probes, counted, target);
    }
  }
  // Each is inserted at the very beginning, so the one to run first comes last.
  if (probes.enter_full != 0) {
    Instruction* const first = body.first();
    add_call_probe({body, first, Branches::kStay, Regions::kOfPrevious}, first, probes.enter_full, probes,
                   probes.enter_full_context);
  }
  if (probes.enter != 0) {
    Instruction* const first = body.first();
    add_call_probe({body, first, Branches::kStay, Regions::kOfPrevious}, first, probes.enter, probes,
                   probes.enter_context);
  }
  return InsertedProbes{!tail_calls.empty(), probes.exception_leave != 0 && tail_calls.empty()};
}

void insert_allocation_probe(Body& body, Instruction* allocation, const AllocationProbe& probe) {
  Instruction* const behind = body.unit_end(allocation)->next();
  Sequence sequence(body, behind, Branches::kStay, Regions::kOfPrevious);
  if (probe.parameter != 0) {
    add_default_box(sequence, probe.parameter, probe.parameter_local);
    sequence.add(body.make_branch(Opcode::Brfalse, behind));
  }
  sequence.address(probe.cell);
  sequence.add(Opcode::Ldind_I);
  sequence.add(body.make_branch(Opcode::Brfalse, behind));
  sequence.add(Opcode::Dup);
  if (probe.pin_local) {
    sequence.add(store_local(body, *probe.pin_local));
    sequence.add(load_local(body, *probe.pin_local));
    sequence.add(Opcode::Conv_U);
  }
  sequence.address(probe.method);
  sequence.address(probe.function);
  sequence.call(probe.call_signature, 2);
  if (probe.pin_local) {
    sequence.add(Opcode::Ldnull);
    sequence.add(store_local(body, *probe.pin_local));
  }
}

}  // namespace oriel::il
