// Which exception clause of a method the runtime is about to run: its index in the method's table, and its kind. The
// callbacks report neither, only the address of the handler's native code, which its map translates to IL.
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

// A clause of a method's table with the IL offsets of its parts. A filter ends where its handler begins.
struct ClausePlace {
  il::ClauseKind kind;
  uint32_t filter = 0;
  uint32_t handler = 0;
  uint32_t end = 0;
};
std::vector<ClausePlace> clause_places(std::span<const uint8_t> body);

struct NotifiedClause {
  oriel_clause_kind kind;
  uint32_t index;  // ORIEL_NO_CLAUSE_INDEX if it is not known
};
// The clause of `kind` (the runtime reports faults as finally) whose code contains the IL `offset`, if that is known.
// `wrapped`: probes may have added a clause around the whole method; nullopt if it is that one.
std::optional<NotifiedClause> find_clause(std::span<const ClausePlace> places, oriel_clause_kind kind, bool wrapped,
                                          const std::function<std::optional<uint32_t>()>& offset);

class ExceptionClauses {
 public:
  ExceptionClauses(ProfilerInfo& info, Sites& sites) : info_(info), sites_(sites) {}

  // Called in the callback that reports a clause of the method. nullopt if the clause is not the method's own.
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
