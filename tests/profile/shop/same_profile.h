// Whether two profiles are the same to the last row.
#pragma once

#include <string>

#include "profile/profile.h"

namespace oriel::testing {

template <typename Row>
bool same_rows(const auto& first, const auto& second) {
  if (first.size() != second.size()) return false;
  bool same = true;
  for (size_t i = 0; i < first.size(); ++i)
    table::each_stored_field<Row>([&](const auto& field) {
      constexpr table::Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
      if constexpr (kKind == table::Kind::kPoints || kKind == table::Kind::kHits)
        same = same && field.of(first[i]).size() == field.of(second[i]).size();
      else
        same = same && field.of(first[i]) == field.of(second[i]);
    });
  return same;
}

template <typename Row>
bool same_values(const std::vector<Row>& first, const std::vector<Row>& second, const auto&... fields) {
  if (first.size() != second.size()) return false;
  for (size_t i = 0; i < first.size(); ++i)
    if (!((first[i].*fields == second[i].*fields) && ...)) return false;
  return true;
}

// What differs; empty if nothing does.
inline std::string difference(const profile::Profile& first, const profile::Profile& second) {
  using namespace profile;
  std::string what;
  each_table([&](const TableName& table, auto rows) {
    using Row = std::remove_cvref_t<decltype(*(first.*rows).begin())>;
    if (!same_rows<Row>(first.*rows, second.*rows)) what += std::string(table.name) + " ";
  });
  if (!same_values(first.threads, second.threads, &Thread::id, &Thread::name, &Thread::first_ns, &Thread::last_ns,
                   &Thread::samples))
    what += "threads ";
  if (!same_values(first.functions, second.functions, &Function::name)) what += "functions ";
  if (!same_values(first.nodes, second.nodes, &Node::parent, &Node::function, &Node::truncated, &Node::position))
    what += "nodes ";
  if (!same_values(first.call_nodes, second.call_nodes, &Node::parent, &Node::function, &Node::truncated))
    what += "call nodes ";
  if (first.problems != second.problems) what += "problems ";
  if (first.wall_ns != second.wall_ns || first.unfiltered_periods != second.unfiltered_periods) what += "totals ";
  if (first.outcome.blocks != second.outcome.blocks || first.outcome.ended != second.outcome.ended) what += "outcome ";
  return what;
}

}  // namespace oriel::testing
