// Moves what refers to nodes of the stack tree when the tree is rebuilt.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "profile/table/renumber.h"

namespace oriel::profile {

// `to` maps an old node to its new one. Moves rows of tables, exceptions and counts of nodes.
template <typename To>
void move_nodes(Profile& profile, To to) {
  each_table([&](const TableName&, auto rows) {
    for (auto& row : rows_of(profile.*rows)) table::move_nodes(row, to);
  });
  for (Exceptions& exceptions : profile.exceptions) {
    std::map<uint32_t, uint64_t> thrown_at;
    for (const auto& [node, thrown] : exceptions.thrown_at) thrown_at[to(node)] += thrown;
    exceptions.thrown_at = std::move(thrown_at);
    for (Exceptions::Message& message : exceptions.messages) message.stack = to(message.stack);
  }
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
