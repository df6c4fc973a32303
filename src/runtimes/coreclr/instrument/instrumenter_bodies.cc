// Making bodies: what profilers' rewriters and probes make of a method's code.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/messages.h"
#include "metadata/signature.h"
#include "runtimes/coreclr/instrument/body_check.h"
#include "runtimes/coreclr/instrument/call_layout.h"
#include "runtimes/coreclr/instrument/instrumenter.h"
#include "runtimes/coreclr/instrument/reserved_methods.h"
#include "runtimes/coreclr/names/class_text.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {
namespace {

constinit FewWarnings refused("more methods are not instrumented; the report counts them");

constexpr uint32_t kVarargs = 0x05, kCallKind = 0x0f;
constexpr uint32_t kRuntimeAsync = 0x2000;  // MethodImplOptions.Async: the body returns what the task is of

std::u16string outermost_type(const ModuleMetadata& metadata, Token type) {
  while (const Token outer = metadata.enclosing_type(type)) type = outer;
  return metadata.type_name(type);
}

}  // namespace

bool Instrumenter::learn_original(Site& site) {
  {
    const std::lock_guard guard(lock_);
    if (!site.original.empty()) return true;
  }
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(info_.GetILFunctionBody(site.key.module, site.key.token, &body, &size)) || size == 0) return false;
  // Whoever changes the body has learned the original before: what was read after such a change is not kept.
  const std::lock_guard guard(lock_);
  if (site.original.empty()) site.original = {body, size};
  return true;
}

std::span<const uint8_t> Instrumenter::original_body(ModuleID module, Token token) {
  if (Site* site = find({module, token})) return learn_original(*site) ? site->original : std::span<const uint8_t>();
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(info_.GetILFunctionBody(module, token, &body, &size))) return {};
  return {body, size};
}

void Instrumenter::set_default_body(Site& site, FunctionID function) {
  const WantedChanges wanted = wanted_of(site);
  if (!wanted.any() || !may_change_default(site.key.module)) return;
  const Built built = build(site, wanted);
  const std::vector<uint8_t>& bytes = built.bytes;
  if (bytes.empty()) return;
  ComPtr<MethodMalloc> memory;
  void* copy = nullptr;
  if (succeeded(info_.GetILFunctionBodyAllocator(site.key.module, reinterpret_cast<void**>(memory.receive())))) {
    copy = memory->Alloc(static_cast<uint32_t>(bytes.size()));
  }
  if (copy != nullptr) std::memcpy(copy, bytes.data(), bytes.size());
  if (copy == nullptr ||
      failed(info_.SetILFunctionBody(site.key.module, site.key.token, static_cast<const uint8_t*>(copy)))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
    return;
  }
  set_il_map(function, built.map);
  site.in_default.store(wanted);
  site.in_force.store(wanted);
  count_outcome(ORIEL_INSTRUMENTED);
}

// So that stack traces tell the lines of the source. The runtime frees the map, which on Linux means free().
void Instrumenter::set_il_map(FunctionID function, const std::vector<IlMapEntry>& map) {
  if (map.empty()) return;
  auto* entries = static_cast<IlMapEntry*>(std::malloc(map.size() * sizeof(IlMapEntry)));
  if (entries == nullptr) return;
  std::memcpy(entries, map.data(), map.size() * sizeof(IlMapEntry));
  info_.SetILInstrumentedCodeMap(function, 1, static_cast<uint32_t>(map.size()), entries);
}

// Without bytes: the body stays as it is, and why was counted and said.
Instrumenter::Built Instrumenter::build(Site& site, const WantedChanges& wanted) {
  Built built;
  const ModuleMetadata metadata = modules_.metadata(site.key.module);
  const auto definition = metadata.is_open() ? metadata.definition(site.key.token) : std::nullopt;
  if (const auto why_not = unchangeable(site, metadata, definition)) {
    count_outcome(*why_not);
  } else {
    if (wanted.rewriters != 0) built.bytes = rewrite_by_profilers(site, metadata, *definition);
    if (wanted.calls != ORIEL_CALLS_NONE || wanted.allocations) add_probes(site, metadata, *definition, wanted, built);
  }
  if (built.bytes.empty()) site.fruitless.store(wanted);
  return built;
}

// What the method is left alone for before anybody looks into its body.
std::optional<oriel_instrumentation_outcome> Instrumenter::unchangeable(
    Site& site, const ModuleMetadata& metadata, const std::optional<MethodDefinition>& definition) {
  if (!definition || !learn_original(site)) return ORIEL_NOT_INSTRUMENTED_NO_BODY;
  if (definition->signature.empty() || (definition->signature[0] & kCallKind) == kVarargs ||
      (definition->implementation & kRuntimeAsync) != 0) {
    return ORIEL_NOT_INSTRUMENTED_UNSUPPORTED;
  }
  if (metadata.is_core_library() && is_reserved_type(outermost_type(metadata, definition->type)))
    return ORIEL_NOT_INSTRUMENTED_RESERVED;
  return std::nullopt;
}

std::vector<uint8_t> Instrumenter::rewrite_by_profilers(Site& site, const ModuleMetadata& metadata,
                                                        const MethodDefinition& definition) {
  return rewritten_body(*site.method, intern_image(site.key.module), site.original,
                        [&](std::span<const uint8_t> body) { return check_body(metadata, definition, body); });
}

// Into what rewriters made, if they made anything.
void Instrumenter::add_probes(Site& site, const ModuleMetadata& metadata, const MethodDefinition& definition,
                              const WantedChanges& wanted, Built& built) {
  // Callbacks of the full kind may ask for names, which the runtime does not tell a thread that runs managed code.
  if (wanted.calls & ORIEL_CALLS_FULL) ensure_described(*site.method);
  const SignatureScope scope(Names{info_, modules_}, metadata);
  const auto type_name = [&](std::span<const uint8_t> type) -> const std::string* {
    const auto decoded = metadata::decode_type_signature(type);
    return lasting_text(decoded ? metadata::type_text(*decoded, scope, metadata::Style::kFull) : "");
  };
  const auto method_named = [&](Token token) -> oriel_method* {
    const auto callee = metadata.definition(token);
    return callee ? record_of({site.key.module, token}, metadata, callee->type, 0) : nullptr;
  };
  kinds_.meet(site.key.module);
  const std::span<const uint8_t> base = built.bytes.empty() ? site.original : std::span<const uint8_t>(built.bytes);
  Result<Rewritten> rewritten =
      rewrite(metadata, definition, tokens_, kinds_,
              {site.key.module, site.key.token, site.method, base, wanted, type_name, method_named});
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
  built.bytes = std::move(rewritten->bytes);
  // To the offsets that a rewriter left, if one was there: its own changes are in no map.
  built.map = std::move(rewritten->map);
}

}  // namespace oriel::coreclr
