#include "runtimes/coreclr/instrument/bodies.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "engine/code/rewriting.h"
#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/messages.h"
#include "metadata/signature.h"
#include "runtimes/coreclr/com/body_memory.h"
#include "runtimes/coreclr/com/module_flags.h"
#include "runtimes/coreclr/instrument/body_check.h"
#include "runtimes/coreclr/instrument/body_site.h"
#include "runtimes/coreclr/instrument/call_layout.h"
#include "runtimes/coreclr/instrument/probe_calls.h"
#include "runtimes/coreclr/rejit_base.h"

namespace oriel::coreclr {
namespace {

constinit FewWarnings refused("more methods are not instrumented; the report counts them");

constinit std::atomic<bool> said_uncounted{false};

constexpr uint32_t kVarargCalls = 0x05, kCallKind = 0x0f;
constexpr uint32_t kRuntimeAsync = 0x2000;  // MethodImplOptions.Async: the body returns the task's result, not the task

// Warns about the first method only: where there is one, there are usually many.
void say_uncounted(oriel_method& method) {
  if (said_uncounted.exchange(true)) return;
  ensure_described(method);
  warn(("coverage: " + method.name +
        " is not counted, nor is any method whose body another profiler replaced: the new bodies do not map to the "
        "program's own code")
           .c_str());
}

// 0 if there are several functions or none.
FunctionID function_of(ProfilerInfo& info, const SiteKey& key) {
  FunctionID function = 0;
  return succeeded(info.GetFunctionFromToken(Held(), key.module, key.token, &function)) ? function : 0;
}

// Composes two offset maps: original offsets of the first to new offsets of the second.
std::vector<IlMapEntry> composed(const std::vector<IlMapEntry>& first, const std::vector<IlMapEntry>& second) {
  std::vector<IlMapEntry> both;
  for (const IlMapEntry& entry : first) {
    const auto then = std::ranges::lower_bound(second, entry.new_offset, {}, &IlMapEntry::old_offset);
    if (then != second.end() && then->old_offset == entry.new_offset)
      both.push_back({entry.old_offset, then->new_offset, 1});
  }
  // The entry for the probes' clause.
  for (const IlMapEntry& entry : second)
    if (entry.old_offset == kClauseOfProbes) both.push_back(entry);
  return both;
}

}  // namespace

void Bodies::before_compilation(FunctionID function) {
  Site* const site = sites_.of(function);
  if (site == nullptr) return;
  decide_default(*site, function);
  if (site->has_pending_map.exchange(false, std::memory_order_acquire))
    set_il_map(*site, function, std::move(site->pending_map));
}

void Bodies::decide_default(Site& site, FunctionID function) {
  sites_.decide_once(site, [&] { set_default(site, function); });
}

void Bodies::set_default(Site& site, FunctionID function) {
  const WantedChanges wanted = wanted_of(site);
  if (!wanted.any() || !compilations_.all_of(site.key.module)) return;
  sites_.learn_original(site);
  // Another profiler may set a new body on another thread meanwhile, which this one, made from the old body, would
  // hide.
  do {
    if (put_into_default(site, wanted, function)) site.in_force.store(wanted);
  } while (sites_.relearn_original(site));
}

bool Bodies::put_into_default(Site& site, const WantedChanges& wanted, FunctionID function) {
  Built built = build(site, wanted, site.original());
  const std::vector<uint8_t>& bytes = built.bytes;
  if (bytes.empty()) return false;
  const Held held;
  const uint8_t* const copy = copy_into_module(held, names_.info, site.key.module, bytes);
  if (copy == nullptr || failed(names_.info.SetILFunctionBody(held, site.key.module, site.key.token, copy))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
    return false;
  }
  set_il_map(site, function, std::move(built.map));
  site.in_default.store(wanted);
  count_outcome(ORIEL_INSTRUMENTED);
  return true;
}

bool Bodies::clear_default(const SiteKey& key) {
  Site* const site = sites_.find(key);
  if (site == nullptr || site->state.load() != Site::State::kDecided || !site->asked.load()) return false;
  const WantedChanges in_default = site->in_default.load();
  if (!in_default.any() || in_default != site->in_force.load() || site->has_own_version.load()) return false;
  const WantedChanges wanted = ask_filters(site->method, intern_image(key.module));
  if (wanted.any() || is_made_by_program(names_.info, key.module)) return false;
  const std::span<const uint8_t> original = site->original();
  const Held held;
  const uint8_t* const copy = copy_into_module(held, names_.info, key.module, {original.begin(), original.end()});
  if (copy == nullptr || failed(names_.info.SetILFunctionBody(held, key.module, key.token, copy))) return false;
  site->default_left.store(true);
  site->has_pending_map.store(false);
  site->wanted.store(wanted);
  site->in_default.store(wanted);
  site->in_force.store(wanted);
  return true;
}

// Lets stack traces show source lines. The runtime copies the map. If no function is known (for a version of a generic
// method), the map waits for the next compilation of the default body.
void Bodies::set_il_map(Site& site, FunctionID function, std::vector<IlMapEntry> map) {
  if (map.empty()) return;
  if (function != 0) {
    names_.info.SetILInstrumentedCodeMap(Held(), function, 1, static_cast<uint32_t>(map.size()), map.data());
    return;
  }
  site.pending_map = std::move(map);
  site.has_pending_map.store(true, std::memory_order_release);
}

void Bodies::base_changed(const SiteKey& key) {
  Site* site = sites_.find_or_make(key);
  site->has_foreign_base.store(true);
  sites_.relearn_original(*site);
  // The same changes as before, even if others are wanted by now: code of the default version may be running.
  const WantedChanges changes = site->in_default.load();
  if (!changes.any()) return;
  const FunctionID function = function_of(names_.info, key);
  do put_into_default(*site, changes, function);
  while (sites_.relearn_original(*site));
}

void Bodies::give_rejit_body(const SiteKey& key, FunctionControl& control) {
  // The body that other profilers made for this version, or the code without Oriel's changes.
  const std::span<const uint8_t> theirs = RejitBase::of(key);
  Site* site = before_version(key);
  if (site == nullptr) return;
  sites_.learn_original(*site);
  const std::span<const uint8_t> base = theirs.empty() ? site->original() : theirs;
  Built built;
  const WantedChanges wanted = site->in_force.load();
  if (wanted.any()) built = build(*site, wanted, base);
  // A version that was not requested but has requested methods inlined. With its default body it may itself be inlined.
  const bool is_default = wanted == site->in_default.load() && !site->has_own_version.load() && wanted.rewriters == 0;
  if (is_default && (theirs.empty() || !wanted.any())) return set_map_of(control, built);
  const std::span<const uint8_t> body = built.bytes.empty() ? base : std::span<const uint8_t>(built.bytes);
  if (body.empty()) return;
  if (failed(control.SetILFunctionBody(static_cast<uint32_t>(body.size()), body.data()))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
    return;
  }
  if (built.bytes.empty()) return;
  set_map_of(control, built);
  count_outcome(ORIEL_INSTRUMENTED);
}

void Bodies::set_map_of(FunctionControl& control, Built& built) {
  if (!built.map.empty()) control.SetILInstrumentedCodeMap(static_cast<uint32_t>(built.map.size()), built.map.data());
}

// The runtime reports no compilation before a method's first code if that belongs to a version. Such a version may be
// compiled from the default body, so the default body must be decided here too. If it were decided later, when the
// method is about to be inlined, an on-stack replacement would be compiled from another body than the code that it
// replaces.
Site* Bodies::before_version(const SiteKey& key) {
  if (!compilations_.all_of(key.module)) return sites_.find(key);
  const FunctionID function = function_of(names_.info, key);
  Site* const site = sites_.of(key, function);
  if (site != nullptr) decide_default(*site, function);
  return site;
}

// If `bytes` is empty, the body stays as it is; the reason was counted and reported.
Bodies::Built Bodies::build(Site& site, const WantedChanges& wanted, std::span<const uint8_t> base) {
  Built built;
  const ModuleMetadata metadata = names_.modules.metadata(site.key.module);
  const auto definition = metadata.is_open() ? metadata.definition(site.key.token) : std::nullopt;
  if (const auto why_not = unchangeable(site, metadata, definition)) {
    count_outcome(*why_not);
  } else {
    if (wanted.rewriters != 0) built = rewritten_by_profilers(site, *definition, base);
    if (wanted.has_probes()) {
      const bool has_more = !built.bytes.empty();
      const ModuleMetadata now = has_more ? tokens_.newest(site.key.module, names_.modules) : metadata;
      add_probes(site, now, *definition, wanted, base, built);
    }
  }
  if (built.bytes.empty()) site.unapplied.store(wanted);
  return built;
}

Bodies::Built Bodies::rewritten_by_profilers(const Site& site, const MethodDefinition& definition,
                                             std::span<const uint8_t> base) {
  BodySite of_body(names_, tokens_, site.key.module, definition);
  RewrittenBody rewritten = rewritten_body(*site.method, intern_image(site.key.module), base, of_body);
  Built built{std::move(rewritten.bytes), {}};
  for (const IlMove& move : rewritten.map) built.map.push_back({move.original, move.now, 1});
  return built;
}

// Why the method is left alone, as far as it is known without its body.
std::optional<oriel_instrumentation_outcome> Bodies::unchangeable(Site& site, const ModuleMetadata& metadata,
                                                                  const std::optional<MethodDefinition>& definition) {
  if (!definition || !sites_.learn_original(site)) return ORIEL_NOT_INSTRUMENTED_NO_BODY;
  if (definition->signature.empty() || (definition->signature[0] & kCallKind) == kVarargCalls ||
      (definition->implementation & kRuntimeAsync) != 0) {
    return ORIEL_NOT_INSTRUMENTED_UNSUPPORTED;
  }
  if (is_reserved(metadata, *definition)) return ORIEL_NOT_INSTRUMENTED_RESERVED;
  return std::nullopt;
}

// Adds probes to the body that rewriters made, or to the original if they made none.
void Bodies::add_probes(Site& site, const ModuleMetadata& metadata, const MethodDefinition& definition,
                        const WantedChanges& wanted, std::span<const uint8_t> original, Built& built) {
  // Full callbacks may ask for the method's name. The runtime does not give it to a thread that runs managed code,
  // which would have to wait for another thread (asked_elsewhere.h).
  constexpr uint32_t kFull = ORIEL_CALLS_FULL | ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL;
  if ((wanted.calls & kFull) != 0 || wanted.full_allocations) ensure_described(*site.method);
  const SignatureScope scope(names_, metadata);
  const auto type_name = [&](std::span<const uint8_t> type) -> const std::string* {
    const auto decoded = metadata::decode_type_signature(type);
    return lasting_text(decoded ? metadata::type_text(*decoded, scope, metadata::Style::kFull) : "");
  };
  const auto method_named = [&](Token token) -> oriel_method* {
    const auto callee = metadata.definition(token);
    return callee ? sites_.record_of({site.key.module, token}, metadata, callee->type, 0) : nullptr;
  };
  kinds_.meet(site.key.module);
  const std::span<const uint8_t> base = built.bytes.empty() ? original : std::span<const uint8_t>(built.bytes);
  // There is no map between the metadata's body and the bodies that other profilers set.
  const bool known = original.data() == site.original().data() && !site.has_foreign_base.load();
  const bool mapped = built.bytes.empty() || !built.map.empty();
  const std::span<const uint8_t> in_metadata = known && mapped ? original : std::span<const uint8_t>();
  if (wanted.coverage != 0 && in_metadata.empty()) say_uncounted(*site.method);
  Result<Rewritten> rewritten = rewrite(
      metadata, definition, tokens_, kinds_,
      {site.key.module, site.key.token, site.method, base, wanted, in_metadata, built.map, type_name, method_named});
  if (!rewritten) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_REFUSED);
    if (!refused.wanted()) return;
    ensure_described(*site.method);
    return refused.say(site.method->name + " is not instrumented: " + rewritten.status().message());
  }
  if (rewritten->bytes.empty()) return;
  if (wanted.calls & ORIEL_CALLS_EXCEPTION_LEAVE) {
    rewritten->has_tail_calls ? note_by_callback(site) : site.wrapped.store(true, std::memory_order_release);
  }
  for (const Rewritten::AwaitSite& await : rewritten->awaits)
    raise_async_site(site.method, await.il, await.awaited.c_str());
  for (const Rewritten::HandedMethod& handed : rewritten->handed)
    raise_async_handed(site.method, handed.il, handed.method);
  const bool was_given = !built.bytes.empty();
  built.bytes = std::move(rewritten->bytes);
  // For a body that a rewriter gave as bytes, rewrite() maps the offsets of those bytes.
  built.map = was_given && !built.map.empty() ? composed(built.map, rewritten->map) : std::move(rewritten->map);
}

void Bodies::note_by_callback(Site& site) {
  if (site.by_callback.exchange(true)) return;
  if (by_callback_.fetch_add(1) == 0) exceptions_needed_();
}

oriel_method* Bodies::leaves_by_callback(FunctionID function) {
  if (!needs_exception_callbacks()) return nullptr;
  const std::optional<SiteKey> key = key_of(names_.info, function);
  Site* site = key ? sites_.find(*key) : nullptr;
  if (site == nullptr || !site->by_callback.load(std::memory_order_acquire)) return nullptr;
  const uint32_t calls = site->in_force.load().calls;
  if ((calls & ORIEL_CALLS_EXCEPTION_LEAVE) == 0) return nullptr;
  return !counts_activations(calls) || leave_activation(site->method) ? site->method : nullptr;
}

void Bodies::module_unloading(ModuleID module) {
  tokens_.forget(module);
  kinds_.forget(module);
}

}  // namespace oriel::coreclr
