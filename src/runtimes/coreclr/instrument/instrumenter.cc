#include "runtimes/coreclr/instrument/instrumenter.h"

#include <unistd.h>

#include <memory>
#include <unordered_set>

#include "base/clock.h"
#include "base/status.h"
#include "engine/engine.h"
#include "runtimes/coreclr/instrument/counted_probe.h"
#include "runtimes/coreclr/instrument/inlined_calls.h"
#include "runtimes/coreclr/names/things.h"
#include "runtimes/coreclr/of_thread.h"

namespace oriel::coreclr {

namespace {

// When the compilation began that the calling thread is in, 0 if that was not heard.
uint64_t compilation_began() {
  const OfThread* const own = of_thread();
  return own == nullptr || own->compilations.depth == 0 ? 0 : own->compilations.began[own->compilations.depth - 1];
}

}  // namespace

void Instrumenter::compilation_begins() {
  OfThread* const own = of_thread();
  if (own == nullptr) return;
  Compilations& compilations = own->compilations;
  if (compilations.depth == Compilations::kMost) compilations.depth = 0;  // ends were not heard
  compilations.began[compilations.depth++] = clock_monotonic_ns();
}

void Instrumenter::compilation_ends() {
  OfThread* const own = of_thread();
  if (own != nullptr && own->compilations.depth > 0) --own->compilations.depth;
}

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
  Site* site = find(key);
  if (site == nullptr && !concerns(key.module)) return nullptr;
  if (site == nullptr) site = find_or_make(key);
  if (!site->asked.load(std::memory_order_acquire)) ask(*site, function);
  return site;
}

// Whether filters may choose any of the module's methods. Where not, nobody keeps a record of what is compiled: the
// module counts as unheard from then on. Asked again after that was noted, as filters may be set meanwhile by those who
// rely on it.
bool Instrumenter::concerns(ModuleID module) {
  oriel_image* image = intern_image(module);
  if (ask_image_filters(image)) return true;
  {
    const std::lock_guard guard(lock_);
    unheard_.insert(module);
  }
  return ask_image_filters(image);
}

// What the filters say of the site's method. Two threads may ask at once and get the same answer.
void Instrumenter::ask(Site& site, FunctionID function) {
  const ModuleMetadata metadata = modules_.metadata(site.key.module);
  if (!metadata.is_open()) return;
  const auto definition = metadata.definition(site.key.token);
  if (!definition) return;
  oriel_method* method = record_of(site.key, metadata, definition->type, function);
  WantedChanges wanted;
  uint32_t generation = 0;
  do {
    generation = filter_generation();
    wanted = ask_filters(method, intern_image(site.key.module));
  } while (generation != filter_generation());
  const std::lock_guard guard(lock_);
  if (site.asked.load(std::memory_order_relaxed)) return;
  site.method = method;
  site.wanted.store(wanted);
  site.asked.store(true, std::memory_order_release);
}

// Probes name the metadata's method: of one that is not generic that is the only one there is.
oriel_method* Instrumenter::record_of(const Key& key, const ModuleMetadata& metadata, Token type, FunctionID function) {
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
  site.decided_by.store(static_cast<uint32_t>(gettid()), std::memory_order_relaxed);
  site.decided_at.store(clock_monotonic_ns(), std::memory_order_relaxed);
  const std::lock_guard guard(busy_lock_);
  site.state.store(State::kDecided);
  no_longer_busy_.notify_all();
}

void Instrumenter::start_hearing() {
  if (hears()) return;
  {
    // Until it is known which those are that were loaded before: all.
    const std::lock_guard guard(lock_);
    unheard_.clear();
    all_unheard_ = true;
  }
  hears_.store(true, std::memory_order_release);
  const std::vector<ModuleID> loaded = modules_.all();
  const std::lock_guard guard(lock_);
  unheard_.insert(loaded.begin(), loaded.end());
  all_unheard_ = false;
}

bool Instrumenter::may_change_default(ModuleID module) {
  const std::lock_guard guard(lock_);
  return hears() && !all_unheard_ && !unheard_.contains(module);
}

