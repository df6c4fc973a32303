// The methods that filters were asked about: what is wanted of each, and what its code has.
//
// IL belongs to a methodDef, so each has one site here, whatever its instantiations, tiers and threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/filters.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/loaded_modules.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

using SiteKey = MethodKey;
// The methodDef that a function is of; nullopt for dynamic methods and whatever else has no place in metadata. Any
// thread.
std::optional<SiteKey> key_of(ProfilerInfo& info, FunctionID function);
// The body that `info` tells of the method now; empty if there is none.
std::span<const uint8_t> body_of(ProfilerInfo& info, const SiteKey& key);

// Plain fields are constant once `asked`.
struct Site {
  // Read by any thread, while another may write.
  using Changes = std::atomic<WantedChanges>;
  enum class State : uint8_t { kNew, kBusy, kDecided };

  SiteKey key{};
  std::atomic<State> state{State::kNew};
  oriel_method* method = nullptr;
  // The body before any change of ours; empty until it was learned. Any thread.
  std::span<const uint8_t> original() const {
    const auto* body = learned.load(std::memory_order_acquire);
    return body ? *body : std::span<const uint8_t>();
  }
  std::atomic<const std::span<const uint8_t>*> learned{nullptr};  // one of the next
  std::vector<std::unique_ptr<std::span<const uint8_t>>>
      originals;                          // more than one where other profilers made new ones
  std::atomic<bool> asked{false};         // the next
  Changes wanted;                         // what the filters last said
  Changes in_default;                     // what the default version's body has
  Changes in_force;                       // what the version in force has
  Changes fruitless;                      // wanted, but the body has no place for them, or is not to be changed
  std::atomic<uint64_t> decided_at{0};    // by base/clock, and
  std::atomic<uint32_t> decided_by{0};    // the OS thread that did: for those on which a decision was just made
  std::atomic<uint32_t> plain_within{0};  // the filters' generation plus one for which nothing in it is to be changed
  // The version in force was asked for of this method alone: it may be another than the default one though it has the
  // same changes.
  std::atomic<bool> made_anew{false};
  // The default version was compiled from another body than it has now: no code of it is to come into force again.
  std::atomic<bool> default_left{false};
  std::atomic<bool> has_foreign_base{false};  // another profiler has set the body
  // The default body's map from old offsets to new ones, while the runtime could not be given it yet: whether there is
  // one, and it, which is whose who sets or clears that.
  std::atomic<bool> owes_map{false};
  std::vector<IlMapEntry> owed_map;
  std::atomic<bool> by_callback{false};
  std::atomic<bool> wrapped{false};
};

// What filters want and the body has a place for.
WantedChanges wanted_of(const Site& site);

// Any thread. Sites live as long as their module.
class Sites {
 public:
  Sites(ProfilerInfo& info, LoadedModules& modules, Heard& heard) : info_(info), modules_(modules), heard_(heard) {}

  Site* find(const SiteKey& key);
  Site* find_or_make(const SiteKey& key);
  // Asks the filters at first sight. nullptr for what has no key, and where no filter may choose any of the module's
  // methods.
  Site* of(FunctionID function);
  // Likewise; `function` of the method, 0 if it is not known.
  Site* of(const SiteKey& key, FunctionID function);
  // Asks the filters about the site's method, where they were not yet. `function`: 0 if it is not known.
  void ask(Site& site, FunctionID function);

  // Whether filters may choose any of the module's methods.
  bool concerns(ModuleID module);

  // What the probes of a method report: the metadata's method. For one that is not generic it is the only one.
  oriel_method* record_of(const SiteKey& key, const ModuleMetadata& metadata, Token type, FunctionID function);

  // Is the body there that the metadata has, or that other profilers made of it? It is the site's original() then.
  bool learn_original(Site& site);
  // They may have made another. Is it another than was known?
  bool relearn_original(Site& site);
  // That body, also of a method that has no site; empty if there is none.
  std::span<const uint8_t> original_body(const SiteKey& key);

  // Runs `decide` on one thread; others that need the decision wait for it. A site's first body is decided once, before
  // the method is first compiled for whichever version, and stays the default version's: the runtime compiles it again
  // for each tier and for on-stack replacement, and those must agree. A version that was given no body of its own is
  // compiled from it too.
  void decide_once(Site& site, const std::function<void()>& decide);

  // Whether code of the method has had a clause of probes around it, and whether a profiler changes its body now.
  bool is_wrapped(const SiteKey& key);
  bool is_rewritten(const SiteKey& key);

  std::vector<Token> known_in(ModuleID module);
  // Has all code that is in force what the default version has?
  bool are_all_default();
  void module_unloading(ModuleID module);

 private:
  void keep_original(Site& site, std::span<const uint8_t> body);  // under lock_

  ProfilerInfo& info_;
  LoadedModules& modules_;
  Heard& heard_;
  std::mutex lock_;  // the next, and sites' plain fields while they are set; nobody is called under it
  std::unordered_map<SiteKey, std::unique_ptr<Site>, MethodKeyHash> sites_;
  std::mutex busy_lock_;
  std::condition_variable no_longer_busy_;
};

}  // namespace oriel::coreclr
