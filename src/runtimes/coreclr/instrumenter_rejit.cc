// Changing probes of code that runs already.
#include <algorithm>

#include "engine/engine.h"
#include "runtimes/coreclr/adapter.h"
#include "runtimes/coreclr/instrumenter.h"

namespace oriel::coreclr {

// Methods to compile anew, as the runtime takes them.
struct Instrumenter::Changes {
  struct List {
    std::vector<ModuleID> modules;
    std::vector<Token> tokens;
    std::vector<std::pair<Site*, WantedChanges>> before;  // what was in force
    uint32_t size() const { return static_cast<uint32_t>(tokens.size()); }
    void add(Site& site, const WantedChanges& in_force) {
      modules.push_back(site.key.module);
      tokens.push_back(site.key.token);
      before.emplace_back(&site, site.in_force.exchange(in_force));
    }
  };
  List rejit;
  List revert;  // to the default version
};

namespace {

// Threads that compile wait while a list is requested, and what inlines methods of two lists is compiled twice.
constexpr uint32_t kAtOnce = 512;

std::vector<Token> all_of(MetaDataImport& import, Token type) {
  std::vector<Token> methods;
  MetaEnum list = nullptr;
  Token some[64];
  uint32_t count = 0;
  while (succeeded(import.EnumMethods(&list, type, some, std::size(some), &count)) && count > 0) {
    methods.insert(methods.end(), some, some + count);
  }
  import.CloseEnum(list);
  return methods;
}

std::vector<Token> all_types(MetaDataImport& import) {
  // The type of what is global has no row in the list.
  std::vector<Token> types = {kTypeDefTable | 1};
  MetaEnum list = nullptr;
  Token some[64];
  uint32_t count = 0;
  while (succeeded(import.EnumTypeDefs(&list, some, std::size(some), &count)) && count > 0) {
    types.insert(types.end(), some, some + count);
  }
  import.CloseEnum(list);
  return types;
}

}  // namespace

// One module after the other: no module is unloaded while its methods are looked through, and unloads, and the threads
// that a request suspends, wait for one module's methods at most.
void Instrumenter::refilter() {
  Adapter& adapter = *this_adapter();
  for (const ModuleID module : modules_.loaded()) {
    // Not allowed: something is being unloaded. The gate sees to it that this ends.
    for (bool done = false; !done;) {
      const UnloadGate::Question question(adapter.unload_gate());
      done = question.allowed();
      if (done && !adapter.gone().contains(module)) refilter_module(module);
    }
  }
}

void Instrumenter::refilter_module(ModuleID module) {
  Changes changes;
  if (!ask_image_filters(intern_image(module))) return refilter_known(module);
  const ComPtr<MetaDataImport> import = modules_.of(module);
  if (!import) return;
  for (const Token type : all_types(*import.get())) {
    for (const Token method : all_of(*import.get(), type)) {
      refilter_method({module, method}, changes);
      if (changes.rejit.size() >= kAtOnce) request(changes);
    }
  }
  request(changes);
}

// Of a module in which no filter chooses anything: what was changed there.
void Instrumenter::refilter_known(ModuleID module) {
  std::vector<Key> known;
  {
    const std::lock_guard guard(lock_);
    for (const auto& [key, site] : sites_) {
      if (key.module == module) known.push_back(key);
    }
  }
  Changes changes;
  for (const Key& key : known) {
    refilter_method(key, changes);
    if (changes.rejit.size() >= kAtOnce) request(changes);
  }
  request(changes);
}

void Instrumenter::request(Changes& changes) {
  Changes::List &rejit = changes.rejit, &revert = changes.revert;
  if (rejit.size() > 0 &&
      failed(info_.RequestReJITWithInliners(kReJitBlockInlining | kReJitInliningCallbacks, rejit.size(),
                                            rejit.modules.data(), rejit.tokens.data()))) {
    warn("the runtime refused to compile methods anew; probes stay as they are, the program runs on");
    for (const auto& [site, in_force] : rejit.before) site->in_force.store(in_force);
  }
  if (revert.size() > 0) {
    std::vector<HResult> results(revert.tokens.size());
    info_.RequestRevert(revert.size(), revert.modules.data(), revert.tokens.data(), results.data());
  }
  changes = {};
}

void Instrumenter::refilter_method(const Key& key, Changes& changes) {
  Site* site = find(key);
  // What no filter ever wanted, and none is there to want it now, needs no site.
  if (site == nullptr && !has_filters()) return;
  if (site == nullptr) site = find_or_make(key);
  WantedChanges wanted;
  if (site->method == nullptr) ask(*site, 0);
  if (site->method == nullptr) return;
  if (has_filters()) wanted = ask_filters(site->method, intern_image(key.module));
  if (wanted.any() && !learn_original(*site)) return;  // abstract, native
  // Whoever compiles the method for the first time from now on finds the decision made.
  decide_once(*site, [] {});
  site->wanted.store(wanted);
  const WantedChanges possible = wanted_of(*site);
  if (possible == site->in_force.load()) return;
  (possible == site->in_default.load() ? changes.revert : changes.rejit).add(*site, possible);
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

void Instrumenter::rejit_failed(ModuleID module, Token token, HResult) {
  // Methods without a body cannot be compiled anew; that is no news to anybody.
  if (Site* site = find({module, token})) site->in_force.store(site->in_default.load());
}

}  // namespace oriel::coreclr
