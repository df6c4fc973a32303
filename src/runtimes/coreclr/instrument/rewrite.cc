#include "runtimes/coreclr/instrument/rewrite.h"

#include <array>
#include <optional>
#include <utility>

#include "engine/engine.h"
#include "engine/hits/covered.h"
#include "engine/probes.h"
#include "il/compressed.h"
#include "il/decode.h"
#include "il/encode.h"
#include "il/probes/coverage_probes.h"
#include "il/probes/probes.h"
#include "il/signature.h"
#include "il/verify.h"
#include "runtimes/coreclr/instrument/allocation_sites.h"
#include "runtimes/coreclr/instrument/async_code.h"
#include "runtimes/coreclr/instrument/body_check.h"
#include "runtimes/coreclr/instrument/call_layout.h"
#include "runtimes/coreclr/instrument/coverage_sites.h"
#include "runtimes/coreclr/instrument/probe_calls.h"

namespace oriel::coreclr {
namespace {

constexpr uint8_t kDefault = 0x00, kUnmanagedC = 0x01;
constexpr auto kVoid = static_cast<uint8_t>(Element::kVoid), kNativeInt = static_cast<uint8_t>(Element::kIntPtr),
               kObject = static_cast<uint8_t>(Element::kObject), kInt = static_cast<uint8_t>(Element::kI4);
constexpr std::array kPinnedObject = {static_cast<uint8_t>(Element::kPinned), kObject};
constexpr std::array kPinnedByref = {static_cast<uint8_t>(Element::kPinned), static_cast<uint8_t>(Element::kByRef),
                                     static_cast<uint8_t>(Element::kU1)};
constexpr uint32_t kFullCalls = ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL;

constexpr uint32_t kFinal = 0x20;  // a methodDef's attribute

uint64_t address_of(const void* thing) { return reinterpret_cast<uintptr_t>(thing); }
uint64_t cell_of(uint32_t event_number) { return address_of(&probe_cell(event_number)); }

class Rewriter {
 public:
  Rewriter(const ModuleMetadata& metadata, const MethodDefinition& definition, EmitTokens& tokens, TypeKinds& kinds,
           const RewriteRequest& request)
      : metadata_(metadata), definition_(definition), tokens_(tokens), kinds_(kinds), request_(request) {}

  Result<Rewritten> run() {
    Result<il::Body> body = il::decode(request_.original);
    if (!body) return body.status();
    Result<BodyFacts> known = learn_facts(metadata_, definition_, *body);
    if (!known) return known.status();
    known_ = std::move(*known);
    if (Status status = il::verify(*body, known_.facts); !status) return status;
    find_coverage(*body);
    if (Status status = add_allocation_probes(*body); !status) return status;
    if ((request_.wanted.calls & ORIEL_CALLS_ASYNC) != 0) {
      if (Status status = add_async_probes(*body); !status) return status;
    }
    // Before the call probes, which replace the returns.
    if (Status status = add_coverage_probes(*body); !status) return status;
    if ((request_.wanted.calls & (ORIEL_CALLS_ALL | kFullCalls)) != 0) {
      if (Status status = add_call_probes(*body); !status) return status;
    }
    if (!changed_) return Rewritten{};
    if (!body->edit_error()) return body->edit_error();
    if (Status status = declare_locals(*body); !status) return status;
    if (Status status = il::verify(*body, known_.facts); !status) return status;
    const Result<il::Encoded> encoded = il::encode(*body, known_.facts);
    if (!encoded) return encoded.status();
    rewritten_.bytes = encoded->bytes;
    for (const il::OffsetPair& pair : encoded->map) rewritten_.map.push_back({pair.original, pair.now, 1});
    if (has_clause_) mark_clause(body->clauses.back());
    return std::move(rewritten_);
  }

