// Moves what refers to nodes of the stack tree when the tree is rebuilt.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "profile/table/renumber.h"

namespace oriel::profile {

// Rows of tables and counts of nodes go to the node that `to` answers for theirs.
template <typename To>
void move_nodes(Profile& profile, To to) {
  each_table([&](const TableName&, auto rows) {
    auto& all = rows_of(profile.*rows);
    for (auto& row : all) table::move_nodes(row, to);
    using Row = std::remove_cvref_t<decltype(*all.begin())>;
    if constexpr (Row::described().adds_up && table::kHasField<Row, table::Kind::kNode>) {
      table::add_up(all);
      table::sort(all);
    }
  });
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < profile.node_counts.size(); ++i) {
    if (profile.node_counts[i] == 0) continue;
    const uint32_t at = to(i);
    if (at >= counts.size()) counts.resize(at + 1);
    counts[at] += profile.node_counts[i];
  }
  profile.node_counts = std::move(counts);
}

}  // namespace oriel::profile
