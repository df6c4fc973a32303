#include "report/words/own_code.h"

#include <string>
#include <utility>

#include "profile/work/category.h"

namespace oriel::report {

std::optional<assembly::Assembly> code_of_image(const profile::Profile& profile, uint32_t image) {
  const profile::Image& of = profile.places.images[image];
  if (of.path.empty() || of.pdb_id.empty()) return std::nullopt;
  Result<assembly::Assembly> code = assembly::Assembly::open(of.path);
  if (!code) return std::nullopt;
  const std::optional<metadata::DebugDirectory> debug = code->debug_directory();
  if ((debug ? debug->pdb_id : code->mvid()) != of.pdb_id) return std::nullopt;
  return std::move(*code);
}

std::set<uint32_t> own_images(const profile::Profile& profile) {
  std::set<uint32_t> images;
  for (const profile::Node& node : profile.nodes) {
    const profile::Position& at = profile.places.positions[node.position];
    if (at.row != 0 && profile::is_own(profile.functions[node.function], profile)) images.insert(at.image);
  }
  return images;
}

}  // namespace oriel::report