 private:
  // All of the original code precedes its handler.
  void mark_clause(const il::Clause& clause) {
    const uint32_t last = rewritten_.map.empty() ? 0 : rewritten_.map.back().old_offset;
    rewritten_.map.push_back({kClauseOfProbes, clause.handler_begin->encoded_offset(), 1});
    if (!clause.handler_end->is_end()) rewritten_.map.push_back({last, clause.handler_end->encoded_offset(), 1});
  }

  // Adds a local variable behind the existing ones and returns its index.
  uint16_t add_local(std::span<const uint8_t> type) {
    new_locals_.emplace_back(type.begin(), type.end());
    return static_cast<uint16_t>(known_.locals + new_locals_.size() - 1);
  }

  Status declare_locals(il::Body& body) {
    if (new_locals_.empty()) return Status::ok();
    const Result<il::NewLocals> added = il::add_locals(known_.local_signature, new_locals_);
    if (!added) return added.status();
    const Result<Token> token = tokens_.signature(request_.module, added->signature);
    if (!token) return token.status();
    body.locals_token = *token;
    known_.facts.local_count = known_.locals + static_cast<uint32_t>(new_locals_.size());
    return Status::ok();
  }

  void find_coverage(il::Body& body) {
    if (request_.wanted.coverage == 0 || request_.in_metadata.empty()) return;
    coverage_ = find_coverage_sites(metadata_, definition_, body, known_.facts, request_.in_metadata, request_.moves);
  }

  Status add_coverage_probes(il::Body& body) {
    if (coverage_.places.points.empty()) return Status::ok();
    oriel_image& image = *intern_image(request_.module);
    const auto counters =
        hits::counters_for(*request_.method, image, request_.token, coverage_.places, request_.wanted.coverage);
    if (!counters) return Status::ok();
    il::CoverageProbes probes;
    probes.hits = counters->hits;
    probes.needs = [&](uint32_t counter) { return !counters->is_told(counter); };
    if (probes.hits == 0) {
      static constexpr uint8_t kSignature[] = {kDefault, 0, kNativeInt};
      const Result<Token> token = tokens_.signature(request_.module, kSignature);
      if (!token) return token.status();
      probes.counters_of_thread = counters->counters_of_thread;
      probes.call_signature = *token;
      probes.counters_local = add_local(std::array{kNativeInt});
      probes.first_counter = counters->first_counter;
    }
    il::insert_coverage_probes(body, coverage_.here, probes);
    changed_ = true;
    return Status::ok();
  }

  Status add_allocation_probes(il::Body& body) {
    if (!request_.wanted.any_allocations()) return Status::ok();
    const std::vector<AllocationSite> sites = allocation_sites(body, request_.token, metadata_, kinds_);
    if (sites.empty()) return Status::ok();
    // Each is inserted right behind the allocation, so the one inserted last comes first.
    if (request_.wanted.full_allocations) {
      if (Status status = add_allocation_probes(body, sites, Kind::kFull); !status) return status;
    }
    if (request_.wanted.allocations) return add_allocation_probes(body, sites, Kind::kLeaf);
    return Status::ok();
  }

  enum class Kind { kLeaf, kFull };
  Status add_allocation_probes(il::Body& body, const std::vector<AllocationSite>& sites, Kind kind) {
    static constexpr uint8_t kLeafCall[] = {kDefault, 2, kVoid, kObject, kNativeInt};
    static constexpr uint8_t kFullCall[] = {kUnmanagedC, 2, kVoid, kNativeInt, kNativeInt};
    const bool full = kind == Kind::kFull;
    const Result<Token> token = tokens_.signature(request_.module, full ? kFullCall : kLeafCall);
    if (!token) return token.status();
    il::AllocationProbe probe;
    probe.cell = cell_of(full ? oriel_event_gc_allocation_full : oriel_event_gc_allocation);
    probe.function = address_of(reinterpret_cast<const void*>(full ? report_allocation_full : report_allocation));
    probe.method = address_of(request_.method);
    probe.call_signature = *token;
    if (full) probe.pin_local = add_local(kPinnedObject);
    for (const AllocationSite& site : sites) {
      probe.parameter = site.parameter;
      if (site.parameter != 0) probe.parameter_local = add_local(site.parameter_type);
      il::insert_allocation_probe(body, site.at, probe);
    }
    changed_ = true;
    return Status::ok();
  }