// What filters want and the body has a place for.
WantedChanges Instrumenter::wanted_of(const Site& site) const {
  const WantedChanges wanted = site.wanted.load();
  return wanted == site.fruitless.load() ? WantedChanges{} : wanted;
}

bool Instrumenter::refuses_precompiled(FunctionID function) {
  Site* site = site_of(function);
  if (site == nullptr || !may_change_default(site->key.module)) return false;
  // Also where the body itself has no place for probes: what was inlined into it when it was precompiled may have.
  return changes_code(*site) || has_changes_within(*site);
}

// Is the code of a method to be changed, as far as can be told without making the body?
bool Instrumenter::changes_code(Site& site) {
  const WantedChanges wanted = site.wanted.load();
  if (wanted.calls != ORIEL_CALLS_NONE || wanted.rewriters != 0) return true;
  return wanted.allocations && learn_original(site) && may_allocate(site.original);
}

// May code of a method that is to be changed have been inlined into the precompiled code of this one? Goes from call to
// call as far as methods could have been inlined. What is found plain is remembered.
bool Instrumenter::has_changes_within(Site& root) {
  const ModuleMetadata metadata = modules_.metadata(root.key.module);
  if (!metadata.is_open()) return false;
  const uint32_t now = filter_generation() + 1;
  std::vector<Site*> open = {&root};
  std::unordered_set<Site*> seen = {&root};
  while (!open.empty()) {
    Site& caller = *open.back();
    open.pop_back();
    if (caller.plain_within.load(std::memory_order_relaxed) == now || !learn_original(caller)) continue;
    for (const Token token : calls_within_module(metadata, caller.original)) {
      Site* callee = find_or_make({root.key.module, token});
      if (seen.contains(callee) || !may_have_been_inlined(metadata, *callee)) continue;
      if (!callee->asked.load(std::memory_order_acquire)) ask(*callee, 0);
      if (changes_code(*callee)) return true;
      seen.insert(callee);
      open.push_back(callee);
    }
  }
  for (Site* plain : seen) plain->plain_within.store(now, std::memory_order_relaxed);
  return false;
}

bool Instrumenter::may_have_been_inlined(const ModuleMetadata& metadata, Site& callee) {
  const auto definition = metadata.definition(callee.key.token);
  return definition && learn_original(callee) && may_be_inlined(*definition, callee.original.size());
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
  const WantedChanges wanted = wanted_of(*site);
  if (!wanted.any()) return true;
  if (wanted.calls & ORIEL_CALLS_BLOCK_INLINING) return false;
  // The compiler has read the callee's old body by now: the next caller may have the new one. Probes that come by ReJIT
  // are never in what is inlined.
  return was_decided && !is_just_decided(*site) && site->in_default.load() == wanted;
}

// Did another thread decide since this thread began to compile, so that the compiler may have read the body before?
bool Instrumenter::is_just_decided(const Site& site) {
  return site.decided_by.load(std::memory_order_relaxed) != static_cast<uint32_t>(gettid()) &&
         site.decided_at.load(std::memory_order_relaxed) >= compilation_began();
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
  const uint32_t calls = site->in_force.load().calls;
  if ((calls & ORIEL_CALLS_EXCEPTION_LEAVE) == 0) return nullptr;
  return !counts_activations(calls) || leave_activation(site->method) ? site->method : nullptr;
}

bool Instrumenter::is_wrapped(ModuleID module, Token token) {
  const Site* site = find({module, token});
  return site != nullptr && site->wrapped.load(std::memory_order_acquire);
}

bool Instrumenter::is_rewritten(ModuleID module, Token token) {
  const Site* site = find({module, token});
  return site != nullptr && (site->in_force.load().rewriters != 0 || site->in_default.load().rewriters != 0);
}

void Instrumenter::module_unloading(ModuleID module) {
  tokens_.forget(module);
  kinds_.forget(module);
  const std::lock_guard guard(lock_);
  unheard_.erase(module);
  std::erase_if(sites_, [&](const auto& item) { return item.first.module == module; });
}

}  // namespace oriel::coreclr
