// Builds methods' bodies from the changes of profilers' rewriters and from probes, and passes them to the runtime.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/instrument/rewrite.h"
#include "runtimes/coreclr/instrument/sites.h"
#include "runtimes/coreclr/instrument/type_kinds.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

class Bodies {
 public:
  // `exceptions_needed` is called when needs_exception_callbacks becomes true.
  Bodies(const Names& names, ObservedCompilations& compilations, Sites& sites, std::function<void()> exceptions_needed)
      : names_(names),
        compilations_(compilations),
        sites_(sites),
        exceptions_needed_(std::move(exceptions_needed)),
        tokens_(names.info),
        kinds_(names.info, names.modules) {}

  // The method is about to be compiled. At its first compilation this decides the body of its default version.
  void before_compilation(FunctionID function);
  void decide_default(Site& site, FunctionID function);
  // Restores the metadata's body as the default body, because filters no longer want anything of the method. Returns
  // false if the default body has to stay. If true, the caller must have the method compiled by ReJIT: the new version
  // has the default body too and so may be inlined, but without the default version's line map, which that version's
  // code needs while it runs. On the engine's own thread.
  bool clear_default(const SiteKey& key);
  // Another profiler has set the body that the default version is based on.
  void base_changed(const SiteKey& key);
  // The runtime compiles a version of the method, because Oriel or another profiler requested it.
  void give_rejit_body(const SiteKey& key, FunctionControl& control);

  // Whether an exception that leaves the method is reported by the runtime's callbacks instead of by a probe: the
  // method to report then, otherwise nullptr.
  oriel_method* leaves_by_callback(FunctionID function);
  // Whether there is any such method.
  bool needs_exception_callbacks() const { return by_callback_.load(std::memory_order_acquire) != 0; }
  void module_unloading(ModuleID module);
  EmitTokens& tokens() { return tokens_; }

 private:
  struct Built {
    std::vector<uint8_t> bytes;
    std::vector<IlMapEntry> map;  // empty: not known
  };
  void set_default(Site& site, FunctionID function);
  bool put_into_default(Site& site, const WantedChanges& wanted, FunctionID function);
  Built build(Site& site, const WantedChanges& wanted, std::span<const uint8_t> base);
  std::optional<oriel_instrumentation_outcome> unchangeable(Site& site, const ModuleMetadata& metadata,
                                                            const std::optional<MethodDefinition>& definition);
  void add_probes(Site& site, const ModuleMetadata& metadata, const MethodDefinition& definition,
                  const WantedChanges& wanted, std::span<const uint8_t> original, Built& built);
  Built rewritten_by_profilers(const Site& site, const MethodDefinition& definition, std::span<const uint8_t> base);
  Site* before_version(const SiteKey& key);
  static void set_map_of(FunctionControl& control, Built& built);
  void set_il_map(Site& site, FunctionID function, std::vector<IlMapEntry> map);
  void note_by_callback(Site& site);

  const Names names_;
  ObservedCompilations& compilations_;
  Sites& sites_;
  const std::function<void()> exceptions_needed_;
  EmitTokens tokens_;
  TypeKinds kinds_;
  std::atomic<uint32_t> by_callback_{0};
};

}  // namespace oriel::coreclr