  Status add_async_probes(il::Body& body) {
    const std::optional<AsyncMethod> found = find_async_method(body, metadata_);
    if (!found) return Status::ok();
    Result<AsyncTokens> made = make_async_tokens(*found, metadata_, request_.module, tokens_);
    if (!made) return made.status();
    il::AsyncProbes probes;
    probes.resume = cell_of(oriel_event_async_resume);
    probes.suspend = cell_of(oriel_event_async_suspend);
    probes.complete = cell_of(oriel_event_async_complete);
    probes.method = address_of(request_.method);
    const std::pair<uint32_t*, std::vector<uint8_t>> signatures[] = {
        {&probes.resume_signature, {kDefault, 3, kVoid, kNativeInt, kNativeInt, kInt}},
        {&probes.suspend_signature, {kDefault, 5, kVoid, kNativeInt, kNativeInt, kInt, kInt, kInt}},
        {&probes.complete_signature, {kDefault, 4, kVoid, kNativeInt, kNativeInt, kInt, kObject}}};
    for (const auto& [token, bytes] : signatures) {
      const Result<Token> signature = tokens_.signature(request_.module, bytes);
      if (!signature) return signature.status();
      *token = *signature;
    }
    probes.task = made->task;
    probes.target_local = add_local(std::array{kNativeInt});
    probes.task_local = add_local(std::array{kInt});
    probes.exception_local = add_local(std::array{kObject});
    probes.awaited_local = add_local(made->task_type);
    if (!made->value_task_type.empty()) probes.task.value_task_local = add_local(made->value_task_type);
    il::insert_async_probes(body, found->code, probes);
    for (size_t i = 0; i < found->awaited.size(); ++i)
      rewritten_.awaits.push_back({found->code.awaits[i].il, found->awaited[i]});
    for (const AsyncMethod::Handed& handed : found->handed) {
      if (oriel_method* const method = request_.method_of(handed.method))
        rewritten_.handed.push_back({handed.il, method});
    }
    changed_ = true;
    return Status::ok();
  }

  Status add_call_probes(il::Body& body) {
    const uint32_t calls = request_.wanted.calls;
    il::CallProbes probes;
    static constexpr uint8_t kTarget[] = {kNativeInt};
    probes.target_local = add_local(kTarget);
    if (known_.returns_value) {
      const Result<il::MethodTypes> types = il::read_method_types(definition_.signature);
      if (!types) return types.status();
      probes.return_local = add_local(types->result);
    }
    const uint8_t convention = (calls & ORIEL_CALLS_FULL) ? kUnmanagedC : kDefault;
    const uint8_t signature[] = {convention, 3, kVoid, kNativeInt, kNativeInt, kNativeInt};
    const Result<Token> token = tokens_.signature(request_.module, signature);
    if (!token) return token.status();
    if (calls & ORIEL_CALLS_ENTER) probes.enter = cell_of(oriel_event_method_enter);
    if (calls & ORIEL_CALLS_LEAVE) probes.leave = cell_of(oriel_event_method_leave);
    if (calls & ORIEL_CALLS_TAIL_CALL) probes.tail_call = cell_of(oriel_event_method_tail_call);
    if (calls & ORIEL_CALLS_EXCEPTION_LEAVE) probes.exception_leave = cell_of(oriel_event_method_exception_leave);
    if (calls & ORIEL_CALLS_ENTER_FULL) probes.enter_full = cell_of(oriel_event_method_enter_full);
    if (calls & ORIEL_CALLS_LEAVE_FULL) probes.leave_full = cell_of(oriel_event_method_leave_full);
    probes.method = address_of(request_.method);
    probes.call_signature = *token;
    probes.target_of_tail_call = [&](const il::Instruction& call) { return address_of(tail_call_target(call)); };
    // Full callbacks get no exception: the garbage collector may move it meanwhile.
    if (probes.exception_leave != 0 && !(calls & ORIEL_CALLS_FULL)) {
      probes.exception_leave_context = {
          address_of(reinterpret_cast<const void*>(report_exception_leave)), 0, *token, {}, {}};
    }
    if (Status status = add_contexts(probes); !status) return status;
    if (Status status = add_full_contexts(probes); !status) return status;
    const bool full = (calls & ORIEL_CALLS_FULL) != 0;
    if (full) report_transitions(probes);
    if (il::has_tail_calls(body) && counts_activations(calls)) count_activations(probes, full);
    const Result<il::InsertedProbes> inserted = il::insert_call_probes(body, probes);
    if (!inserted) return inserted.status();
    rewritten_.has_tail_calls = inserted->has_tail_calls;
    has_clause_ = inserted->has_clause;
    changed_ = true;
    return Status::ok();
  }

