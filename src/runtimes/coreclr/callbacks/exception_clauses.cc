#include "runtimes/coreclr/callbacks/exception_clauses.h"

#include <algorithm>

#include "il/decode.h"
#include "runtimes/coreclr/instrument/rewrite.h"
#include "runtimes/coreclr/native_code.h"

namespace oriel::coreclr {
namespace {

// corprof.idl: COR_PRF_EX_CLAUSE_INFO.
struct ClauseInfo {
  uint32_t kind;
  uintptr_t code;
  uintptr_t frame;
  uintptr_t shadow_stack;
};

bool may_be(const ClausePlace& place, oriel_clause_kind kind) {
  switch (place.kind) {
    case il::ClauseKind::kCatch:
      return kind == ORIEL_CLAUSE_CATCH;
    case il::ClauseKind::kFilter:
      return kind == ORIEL_CLAUSE_CATCH || kind == ORIEL_CLAUSE_FILTER;
    default:
      return kind == ORIEL_CLAUSE_FINALLY;
  }
}

bool has(const ClausePlace& place, oriel_clause_kind kind, uint32_t offset) {
  if (kind == ORIEL_CLAUSE_FILTER) return offset >= place.filter && offset < place.handler;
  return offset >= place.handler && offset < place.end;
}

NotifiedClause told(std::span<const ClausePlace> places, const ClausePlace& place, oriel_clause_kind kind) {
  if (place.kind == il::ClauseKind::kFault) kind = ORIEL_CLAUSE_FAULT;
  return {kind, static_cast<uint32_t>(&place - places.data())};
}

// The start of the native version that contains the address, and the offset in it, its regions counted one after the
// other.
std::optional<std::pair<uintptr_t, uint32_t>> place_in_version(const std::vector<CodeRegion>& regions, uintptr_t code) {
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const CodeRegion& region) {
    return code >= region.code.start && code - region.code.start < region.code.size;
  });
  if (found == regions.end()) return std::nullopt;
  size_t offset = code - found->code.start;
  for (const CodeRegion& before : regions) {
    if (&before == &*found) break;
    if (before.version_start == found->version_start) offset += before.code.size;
  }
  return std::pair(found->version_start, static_cast<uint32_t>(offset));
}

}  // namespace

std::vector<ClausePlace> clause_places(std::span<const uint8_t> body) {
  std::vector<ClausePlace> places;
  const Result<il::Body> decoded = il::decode(body);
  if (!decoded) return places;
  for (const il::Clause& clause : decoded->clauses) {
    places.push_back({clause.kind, clause.filter_begin ? clause.filter_begin->original_offset() : 0,
                      clause.handler_begin->original_offset(), clause.handler_end->original_offset()});
  }
  return places;
}

std::optional<NotifiedClause> find_clause(std::span<const ClausePlace> places, oriel_clause_kind kind, bool wrapped,
                                          const std::function<std::optional<uint32_t>()>& offset) {
  std::vector<const ClausePlace*> candidates;
  for (const ClausePlace& place : places) {
    if (may_be(place, kind)) candidates.push_back(&place);
  }
  const bool may_be_ours = wrapped && kind == ORIEL_CLAUSE_FINALLY;
  if (candidates.empty() && may_be_ours) return std::nullopt;
  if (candidates.size() == 1 && !may_be_ours) return told(places, *candidates[0], kind);
  const std::optional<uint32_t> at = candidates.empty() ? std::nullopt : offset();
  if (at == kClauseOfProbes) return std::nullopt;
  // Inner clauses precede outer ones.
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const ClausePlace* place) { return at && has(*place, kind, *at); });
  if (found != candidates.end()) return told(places, **found, kind);
  return NotifiedClause{kind, ORIEL_NO_CLAUSE_INDEX};
}

std::optional<NotifiedClause> ExceptionClauses::notified(FunctionID function, oriel_clause_kind kind) {
  const NotifiedClause unknown{kind, ORIEL_NO_CLAUSE_INDEX};
  const std::optional<SiteKey> key = key_of(info_, function);
  // A rewritten body has another table than the one in the metadata.
  if (!key || sites_.is_rewritten(*key)) return unknown;
  const Places places = places_of(*key);
  return find_clause(*places, kind, sites_.is_wrapped(*key), [&] { return offset_of_notified(function); });
}

ExceptionClauses::Places ExceptionClauses::places_of(const SiteKey& key) {
  {
    const std::lock_guard guard(lock_);
    if (const Places& known = known_[key.module][key.token]) return known;
  }
  const auto places = std::make_shared<const std::vector<ClausePlace>>(clause_places(sites_.original_body(key)));
  const std::lock_guard guard(lock_);
  return known_[key.module][key.token] = places;
}

void ExceptionClauses::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  known_.erase(module);
}

// The IL offset of the code that the runtime is about to run, after the handler's prolog.
std::optional<uint32_t> ExceptionClauses::offset_of_notified(FunctionID function) {
  const Held held;
  ClauseInfo clause{};
  FunctionID of = 0;
  ReJITID version = 0;
  if (info_.GetNotifiedExceptionClauseInfo(&clause) != kOk || clause.code == 0) return std::nullopt;
  if (failed(info_.GetFunctionFromIP3(held, reinterpret_cast<const uint8_t*>(clause.code), &of, &version)))
    return std::nullopt;
  const auto place = place_in_version(code_regions(info_, function, version), clause.code);
  if (!place) return std::nullopt;
  std::optional<IlRange> first;
  for (const IlRange& range : il_ranges(info_, place->first)) {
    if (!range.has_il() || range.begin < place->second || range.begin == range.end) continue;
    if (!first || range.begin < first->begin) first = range;
  }
  return first ? std::optional(first->il) : std::nullopt;
}

}  // namespace oriel::coreclr
