// Assemblies whose code was counted.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "profile/table/field.h"

namespace oriel::profile {

// One version of an assembly's file.
struct CoveredImage {
  std::string name;
  std::string path;
  std::string mvid;
  std::string pdb_id;
  std::string pdb_path;
  bool only_hits = false;

  // The version; of an image without one, its file.
  auto key() const {
    using Key = std::tuple<std::string, std::string, std::string>;
    return mvid.empty() ? Key("", path, name) : Key(mvid, "", "");
  }

  static constexpr auto described() {
    using namespace table;
    using Row = CoveredImage;
    return describe(
               Order::kAsTold, Part::kWhole,
               field<Kind::kText>("name", &Row::name, "the name of its file").beside_key(),
               field<Kind::kText>("path", &Row::path, "where it was loaded from; empty: no file").beside_key(),
               field<Kind::kText>("mvid", &Row::mvid, "the GUID of its version, 32 hexadecimal digits"),
               field<Kind::kText>("pdb_id", &Row::pdb_id, "of its PDB; empty: there is none").beside_key(),
               field<Kind::kText>("pdb_path", &Row::pdb_path, "of the PDB when the image was compiled").beside_key(),
               field<Kind::kFlag>("only_hits", &Row::only_hits,
                                  "how often its code ran was not counted: then all counts of the profile are 0 or 1")
                   .beside_key())
        .added_up();
  }
};

// Whether a profile with coverage of these images says how often code ran, or only whether it did.
inline bool has_counts(const std::vector<CoveredImage>& images) {
  return !images.empty() && std::ranges::none_of(images, &CoveredImage::only_hits);
}

}  // namespace oriel::profile
