#include "runtimes/coreclr/instrumenter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/or_else.h"
#include "metadata/signature.h"
#include "runtimes/coreclr/class_text.h"
#include "runtimes/coreclr/module_names.h"
#include "runtimes/coreclr/reserved_methods.h"
#include "runtimes/coreclr/things.h"

namespace oriel::coreclr {
namespace {

constexpr uint32_t kVarargs = 0x05, kCallKind = 0x0f;
constexpr uint32_t kRuntimeAsync = 0x2000;  // MethodImplOptions.Async: the body returns what the task is of

// What the body is refused for before anybody looks into it.
std::optional<oriel_instrumentation_outcome> unsupported(const MethodDefinition& definition) {
  if (definition.signature.empty() || (definition.signature[0] & kCallKind) == kVarargs ||
      (definition.implementation & kRuntimeAsync) != 0) {
    return ORIEL_NOT_INSTRUMENTED_UNSUPPORTED;
  }
  return std::nullopt;
}

std::u16string outermost_type(MetaDataImport& import, Token type) {
  Token outer = 0;
  while (succeeded(import.GetNestedClassProps(type, &outer)) && outer != 0) type = outer;
  return type_definition_name(import, type);
}

}  // namespace

Instrumenter::Site* Instrumenter::find(const Key& key) {
  const std::lock_guard guard(lock_);
  const auto found = sites_.find(key);
  return found == sites_.end() ? nullptr : found->second.get();
}

Instrumenter::Site* Instrumenter::find_or_make(const Key& key) {
  const std::lock_guard guard(lock_);
  std::unique_ptr<Site>& slot = sites_[key];
  if (!slot) {
    slot = std::make_unique<Site>();
    slot->key = key;
  }
  return slot.get();
}

// nullptr for dynamic methods and whatever else has no place in metadata.
Instrumenter::Site* Instrumenter::site_of(FunctionID function) {
  ClassID klass = 0;
  Key key{0, 0};
  Bool dynamic = 0;
  if (succeeded(info_.IsFunctionDynamic(function, &dynamic)) && dynamic) return nullptr;
  if (failed(info_.GetFunctionInfo(function, &klass, &key.module, &key.token)) || key.module == 0) return nullptr;
  if (table_of(key.token) != kMethodDefTable) return nullptr;
  Site* site = find_or_make(key);
  if (!site->asked.load(std::memory_order_acquire)) ask(*site, function);
  return site;
}

// What the filters say of the site's method. Two threads may ask at once and get the same answer.
void Instrumenter::ask(Site& site, FunctionID function) {
  const MethodMetadata metadata(modules_.of(site.key.module));
  if (!metadata.is_open()) return;
  const auto definition = metadata.definition(site.key.token);
  if (!definition) return;
  oriel_method* method = record_of(site.key, metadata, definition->type, function);
  WantedProbes wanted;
  uint32_t generation = 0;
  do {
    generation = filter_generation();
    wanted = ask_filters(method);
  } while (generation != filter_generation());
  const std::lock_guard guard(lock_);
  if (site.asked.load(std::memory_order_relaxed)) return;
  site.method = method;
  site.wanted.store(wanted);
  site.asked.store(true, std::memory_order_release);
}

// Probes name the metadata's method: of one that is not generic that is the only one there is.
oriel_method* Instrumenter::record_of(const Key& key, const MethodMetadata& metadata, Token type, FunctionID function) {
  oriel_image* image = intern_image(key.module);
  if (metadata.is_generic(key.token, type)) return intern_method_definition(image, key.token, true);
  if (function == 0) info_.GetFunctionFromToken(key.module, key.token, &function);
  return function != 0 ? method_of(info_, function) : intern_method_definition(image, key.token, false);
}

// Runs `decide` on one thread; others that need the decision wait for it.
void Instrumenter::decide_once(Site& site, const std::function<void()>& decide) {
  State expected = State::kNew;
  if (!site.state.compare_exchange_strong(expected, State::kBusy)) {
    if (expected == State::kDecided) return;
    std::unique_lock lock(busy_lock_);
    no_longer_busy_.wait(lock, [&] { return site.state.load() == State::kDecided; });
    return;
  }
  attempt(decide);
  const std::lock_guard guard(busy_lock_);
  site.state.store(State::kDecided);
  no_longer_busy_.notify_all();
}

void Instrumenter::start_hearing() {
  if (hears()) return;
  std::vector<ModuleID> loaded = modules_.loaded();
  const std::lock_guard guard(lock_);
  unheard_.clear();
  unheard_.insert(loaded.begin(), loaded.end());
  hears_.store(true, std::memory_order_release);
}

bool Instrumenter::may_change_default(ModuleID module) {
  const std::lock_guard guard(lock_);
  return hears() && !unheard_.contains(module);
}

// What filters want and the body has a place for.
WantedProbes Instrumenter::wanted_of(const Site& site) const {
  const WantedProbes wanted = site.wanted.load();
  return wanted == site.fruitless.load() ? WantedProbes{} : wanted;
}

bool Instrumenter::refuses_precompiled(FunctionID function) {
  Site* site = site_of(function);
  if (site == nullptr || !may_change_default(site->key.module)) return false;
  // Also where the body itself has no place for probes: what was inlined into it when it was precompiled may have.
  const WantedProbes wanted = site->wanted.load();
  if (!wanted.any()) return false;
  if (wanted.calls != ORIEL_CALLS_NONE) return true;
  return learn_original(*site) && may_allocate(site->original);
}

void Instrumenter::before_compilation(FunctionID function) {
  Site* site = site_of(function);
  if (site == nullptr) return;
  decide_once(*site, [&] { set_default_body(*site, function); });
}

bool Instrumenter::may_inline(FunctionID callee) {
  Site* site = site_of(callee);
  if (site == nullptr) return true;
  const bool was_decided = site->state.load(std::memory_order_acquire) == State::kDecided;
  if (!was_decided && may_change_default(site->key.module)) {
    decide_once(*site, [&] { set_default_body(*site, callee); });
  }
  const WantedProbes wanted = wanted_of(*site);
  if (!wanted.any()) return true;
  if (wanted.calls & ORIEL_CALLS_BLOCK_INLINING) return false;
  // The compiler has read the callee's old body by now: the next caller may have the new one. Probes that come by ReJIT
  // are never in what is inlined.
  return was_decided && site->in_default.load() == wanted;
}

bool Instrumenter::learn_original(Site& site) {
  const std::lock_guard guard(lock_);
  if (!site.original.empty()) return true;
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(info_.GetILFunctionBody(site.key.module, site.key.token, &body, &size)) || size == 0) return false;
  site.original = {body, size};
  return true;
}

