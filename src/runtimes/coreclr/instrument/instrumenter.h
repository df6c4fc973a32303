// Gives methods their probes and takes them out again.
//
// IL belongs to a methodDef, so each has one site here, whatever its instantiations, tiers and threads. A site's first
// body is decided once, before the method is first compiled, and stays the default version's: the runtime compiles it
// again for each tier and for on-stack replacement, and those must agree. What changes later is a ReJIT, and so is
// everything in modules whose compilations were not all heard.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/filters.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/instrument/rewrite.h"
#include "runtimes/coreclr/instrument/type_kinds.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

class Instrumenter {
 public:
  // `exceptions_needed` is called when needs_exception_callbacks becomes true.
  Instrumenter(ProfilerInfo& info, LoadedModules& modules, std::function<void()> exceptions_needed)
      : info_(info),
        modules_(modules),
        exceptions_needed_(std::move(exceptions_needed)),
        tokens_(info),
        kinds_(info, modules) {}

  // From now on every compilation is announced: default versions of methods of modules that are loaded later may be
  // changed. Until the announcements are turned off, which must be said before.
  void start_hearing();
  void stop_hearing() { hears_.store(false, std::memory_order_release); }
  bool hears() const { return hears_.load(std::memory_order_acquire); }

  // The runtime looks for precompiled code of the method: must it compile the method instead?
  bool refuses_precompiled(FunctionID function);
  // The thread begins to compile a method, or is through with it.
  static void compilation_begins();
  static void compilation_ends();
  // The method is about to be compiled.
  void before_compilation(FunctionID function);
  // The caller is about to have the callee inlined: may it?
  bool may_inline(FunctionID callee);
  // The runtime compiles the method anew as we asked for it.
  void give_rejit_body(ModuleID module, Token token, FunctionControl& control);
  void rejit_failed(ModuleID module, Token token, HResult status);
  // Filters were changed: asks them of all methods, and has those compiled again whose probes change. On the engine's
  // own thread.
  void refilter();
  // Is an exception that leaves the method told by the runtime's callbacks, not by a probe? The method to tell then.
  oriel_method* leaves_by_callback(FunctionID function);
  // Whether there is any such method.
  bool needs_exception_callbacks() const { return by_callback_.load(std::memory_order_acquire) != 0; }
  // The method's body as the metadata has it; empty if it has none.
  std::span<const uint8_t> original_body(ModuleID module, Token token);
  // Whether code of the method has had a clause of probes around it, and whether a profiler changes its body now.
  bool is_wrapped(ModuleID module, Token token);
  bool is_rewritten(ModuleID module, Token token);
  void module_unloading(ModuleID module);

 private:
  struct Key {
    ModuleID module;
    Token token;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (key.module >> 4) * 0x9e3779b97f4a7c15u ^ key.token * 0x85ebca6bu;
    }
  };
  // Read by any thread, while another may write.
  using Changed = std::atomic<WantedChanges>;
  enum class State : uint8_t { kNew, kBusy, kDecided };
  // Plain fields are constant once `asked`, `original` once it is there.
  struct Site {
    Key key{};
    std::atomic<State> state{State::kNew};
    oriel_method* method = nullptr;
    std::span<const uint8_t> original;
    std::atomic<bool> asked{false};         // the next
    Changed wanted;                         // what the filters last said
    Changed in_default;                     // what the default version's body has
    Changed in_force;                       // what the version in force has
    Changed fruitless;                      // wanted, but the body has no place for them, or is not to be changed
    std::atomic<uint64_t> decided_at{0};    // by base/clock, and
    std::atomic<uint32_t> decided_by{0};    // the OS thread that did: for those on which a decision was just made
    std::atomic<uint32_t> plain_within{0};  // the filters' generation plus one for which nothing in it is to be changed
    std::atomic<bool> by_callback{false};
    std::atomic<bool> wrapped{false};
  };

  Site* find(const Key& key);
  Site* find_or_make(const Key& key);
  Site* site_of(FunctionID function);
  bool concerns(ModuleID module);
  bool changes_code(Site& site);
  bool has_changes_within(Site& root);
  bool may_have_been_inlined(const ModuleMetadata& metadata, Site& callee);
  static bool is_just_decided(const Site& site);
  struct Changes;
  bool may_change_default(ModuleID module);
  WantedChanges wanted_of(const Site& site) const;
  void ask(Site& site, FunctionID function);
  void decide_once(Site& site, const std::function<void()>& decide);
  void set_default_body(Site& site, FunctionID function);
  bool learn_original(Site& site);
  struct Built {
    std::vector<uint8_t> bytes;
    std::vector<IlMapEntry> map;  // empty: not known
  };
  Built build(Site& site, const WantedChanges& wanted);
  std::optional<oriel_instrumentation_outcome> unchangeable(Site& site, const ModuleMetadata& metadata,
                                                            const std::optional<MethodDefinition>& definition);
  std::vector<uint8_t> rewrite_by_profilers(Site& site, const ModuleMetadata& metadata,
                                            const MethodDefinition& definition);
  void add_probes(Site& site, const ModuleMetadata& metadata, const MethodDefinition& definition,
                  const WantedChanges& wanted, Built& built);
  void set_il_map(FunctionID function, const std::vector<IlMapEntry>& map);
  oriel_method* record_of(const Key& key, const ModuleMetadata& metadata, Token type, FunctionID function);
  void note_by_callback(Site& site);
  void find_changes(Changes& changes);
  std::vector<Token> methods_to_ask(ModuleID module);
  void refilter_method(const Key& key, Changes& changes);
  bool is_all_default();
  void revert(Changes& changes, size_t first, size_t count);
  void request(Changes& changes, size_t first, size_t count);
  void restore(const Changes& changes, size_t first, size_t count);

  ProfilerInfo& info_;
  LoadedModules& modules_;
  const std::function<void()> exceptions_needed_;
  EmitTokens tokens_;
  TypeKinds kinds_;
  std::atomic<bool> hears_{false};
  std::atomic<uint32_t> by_callback_{0};
  std::mutex lock_;  // the next three: sites live as long as their module
  std::unordered_map<Key, std::unique_ptr<Site>, KeyHash> sites_;
  std::unordered_set<ModuleID> unheard_;  // loaded before hearing began: methods of theirs may be compiled already
  bool all_unheard_ = false;
  std::mutex busy_lock_;
  std::condition_variable no_longer_busy_;
};

}  // namespace oriel::coreclr