  // nullptr if only the call itself determines the target: for calli, virtual methods, and methods of other modules.
  const oriel_method* tail_call_target(const il::Instruction& call) const {
    if (call.opcode() == il::Opcode::Calli) return nullptr;
    const Token callee = metadata_.definition_within_module(call.token());
    const auto definition = callee != 0 ? metadata_.definition(callee) : std::nullopt;
    if (!definition || (definition->attributes & kAbstractMethod)) return nullptr;
    const bool looked_up = (definition->attributes & (kVirtualMethod | kFinal)) == kVirtualMethod;
    if (looked_up && call.opcode() == il::Opcode::Callvirt) return nullptr;
    return request_.method_of(callee);
  }

  // Callbacks that may block are called through functions that allow questions to the runtime.
  static void report_transitions(il::CallProbes& probes) {
    const auto report = [&](il::ContextProbe& probe) {
      probe = {address_of(reinterpret_cast<const void*>(report_full)), 0, probes.call_signature, {}, {}};
    };
    report(probes.enter_context);
    report(probes.leave_context);
    report(probes.tail_call_context);
    report(probes.exception_leave_context);
  }

  static void count_activations(il::CallProbes& probes, bool full) {
    const auto count = [&](il::ContextProbe& probe, auto report, auto report_fully, auto report_with_context) {
      if (full || probe.function == 0) {
        const auto code = reinterpret_cast<const void*>(full ? report_fully : report);
        probe = {address_of(code), 0, probes.call_signature, {}, {}};
      } else {
        probe.function = address_of(reinterpret_cast<const void*>(report_with_context));
      }
    };
    count(probes.enter_context, report_counted_enter, report_counted_full_enter, report_counted_enter_with_context);
    count(probes.leave_context, report_counted_leave, report_counted_full_leave, report_counted_leave_with_context);
    count(probes.tail_call_context, report_counted_leave, report_counted_full_leave, report_counted_leave_with_context);
  }

  // Full callbacks get no context: the garbage collector may move what the values refer to.
  Status add_contexts(il::CallProbes& probes) {
    const uint32_t calls = request_.wanted.calls;
    if (calls & ORIEL_CALLS_FULL) return Status::ok();
    if (calls & ORIEL_CALLS_ENTER_CONTEXT) {
      if (Status status = add_context(probes.enter_context, false, std::nullopt); !status) return status;
    }
    if (calls & ORIEL_CALLS_LEAVE_CONTEXT) return add_context(probes.leave_context, true, probes.return_local);
    return Status::ok();
  }

