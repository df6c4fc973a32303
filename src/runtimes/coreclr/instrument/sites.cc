#include "runtimes/coreclr/instrument/sites.h"

#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/process/thread_id.h"
#include "engine/engine.h"
#include "engine/or_else.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {

std::optional<SiteKey> key_of(ProfilerInfo& info, FunctionID function) {
  const Held held;
  ClassID klass = 0;
  SiteKey key{0, 0};
  Bool dynamic = 0;
  if (succeeded(info.IsFunctionDynamic(held, function, &dynamic)) && dynamic) return std::nullopt;
  if (failed(info.GetFunctionInfo(held, function, &klass, &key.module, &key.token)) || key.module == 0)
    return std::nullopt;
  if (table_of(key.token) != kMethodDefTable) return std::nullopt;
  return key;
}

std::span<const uint8_t> body_of(ProfilerInfo& info, const SiteKey& key) {
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(info.GetILFunctionBody(Held(), key.module, key.token, &body, &size)) || body == nullptr) return {};
  return {body, size};
}

WantedChanges wanted_of(const Site& site) {
  const WantedChanges wanted = site.wanted.load();
  return wanted == site.unapplied.load() ? WantedChanges{} : wanted;
}

Site* Sites::find(const SiteKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = sites_.find(key);
  return found == sites_.end() ? nullptr : found->second.get();
}

Site* Sites::find_or_make(const SiteKey& key) {
  const std::lock_guard guard(lock_);
  std::unique_ptr<Site>& slot = sites_[key];
  if (!slot) {
    slot = std::make_unique<Site>();
    slot->key = key;
  }
  return slot.get();
}

Site* Sites::of(FunctionID function) {
  const std::optional<SiteKey> key = key_of(info_, function);
  return key ? of(*key, function) : nullptr;
}

Site* Sites::of(const SiteKey& key, FunctionID function) {
  Site* site = find(key);
  if (site == nullptr && !concerns(key.module)) return nullptr;
  if (site == nullptr) site = find_or_make(key);
  if (!site->asked.load(std::memory_order_acquire)) ask(*site, function);
  return site;
}

// Whether filters may select any of the module's methods. If not, compilations in it are not recorded, and the module
// counts as not observed from then on. The filters are asked again after that is noted, because they may be set
// meanwhile by a thread that relies on it.
bool Sites::concerns(ModuleID module) {
  oriel_image* image = intern_image(module);
  if (ask_image_filters(image)) return true;
  compilations_.not_of(module);
  return ask_image_filters(image);
}

// Two threads may ask at the same time; they get the same answer.
void Sites::ask(Site& site, FunctionID function) {
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

oriel_method* Sites::record_of(const SiteKey& key, const ModuleMetadata& metadata, Token type, FunctionID function) {
  oriel_image* image = intern_image(key.module);
  if (metadata.is_generic(key.token, type)) return intern_method_definition(image, key.token, true);
  if (function == 0) info_.GetFunctionFromToken(Held(), key.module, key.token, &function);
  return function != 0 ? method_of(info_, function) : intern_method_definition(image, key.token, false);
}

bool Sites::learn_original(Site& site) {
  if (!site.original().empty()) return true;
  const std::span<const uint8_t> body = body_of(info_, site.key);
  if (body.empty()) return false;
  // Whoever changes the body learns the original first, so a body that was read after such a change is not stored.
  const std::lock_guard guard(lock_);
  if (site.original().empty()) keep_original(site, body);
  return true;
}

bool Sites::relearn_original(Site& site) {
  const std::span<const uint8_t> body = body_of(info_, site.key);
  const std::lock_guard guard(lock_);
  if (body.empty() || site.original().empty() || site.original().data() == body.data()) return false;
  keep_original(site, body);
  site.unapplied.store({});
  return true;
}

void Sites::keep_original(Site& site, std::span<const uint8_t> body) {
  site.originals.push_back(std::make_unique<std::span<const uint8_t>>(body));
  site.learned.store(site.originals.back().get(), std::memory_order_release);
}

std::span<const uint8_t> Sites::original_body(const SiteKey& key) {
  if (Site* site = find(key)) return learn_original(*site) ? site->original() : std::span<const uint8_t>();
  return body_of(info_, key);
}

void Sites::decide_once(Site& site, const std::function<void()>& decide) {
  Site::State expected = Site::State::kNew;
  if (!site.state.compare_exchange_strong(expected, Site::State::kBusy)) {
    if (expected == Site::State::kDecided) return;
    std::unique_lock lock(busy_lock_);
    no_longer_busy_.wait(lock, [&] { return site.state.load() == Site::State::kDecided; });
    return;
  }
  attempt(decide);
  site.decided_by.store(thread_id(), std::memory_order_relaxed);
  site.decided_at.store(clock_monotonic_ns(), std::memory_order_relaxed);
  const std::lock_guard guard(busy_lock_);
  site.state.store(Site::State::kDecided);
  no_longer_busy_.notify_all();
}

bool Sites::is_wrapped(const SiteKey& key) {
  const Site* site = find(key);
  return site != nullptr && site->wrapped.load(std::memory_order_acquire);
}

bool Sites::is_rewritten(const SiteKey& key) {
  const Site* site = find(key);
  return site != nullptr && (site->in_force.load().rewriters != 0 || site->in_default.load().rewriters != 0);
}

std::vector<Token> Sites::known_in(ModuleID module) {
  std::vector<Token> methods;
  const std::lock_guard guard(lock_);
  for (const auto& [key, site] : sites_) {
    if (key.module == module) methods.push_back(key.token);
  }
  return methods;
}

bool Sites::are_all_default() {
  const std::lock_guard guard(lock_);
  return std::all_of(sites_.begin(), sites_.end(), [](const auto& item) {
    const Site& site = *item.second;
    return site.in_force.load() == site.in_default.load() && !site.has_own_version.load() && !site.default_left.load();
  });
}

void Sites::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(sites_, [&](const auto& item) { return item.first.module == module; });
}

}  // namespace oriel::coreclr
