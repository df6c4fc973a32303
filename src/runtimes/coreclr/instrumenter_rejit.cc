// Changing probes of code that runs already.
#include <algorithm>

#include "engine/engine.h"
#include "runtimes/coreclr/instrumenter.h"

namespace oriel::coreclr {

// Methods to compile anew, as the runtime takes them.
struct Instrumenter::Changes {
  struct List {
    std::vector<ModuleID> modules;
    std::vector<Token> tokens;
    void add(const Key& key) {
      modules.push_back(key.module);
      tokens.push_back(key.token);
    }
  };
  List rejit;
  List revert;  // to the default version
};

namespace {

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

void Instrumenter::refilter() {
  Changes changes;
  modules_.for_each_loaded([&](ModuleID module, MetaDataImport& import) {
    for (const Token type : all_types(import)) {
      for (const Token method : all_of(import, type)) refilter_method({module, method}, changes);
    }
    return true;
  });
  const auto count = [](const Changes::List& list) { return static_cast<uint32_t>(list.tokens.size()); };
  if (count(changes.rejit) > 0 &&
      failed(info_.RequestReJITWithInliners(kReJitBlockInlining, count(changes.rejit), changes.rejit.modules.data(),
                                            changes.rejit.tokens.data()))) {
    warn("the runtime refused to compile methods anew; probes stay as they are, the program runs on");
  }
  if (count(changes.revert) > 0) {
    std::vector<HResult> results(changes.revert.tokens.size());
    info_.RequestRevert(count(changes.revert), changes.revert.modules.data(), changes.revert.tokens.data(),
                        results.data());
  }
}

void Instrumenter::refilter_method(const Key& key, Changes& changes) {
  Site* site = find(key);
  // What no filter ever wanted, and none is there to want it now, needs no site.
  if (site == nullptr && !has_filters()) return;
  if (site == nullptr) site = find_or_make(key);
  WantedProbes wanted;
  if (site->method == nullptr) ask(*site, 0);
  if (site->method == nullptr) return;
  if (has_filters()) wanted = ask_filters(site->method);
  if (wanted.any() && !learn_original(*site)) return;  // abstract, native
  // Whoever compiles the method for the first time from now on finds the decision made.
  decide_once(*site, [] {});
  {
    const std::lock_guard guard(lock_);
    site->wanted = wanted;
  }
  if (wanted == site->in_force) return;
  site->in_force = wanted;
  (wanted == site->in_default ? changes.revert : changes.rejit).add(key);
}

void Instrumenter::give_rejit_body(ModuleID module, Token token, FunctionControl& control) {
  Site* site = find({module, token});
  if (site == nullptr) return;
  std::vector<IlMapEntry> map;
  std::vector<uint8_t> bytes;
  if (site->in_force.any()) bytes = build(*site, site->in_force, map);
  // Without probes, or where they were refused: the code as it was before any.
  const std::span<const uint8_t> body = bytes.empty() ? site->original : std::span<const uint8_t>(bytes);
  if (body.empty()) return;
  if (failed(control.SetILFunctionBody(static_cast<uint32_t>(body.size()), body.data()))) {
    count_outcome(ORIEL_NOT_INSTRUMENTED_RUNTIME);
    return;
  }
  if (bytes.empty()) return;
  control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), map.data());
  count_outcome(ORIEL_INSTRUMENTED);
}

void Instrumenter::rejit_failed(ModuleID module, Token token, HResult) {
  // Methods without a body cannot be compiled anew; that is no news to anybody.
  if (Site* site = find({module, token})) site->in_force = site->in_default;
}

}  // namespace oriel::coreclr