  // Objects and byrefs among the values are pinned while the callback runs. Enter and leave probes use the same pinned
  // variables, one after the other.
  Status add_full_contexts(il::CallProbes& probes) {
    std::vector<uint16_t> objects, byrefs;
    const auto add = [&](il::ContextProbe& probe, bool on_leave) {
      const auto result = on_leave ? probes.return_local : std::nullopt;
      if (Status status = add_context(probe, on_leave, result, kUnmanagedC); !status) return status;
      if (probe.function == 0) return add_full_without_context(probe);
      probe.function = address_of(reinterpret_cast<const void*>(report_full_with_context));
      size_t of_objects = 0, of_byrefs = 0;
      for (il::PinnedValue& pin : probe.pins) {
        std::vector<uint16_t>& locals = pin.is_byref ? byrefs : objects;
        size_t& next = pin.is_byref ? of_byrefs : of_objects;
        if (next == locals.size()) {
          locals.push_back(pin.is_byref ? add_local(kPinnedByref) : add_local(kPinnedObject));
        }
        pin.pin_local = locals[next++];
      }
      return Status::ok();
    };
    if (probes.enter_full != 0) {
      if (Status status = add(probes.enter_full_context, false); !status) return status;
    }
    return probes.leave_full != 0 ? add(probes.leave_full_context, true) : Status::ok();
  }

  Status add_full_without_context(il::ContextProbe& probe) {
    static constexpr uint8_t kSignature[] = {kUnmanagedC, 3, kVoid, kNativeInt, kNativeInt, kNativeInt};
    const Result<Token> token = tokens_.signature(request_.module, kSignature);
    if (!token) return token.status();
    probe = {address_of(reinterpret_cast<const void*>(report_full)), 0, *token, {}, {}};
    return Status::ok();
  }

  Status add_context(il::ContextProbe& probe, bool on_leave, std::optional<uint16_t> result_local,
                     uint8_t convention = kDefault) {
    const MethodValues values{request_.module,
                              metadata_,
                              definition_,
                              request_.token,
                              kinds_.of(metadata_, definition_.type) == TypeKind::kValue,
                              known_.local_signature,
                              request_.type_name};
    Result<BuiltContext> context = build_context(values, tokens_, on_leave, result_local);
    // There are more values than can be passed: the method's events come without a context.
    if (!context) return Status::ok();
    std::vector<uint8_t> signature = {convention};
    il::append_compressed(signature, static_cast<uint32_t>(3 + context->words.size()));
    signature.push_back(kVoid);
    signature.insert(signature.end(), 3 + context->words.size(), kNativeInt);
    const Result<Token> token = tokens_.signature(request_.module, signature);
    if (!token) return token.status();
    probe.function = address_of(reinterpret_cast<const void*>(report_with_context));
    probe.layout = address_of(context->layout);
    probe.call_signature = *token;
    probe.words = std::move(context->words);
    if (convention != kDefault) probe.pins = std::move(context->pins);
    return Status::ok();
  }

  const ModuleMetadata& metadata_;
  const MethodDefinition& definition_;
  EmitTokens& tokens_;
  TypeKinds& kinds_;
  const RewriteRequest& request_;
  BodyFacts known_;
  std::vector<std::vector<uint8_t>> new_locals_;
  CoverageSites coverage_;
  bool changed_ = false;
  bool has_clause_ = false;
  Rewritten rewritten_;
};

}  // namespace

Result<Rewritten> rewrite(const ModuleMetadata& metadata, const MethodDefinition& definition, EmitTokens& tokens,
                          TypeKinds& kinds, const RewriteRequest& request) {
  return Rewriter(metadata, definition, tokens, kinds, request).run();
}

bool may_allocate(std::span<const uint8_t> body) {
  const Result<il::Body> decoded = il::decode(body);
  if (!decoded) return true;
  for (const il::Instruction* at = decoded->first(); !at->is_end(); at = at->next()) {
    if (at->info().flow == il::Flow::Call || at->opcode() == il::Opcode::Newarr || at->opcode() == il::Opcode::Box) {
      return true;
    }
  }
  return false;
}

}  // namespace oriel::coreclr
