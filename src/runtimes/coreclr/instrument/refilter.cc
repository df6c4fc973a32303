#include "runtimes/coreclr/instrument/refilter.h"

#include <algorithm>
#include <map>

#include "engine/engine.h"
#include "engine/messages.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::coreclr {
namespace {

// Threads that compile wait while a list is requested, and a method that inlines methods of two lists is compiled
// twice.
constexpr uint32_t kAtOnce = 512;

}  // namespace

// Works on a few methods at a time, which limits how long unloads wait and how long a request suspends threads.
void Refilter::run() {
  std::vector<Changes> all;
  try {
    for (const ModuleID module : modules_.all()) {
      all.push_back({module, {}, {}});
      find_changes(all.back());
    }
  } catch (...) {
    for (const Changes& changes : all) restore(changes, 0, changes.methods.size());
    throw;
  }
  // Code of default versions exists already, but it may have inlined, without their probes, methods that keep their
  // probes. While there are any of those, every change is a ReJIT.
  const bool to_default = sites_.are_all_default();
  for (Changes& changes : all) compile_all(changes, to_default);
}

void Refilter::recompile_methods(std::span<const SiteKey> methods) {
  for (const SiteKey& key : methods) {
    Changes changes{key.module, {}, {}};
    modules_.while_loaded(key.module, [&] { refilter_method(key, changes, true); });
    if (!changes.methods.empty()) compile(changes, 0, 1, sites_.are_all_default());
  }
}

void Refilter::run_for(std::span<const SiteKey> methods, std::span<const SiteKey> cleared) {
  std::map<ModuleID, Changes> all;
  for (const SiteKey& key : methods) {
    Changes& changes = all.try_emplace(key.module, Changes{key.module, {}, {}}).first->second;
    modules_.while_loaded(key.module, [&] { refilter_method(key, changes, false); });
  }
  for (const SiteKey& key : cleared) {
    Changes& changes = all.try_emplace(key.module, Changes{key.module, {}, {}}).first->second;
    changes.methods.push_back(key.token);
    changes.before.push_back({});
  }
  const bool to_default = sites_.are_all_default();
  for (auto& [module, changes] : all) compile_all(changes, to_default);
}

void Refilter::compile_all(Changes& changes, bool to_default) {
  for (size_t first = 0; first < changes.methods.size(); first += kAtOnce) {
    const size_t count = std::min<size_t>(changes.methods.size() - first, kAtOnce);
    compile(changes, first, count, to_default);
  }
}

void Refilter::compile(Changes& changes, size_t first, size_t count, bool to_default) {
  modules_.while_loaded(changes.module,
                        [&] { to_default ? revert(changes, first, count) : request(changes, first, count); });
}

void Refilter::find_changes(Changes& changes) {
  constexpr size_t kAskedAtOnce = 64;
  const ModuleID module = changes.module;
  std::vector<Token> methods;
  modules_.while_loaded(module, [&] { methods = methods_to_ask(module); });
  for (size_t first = 0; first < methods.size(); first += kAskedAtOnce) {
    const size_t end = std::min(methods.size(), first + kAskedAtOnce);
    modules_.while_loaded(module, [&] {
      for (size_t i = first; i < end; ++i) refilter_method({module, methods[i]}, changes, false);
    });
  }
}

// All methods of a module from which filters may select any; for other modules those that were asked about before.
std::vector<Token> Refilter::methods_to_ask(ModuleID module) {
  if (!ask_image_filters(intern_image(module))) return sites_.known_in(module);
  std::vector<Token> methods;
  const ModuleMetadata metadata = modules_.metadata(module);
  if (!metadata.is_open()) return methods;
  for (const Token type : metadata.types()) {
    const std::vector<Token> some = metadata.methods_of(type);
    methods.insert(methods.end(), some.begin(), some.end());
  }
  return methods;
}

void Refilter::revert(Changes& changes, size_t first, size_t count) {
  std::vector<ModuleID> modules(count, changes.module);
  std::vector<HResult> results(count);
  info_.RequestRevert(Held(), static_cast<uint32_t>(count), modules.data(), &changes.methods[first], results.data());
}

void Refilter::request(Changes& changes, size_t first, size_t count) {
  std::vector<ModuleID> modules(count, changes.module);
  const HResult result =
      info_.RequestReJITWithInliners(Held(), kReJitBlockInlining | kReJitInliningCallbacks,
                                     static_cast<uint32_t>(count), modules.data(), &changes.methods[first]);
  if (failed(result)) {
    warn(("the runtime refused to recompile methods (" + hresult_text(result) +
          "); probes stay as they are, the program runs on")
             .c_str());
    restore(changes, first, count);
  }
}

void Refilter::restore(const Changes& changes, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    Site* site = sites_.find({changes.module, changes.methods[i]});
    if (site == nullptr) continue;
    site->in_force.store(changes.before[i].changes);
    site->has_own_version.store(changes.before[i].has_own_version);
  }
}

void Refilter::refilter_method(const SiteKey& key, Changes& changes, bool anew) {
  Site* site = sites_.find(key);
  // A method that no filter ever selected, while there is no filter now, needs no site.
  if (site == nullptr && !has_filters()) return;
  if (site == nullptr) site = sites_.find_or_make(key);
  WantedChanges wanted;
  if (!site->asked.load(std::memory_order_acquire)) sites_.ask(*site, 0);
  if (!site->asked.load(std::memory_order_acquire)) return;
  if (has_filters()) wanted = ask_filters(site->method, intern_image(key.module));
  if (wanted.any() && !sites_.learn_original(*site)) return;  // abstract, native
  // A first compilation from now on finds the decision made.
  sites_.decide_once(*site, [] {});
  site->wanted.store(wanted);
  if (anew) site->unapplied.store({});
  const WantedChanges possible = wanted_of(*site);
  const bool may_differ = anew && possible.rewriters != 0;
  if (possible == site->in_force.load() && !may_differ) return;
  changes.before.push_back({site->in_force.load(), site->has_own_version.load()});
  changes.methods.push_back(key.token);
  site->in_force.store(possible);
  // A body that rewriters made for this method alone has to be made again as long as any of them wants it.
  site->has_own_version.store(may_differ || (site->has_own_version.load() && possible.rewriters != 0));
}

// The runtime cannot compile methods again in modules that a program creates at run time (Reflection.Emit) or that are
// edited.
void Refilter::rejit_failed(const SiteKey& key) {
  Site* site = sites_.find(key);
  if (site == nullptr) return;
  const WantedChanges before = site->in_default.load();
  const bool was_anew = site->has_own_version.exchange(false);
  if (site->in_force.exchange(before) != before || was_anew) count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
}

}  // namespace oriel::coreclr
