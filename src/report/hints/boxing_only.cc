#include "report/hints/boxing_only.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "assembly/boxing.h"
#include "profile/work/category.h"
#include "report/words/own_code.h"

namespace oriel::report {

using assembly::BoxingStatement;
using profile::Profile;

namespace {

// What was read from assemblies, cached by method.
class BoxingCode {
 public:
  explicit BoxingCode(const Profile& profile) : profile_(profile) {}

  // Whether a position's statement allocates more bytes in arrays than it boxes, or boxes nothing.
  bool is_of_arrays(const profile::Position& at) {
    const std::vector<BoxingStatement>& all = statements(at.image, at.row);
    if (all.empty()) return false;
    const auto statement =
        std::ranges::find_if(all, [&](const BoxingStatement& one) { return at.il >= one.begin && at.il < one.end; });
    return statement == all.end() || statement->array_bytes > statement->box_bytes;
  }

 private:
  const std::vector<BoxingStatement>& statements(uint32_t image, uint32_t row) {
    const auto [entry, is_new] = by_method_.try_emplace({image, row});
    if (!is_new) return entry->second;
    const auto [code, is_first] = by_image_.try_emplace(image);
    if (is_first) code->second = code_of_image(profile_, image);
    if (code->second) entry->second = assembly::boxing_statements(*code->second, row);
    return entry->second;
  }

  const Profile& profile_;
  std::map<uint32_t, std::optional<assembly::Assembly>> by_image_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<BoxingStatement>> by_method_;
};

}  // namespace

std::vector<uint64_t> periods_of_boxing(const Profile& profile) {
  std::vector<uint64_t> periods = profile::periods_of_use(profile::Use::kBoxing, profile);
  const std::vector<uint32_t> own = profile::nearest_own_nodes(profile.nodes, profile);
  BoxingCode code(profile);
  for (size_t i = 0; i < periods.size(); ++i)
    if (periods[i] != 0 && code.is_of_arrays(profile.places.positions[profile.nodes[own[i]].position])) periods[i] = 0;
  return periods;
}

profile::UseTotals boxing_totals(const Profile& profile) {
  const std::vector<uint64_t> periods = periods_of_boxing(profile);
  const std::vector<uint32_t> own = profile::nearest_own(profile);
  std::map<uint32_t, uint64_t> by_own;
  for (size_t i = 0; i < periods.size(); ++i)
    if (periods[i] != 0) by_own[own[i]] += periods[i];
  return profile::use_totals(profile::Use::kBoxing, by_own);
}

}  // namespace oriel::report
