// Which exception clause of a method the runtime is about to run: its place in the method's table and what kind it is.
// The runtime's callbacks tell neither, but where the handler's native code is, which its map leads to the IL.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "il/body.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

// A clause of a method's table by where in the IL its parts are; a filter ends where its handler begins.
struct ClausePlace {
  il::ClauseKind kind;
  uint32_t filter = 0;
  uint32_t handler = 0;
  uint32_t end = 0;
};
std::vector<ClausePlace> clause_places(std::span<const uint8_t> body);

struct NotifiedClause {
  oriel_clause_kind kind;
  uint32_t index;  // ORIEL_NO_CLAUSE_INDEX where it is not told
};
// The clause of `kind` (the runtime calls faults finally too) in whose code `offset` of the IL is, where that is known.
// `wrapped`: there may be one of probes too, around all; nullopt if it is that.
std::optional<NotifiedClause> find_clause(std::span<const ClausePlace> places, oriel_clause_kind kind, bool wrapped,
                                          const std::function<std::optional<uint32_t>()>& offset);

class ExceptionClauses {
 public:
  ExceptionClauses(ProfilerInfo& info, Sites& sites) : info_(info), sites_(sites) {}

  // In the callback that tells of a clause of the method; nullopt if it is none of the method's own.
  std::optional<NotifiedClause> notified(FunctionID function, oriel_clause_kind kind);
  void module_unloading(ModuleID module);

 private:
  using Places = std::shared_ptr<const std::vector<ClausePlace>>;
  Places places_of(const SiteKey& key);
  std::optional<uint32_t> offset_of_notified(FunctionID function);

  ProfilerInfo& info_;
  Sites& sites_;
  std::mutex lock_;
  std::unordered_map<ModuleID, std::unordered_map<Token, Places>> known_;
};

}  // namespace oriel::coreclr
