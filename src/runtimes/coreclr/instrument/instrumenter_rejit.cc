// Changing probes of code that runs already.
#include <algorithm>

#include "engine/engine.h"
#include "runtimes/coreclr/instrument/instrumenter.h"

namespace oriel::coreclr {

// Methods of one module whose probes change.
struct Instrumenter::Changes {
  ModuleID module = 0;
  std::vector<Token> methods;
  std::vector<WantedChanges> before;  // of each, what was in force
};

namespace {

// Threads that compile wait while a list is requested, and what inlines methods of two lists is compiled twice.
constexpr uint32_t kAtOnce = 512;

}  // namespace

// Some methods after the others: unloads, and the threads that a request suspends, wait for these at most.
void Instrumenter::refilter() {
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
  // Default versions are compiled already. But code of methods that keep their probes may be inlined into them without
  // these: while there are any, whatever changes is compiled anew.
  const bool to_default = is_all_default();
  for (Changes& changes : all) {
    for (size_t first = 0; first < changes.methods.size(); first += kAtOnce) {
      const size_t count = std::min<size_t>(changes.methods.size() - first, kAtOnce);
      modules_.while_loaded(changes.module,
                            [&] { to_default ? revert(changes, first, count) : request(changes, first, count); });
    }
  }
}

bool Instrumenter::is_all_default() {
  const std::lock_guard guard(lock_);
  return std::all_of(sites_.begin(), sites_.end(),
                     [](const auto& item) { return item.second->in_force.load() == item.second->in_default.load(); });
}

void Instrumenter::find_changes(Changes& changes) {
  constexpr size_t kAskedAtOnce = 64;
  const ModuleID module = changes.module;
  std::vector<Token> methods;
  modules_.while_loaded(module, [&] { methods = methods_to_ask(module); });
  for (size_t first = 0; first < methods.size(); first += kAskedAtOnce) {
    const size_t end = std::min(methods.size(), first + kAskedAtOnce);
    modules_.while_loaded(module, [&] {
      for (size_t i = first; i < end; ++i) refilter_method({module, methods[i]}, changes);
    });
  }
}

// All methods of a module in which filters may choose any; of others those that were asked about once.
std::vector<Token> Instrumenter::methods_to_ask(ModuleID module) {
  std::vector<Token> methods;
  if (!ask_image_filters(intern_image(module))) {
    const std::lock_guard guard(lock_);
    for (const auto& [key, site] : sites_) {
      if (key.module == module) methods.push_back(key.token);
    }
  } else if (const ModuleMetadata metadata = modules_.metadata(module); metadata.is_open()) {
    for (const Token type : metadata.types()) {
      const std::vector<Token> some = metadata.methods_of(type);
      methods.insert(methods.end(), some.begin(), some.end());
    }
  }
  return methods;
}

void Instrumenter::revert(Changes& changes, size_t first, size_t count) {
  std::vector<ModuleID> modules(count, changes.module);
  std::vector<HResult> results(count);
  info_.RequestRevert(static_cast<uint32_t>(count), modules.data(), &changes.methods[first], results.data());
}

void Instrumenter::request(Changes& changes, size_t first, size_t count) {
  std::vector<ModuleID> modules(count, changes.module);
  if (failed(info_.RequestReJITWithInliners(kReJitBlockInlining | kReJitInliningCallbacks, static_cast<uint32_t>(count),
                                            modules.data(), &changes.methods[first]))) {
    warn("the runtime refused to compile methods anew; probes stay as they are, the program runs on");
    restore(changes, first, count);
  }
}

void Instrumenter::restore(const Changes& changes, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    if (Site* site = find({changes.module, changes.methods[i]})) site->in_force.store(changes.before[i]);
  }
}

void Instrumenter::refilter_method(const Key& key, Changes& changes) {
  Site* site = find(key);
  // What no filter ever wanted, and none is there to want it now, needs no site.
  if (site == nullptr && !has_filters()) return;
  if (site == nullptr) site = find_or_make(key);
  WantedChanges wanted;
  if (!site->asked.load(std::memory_order_acquire)) ask(*site, 0);
  if (!site->asked.load(std::memory_order_acquire)) return;
  if (has_filters()) wanted = ask_filters(site->method, intern_image(key.module));
  if (wanted.any() && !learn_original(*site)) return;  // abstract, native
  // Whoever compiles the method for the first time from now on finds the decision made.
  decide_once(*site, [] {});
  site->wanted.store(wanted);
  const WantedChanges possible = wanted_of(*site);
  if (possible == site->in_force.load()) return;
  changes.before.push_back(site->in_force.load());
  changes.methods.push_back(key.token);
  site->in_force.store(possible);
}

void Instrumenter::give_rejit_body(ModuleID module, Token token, FunctionControl& control) {
  Site* site = find({module, token});
  if (site == nullptr) return;
  Built built;
  const WantedChanges wanted = site->in_force.load();
  if (wanted.any()) {
    built = build(*site, wanted);
  } else if (!site->in_default.load().any()) {
    return;  // one that was not asked for, but has such inlined: its default body, and it may be inlined itself
  }
  // Without changes, or where they were refused: the code as it was before any.
  const std::span<const uint8_t> body = built.bytes.empty() ? site->original : std::span<const uint8_t>(built.bytes);
  if (body.empty()) return;
  if (failed(control.SetILFunctionBody(static_cast<uint32_t>(body.size()), body.data()))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
    return;
  }
  if (built.bytes.empty()) return;
  if (!built.map.empty()) control.SetILInstrumentedCodeMap(static_cast<uint32_t>(built.map.size()), built.map.data());
  count_outcome(ORIEL_INSTRUMENTED);
}

// The runtime compiles nothing anew in modules that a program makes as it runs (Reflection.Emit), nor in those that are
// edited.
void Instrumenter::rejit_failed(ModuleID module, Token token, HResult) {
  Site* site = find({module, token});
  if (site == nullptr) return;
  const WantedChanges before = site->in_default.load();
  if (site->in_force.exchange(before) != before) count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
}

}  // namespace oriel::coreclr
