#include "covered_code.h"

#include <set>

namespace oriel::covering {
namespace {

// The method that the calling thread asks about.
thread_local log::CoveredMethod* asked = nullptr;

void take(oriel_profiler*, const oriel_coverage_data* data) {
  const bool is_outcome = data->outcome != ORIEL_NO_OUTCOME;
  asked->points.push_back({is_outcome, data->il_offset, is_outcome ? data->outcome : 0, data->count});
}

log::CoverageImage image_of(oriel_image* image) {
  return {oriel_image_id(image),   oriel_image_name(image),   oriel_image_path(image),
          oriel_image_mvid(image), oriel_image_pdb_id(image), oriel_image_pdb_path(image)};
}

}  // namespace

log::Coverage covered_code(oriel_profiler_handle handle, const modules::MethodSet& methods) {
  constexpr uint32_t kRow = 0xffffff;
  log::Coverage coverage;
  std::set<uint32_t> images;
  const uint32_t count = oriel_method_count();
  for (uint32_t id = 1; id <= count; ++id) {
    if (!methods.contains(id)) continue;
    oriel_method* const method = oriel_method_by_id(id);
    log::CoveredMethod covered;
    asked = &covered;
    const bool has_counters = oriel_get_coverage_data(handle, method, take);
    asked = nullptr;
    oriel_image* const image = oriel_method_image(method);
    if (!has_counters || image == nullptr) continue;
    covered.image = oriel_image_id(image);
    covered.row = oriel_method_token(method) & kRow;
    if (*oriel_image_path(image) == '\0') covered.name = oriel_method_name(method);
    if (images.insert(oriel_image_id(image)).second) coverage.images.push_back(image_of(image));
    coverage.methods.push_back(std::move(covered));
  }
  return coverage;
}

}  // namespace oriel::covering
