// The methods that filters were asked about: the changes that are wanted of each, and those that its code has.
//
// IL belongs to a methodDef, so each methodDef has one site, whatever its instantiations, tiers and threads.
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
// The methodDef of a function; nullopt for dynamic methods and others without metadata. Any thread.
std::optional<SiteKey> key_of(ProfilerInfo& info, FunctionID function);
// The method's current body, as `info` reports it; empty if there is none.
std::span<const uint8_t> body_of(ProfilerInfo& info, const SiteKey& key);

// Plain fields are constant once `asked` is set.
struct Site {
  // Read by any thread, while another may write.
  using Changes = std::atomic<WantedChanges>;
  enum class State : uint8_t { kNew, kBusy, kDecided };

  SiteKey key{};
  std::atomic<State> state{State::kNew};
  oriel_method* method = nullptr;
  // The body before any change of Oriel's; empty until it was learned. Any thread.
  std::span<const uint8_t> original() const {
    const auto* body = learned.load(std::memory_order_acquire);
    return body ? *body : std::span<const uint8_t>();
  }
  std::atomic<const std::span<const uint8_t>*> learned{nullptr};     // one of `originals`
  std::vector<std::unique_ptr<std::span<const uint8_t>>> originals;  // more than one if other profilers set new ones
  std::atomic<bool> asked{false};                                    // whether `wanted` is set
  Changes wanted;                                                    // what the filters last wanted
  Changes in_default;                                                // what the default version's body has
  Changes in_force;                                                  // what the version in force has
  Changes unapplied;                      // wanted, but the body has no place for them or must not be changed
  std::atomic<uint64_t> decided_at{0};    // by base/clock, and
  std::atomic<uint32_t> decided_by{0};    // the OS thread: detects decisions made during a compilation
  std::atomic<uint32_t> plain_within{0};  // the filters' generation plus one for which no code in it is to be changed
  // The version in force was requested for this method alone. It may differ from the default version even if the
  // changes are the same.
  std::atomic<bool> has_own_version{false};
  // The default version was compiled from another body than it has now, so its old code must not come into force again.
  std::atomic<bool> default_left{false};
  std::atomic<bool> has_foreign_base{false};  // another profiler has set the body
  // The default body's map from old to new offsets, until it can be passed to the runtime: whether there is one, and
  // the map, which belongs to whoever sets or clears the flag.
  std::atomic<bool> has_pending_map{false};
  std::vector<IlMapEntry> pending_map;
  std::atomic<bool> by_callback{false};
  std::atomic<bool> wrapped{false};
};

// The changes that filters want and for which the body has a place.
WantedChanges wanted_of(const Site& site);

// Any thread. Sites live as long as their module.
class Sites {
 public:
  Sites(ProfilerInfo& info, LoadedModules& modules, ObservedCompilations& compilations)
      : info_(info), modules_(modules), compilations_(compilations) {}

  Site* find(const SiteKey& key);
  Site* find_or_make(const SiteKey& key);
  // Asks the filters the first time. nullptr for functions without a key, and if filters select no methods of the
  // module.
  Site* of(FunctionID function);
  // Like the above. `function` belongs to the method; 0 if it is not known.
  Site* of(const SiteKey& key, FunctionID function);
  // Asks the filters about the site's method, if they were not asked yet. `function`: 0 if it is not known.
  void ask(Site& site, FunctionID function);

  // Whether filters may choose any of the module's methods.
  bool concerns(ModuleID module);

  // The method that its probes report: the one in the metadata, which for a method that is not generic is the only one.
  oriel_method* record_of(const SiteKey& key, const ModuleMetadata& metadata, Token type, FunctionID function);

  // Whether the method has a body, in the metadata or from another profiler. It is then the site's original().
  bool learn_original(Site& site);
  // Reads the body again, which other profilers may have replaced. Returns whether it has changed.
  bool relearn_original(Site& site);
  // That body, even for a method without a site; empty if there is none.
  std::span<const uint8_t> original_body(const SiteKey& key);

  // Runs `decide` on one thread; other threads that need the decision wait for it. A site's default body is decided
  // once, before the method is first compiled for any version, and then stays: the runtime compiles it again for each
  // tier and for on-stack replacement, and these must agree. Versions without a body of their own are compiled from it
  // too.
  void decide_once(Site& site, const std::function<void()>& decide);

  // Whether code of the method has had a probes' clause around it, and whether a profiler changes its body now.
  bool is_wrapped(const SiteKey& key);
  bool is_rewritten(const SiteKey& key);

  std::vector<Token> known_in(ModuleID module);
  // Whether all code in force is that of the default versions.
  bool are_all_default();
  void module_unloading(ModuleID module);

 private:
  void keep_original(Site& site, std::span<const uint8_t> body);  // under lock_

  ProfilerInfo& info_;
  LoadedModules& modules_;
  ObservedCompilations& compilations_;
  std::mutex lock_;  // guards the next, and sites' plain fields while they are set; nothing is called under it
  std::unordered_map<SiteKey, std::unique_ptr<Site>, MethodKeyHash> sites_;
  std::mutex busy_lock_;
  std::condition_variable no_longer_busy_;
};

}  // namespace oriel::coreclr
