#include "runtimes/coreclr/instrument/coverage_sites.h"

#include <algorithm>
#include <optional>

#include "engine/filters.h"
#include "il/decode.h"
#include "runtimes/coreclr/instrument/body_check.h"

namespace oriel::coreclr {
namespace {

using il::CoveragePoint;

// Larger methods are inlined only if their attribute asks for it.
constexpr uint32_t kMostInlined = 100;

bool leads_back(const il::Instruction& at) {
  const auto is_before = [&](const il::Instruction* to) { return to->original_offset() <= at.original_offset(); };
  return (at.target() != nullptr && is_before(at.target())) || std::ranges::any_of(at.cases(), is_before);
}

bool has_loops(const il::Body& body) {
  for (const il::Instruction* at = body.first(); !at->is_end(); at = at->next())
    if (leads_back(*at)) return true;
  return false;
}

bool may_be_inlined(const MethodDefinition& definition, const il::Body& body) {
  if ((definition.implementation & kNoInlining) != 0 || !body.clauses.empty()) return false;
  if ((definition.implementation & kAggressiveInlining) != 0) return true;
  const il::Instruction* const last = body.last();
  return !last->is_end() && last->original_offset() < kMostInlined && !has_loops(body);
}

std::optional<uint32_t> now(std::span<const IlMapEntry> moves, uint32_t il) {
  const auto found = std::ranges::lower_bound(moves, il, {}, &IlMapEntry::old_offset);
  if (found == moves.end() || found->old_offset != il) return std::nullopt;
  return found->new_offset;
}

// The number of targets of a branch or switch besides falling through; 0 if there is no instruction.
size_t ways_of(const il::Instruction* at) {
  if (at == nullptr) return 0;
  return at->target() != nullptr ? 1 : at->cases().size();
}

// The points of `written`, at the places of their instructions in `body`.
std::vector<CoveragePoint> moved(const std::vector<CoveragePoint>& points, const il::Body& written, il::Body& body,
                                 std::span<const IlMapEntry> moves) {
  std::vector<CoveragePoint> here;
  for (CoveragePoint point : points) {
    const std::optional<uint32_t> il = now(moves, point.il);
    const il::Instruction* const at = il ? body.at_original_offset(*il) : nullptr;
    if (at == nullptr) continue;
    const bool is_outcome = point.kind == CoveragePoint::Kind::kOutcome;
    if (is_outcome && ways_of(at) != ways_of(written.at_original_offset(point.il))) continue;
    point.il = *il;
    here.push_back(point);
  }
  return here;
}

}  // namespace

CoverageSites find_coverage_sites(const ModuleMetadata& metadata, const MethodDefinition& definition, il::Body& body,
                                  const il::MethodFacts& facts, std::span<const uint8_t> in_metadata,
                                  std::span<const IlMapEntry> moves) {
  CoverageSites sites;
  sites.places.inlined.may_be = may_be_inlined(definition, body);
  if (moves.empty()) {
    sites.places.inlined.may_change = !has_loops(body);
    sites.here = sites.places.points = il::coverage_points(body, facts);
    // Code that rewriters inserted may leave the method where the metadata's code never does.
    if (!has_rewriters()) sites.places.sums = il::coverage_sums(body, facts, sites.here);
    return sites;
  }
  Result<il::Body> written = il::decode(in_metadata);
  if (!written) return sites;
  const Result<BodyFacts> known = learn_facts(metadata, definition, *written);
  if (!known) return sites;
  sites.places.points = il::coverage_points(*written, known->facts);
  sites.here = moved(sites.places.points, *written, body, moves);
  return sites;
}

}  // namespace oriel::coreclr