void Instrumenter::set_default_body(Site& site, FunctionID function) {
  const WantedProbes wanted = wanted_of(site);
  if (!wanted.any() || !may_change_default(site.key.module)) return;
  std::vector<IlMapEntry> map;
  const std::vector<uint8_t> bytes = build(site, wanted, map);
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
  set_il_map(function, map);
  site.in_default.store(wanted);
  site.in_force.store(wanted);
  count_outcome(ORIEL_INSTRUMENTED);
}

// So that stack traces tell the lines of the source. The runtime frees the map, which on Linux means free().
void Instrumenter::set_il_map(FunctionID function, const std::vector<IlMapEntry>& map) {
  auto* entries = static_cast<IlMapEntry*>(std::malloc(map.size() * sizeof(IlMapEntry)));
  if (entries == nullptr) return;
  std::memcpy(entries, map.data(), map.size() * sizeof(IlMapEntry));
  info_.SetILInstrumentedCodeMap(function, 1, static_cast<uint32_t>(map.size()), entries);
}

// Empty: the body stays as it is, and why was counted and said.
std::vector<uint8_t> Instrumenter::build(Site& site, const WantedProbes& wanted, std::vector<IlMapEntry>& map) {
  std::vector<uint8_t> bytes = build_body(site, wanted, map);
  if (bytes.empty()) site.fruitless.store(wanted);
  return bytes;
}

std::vector<uint8_t> Instrumenter::build_body(Site& site, const WantedProbes& wanted, std::vector<IlMapEntry>& map) {
  const MethodMetadata metadata(modules_.of(site.key.module));
  const auto definition = metadata.is_open() ? metadata.definition(site.key.token) : std::nullopt;
  if (!definition || !learn_original(site)) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_NO_BODY);
    return {};
  }
  if (const auto why = unsupported(*definition)) {
    count_outcome(*why);
    return {};
  }
  if (is_reserved_type(outermost_type(metadata.import(), definition->type))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RESERVED);
    return {};
  }
  // Callbacks of the full kind may ask for names, which the runtime does not tell a thread that runs managed code.
  if (wanted.calls & ORIEL_CALLS_FULL) ensure_described(*site.method);
  const ModuleNames names(modules_.of(site.key.module));
  const SignatureScope scope(*this_adapter(), names);
  const auto type_name = [&](std::span<const uint8_t> type) -> const std::string* {
    const auto decoded = metadata::decode_type_signature(type);
    return new std::string(decoded ? metadata::type_text(*decoded, scope, metadata::Style::kFull) : "");
  };
  Result<Rewritten> rewritten =
      rewrite(metadata, *definition, tokens_, kinds_,
              {site.key.module, site.key.token, site.method, site.original, wanted, type_name});
  if (!rewritten) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_REFUSED);
    say_refused(site, rewritten.status().message());
    return {};
  }
  if (rewritten->has_tail_calls && (wanted.calls & ORIEL_CALLS_EXCEPTION_LEAVE)) note_by_callback(site);
  map = std::move(rewritten->map);
  return std::move(rewritten->bytes);
}

// The first few: whoever wants all asks oriel_instrumentation_counts.
void Instrumenter::say_refused(const Site& site, const std::string& why) {
  constexpr uint32_t kSaid = 5;
  const uint32_t before = refused_.fetch_add(1, std::memory_order_relaxed);
  if (before > kSaid) return;
  if (before == kSaid) return warn("more methods are not instrumented; the report counts them");
  ensure_described(*site.method);
  warn((site.method->name + " is not instrumented: " + why).c_str());
}

void Instrumenter::note_by_callback(Site& site) {
  if (site.by_callback.exchange(true)) return;
  if (by_callback_.fetch_add(1) == 0) exceptions_needed_();
}

oriel_method* Instrumenter::leaves_by_callback(FunctionID function) {
  if (by_callback_.load(std::memory_order_acquire) == 0) return nullptr;
  ClassID klass = 0;
  Key key{0, 0};
  if (failed(info_.GetFunctionInfo(function, &klass, &key.module, &key.token))) return nullptr;
  Site* site = find(key);
  if (site == nullptr || !site->by_callback.load(std::memory_order_acquire)) return nullptr;
  return (site->in_force.load().calls & ORIEL_CALLS_EXCEPTION_LEAVE) ? site->method : nullptr;
}

void Instrumenter::module_unloading(ModuleID module) {
  tokens_.forget(module);
  const std::lock_guard guard(lock_);
  unheard_.erase(module);
  std::erase_if(sites_, [&](const auto& item) { return item.first.module == module; });
}

}  // namespace oriel::coreclr
