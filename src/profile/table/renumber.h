// Rows of one log as rows of several logs' profile: times move to its start, indexes to its lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "profile/table/add_up.h"
#include "profile/tables.h"

namespace oriel::table {

// A time of a part's that starts so much later. -1, for what is not known, stays so; what a corrupt log claims does not
// overflow.
inline int64_t later(int64_t ns, int64_t by_ns) { return ns < 0 ? ns : ns + std::min(by_ns, INT64_MAX - ns); }

// By table and number of a row: its new number. Of a table whose rows keep their numbers it is empty.
using MovedRows = std::array<std::vector<uint32_t>, profile::kTables>;

// What stands in the whole for what a part has. References are views.
struct Renumbering {
  int64_t later_ns = 0;
  uint32_t first_thread = 0;
  uint32_t first_process = 0;
  uint32_t call_nodes = 0;  // that come before the part's first, without the root, which is one
  const std::vector<uint32_t>& function_of;
  const std::vector<uint32_t>& node_of;
  std::array<uint32_t, profile::kTables> first_rows = {};  // by table
  MovedRows moved = {};                                    // of tables that are added up, instead of first_rows

  uint32_t row(uint32_t table, uint32_t number) const {
    return moved[table].empty() ? first_rows[table] + number : moved[table][number];
  }
};

template <typename Row>
void renumber(const Renumbering& by, Row& row) {
  each_stored_field<Row>([&](const auto& field) {
    using Described = std::remove_cvref_t<decltype(field)>;
    constexpr Kind kKind = Described::kKind;
    auto& value = field.of(row);
    if constexpr (kKind == Kind::kTime || kKind == Kind::kEnd) {
      value = later(value, by.later_ns);
    } else if constexpr (kKind == Kind::kThread) {
      if (value != kNone) value += by.first_thread;
    } else if constexpr (kKind == Kind::kProcess) {
      value += by.first_process;
    } else if constexpr (kKind == Kind::kFunction || kKind == Kind::kType) {
      value = by.function_of[value];
    } else if constexpr (kKind == Kind::kNode) {
      value = by.node_of[value];
    } else if constexpr (kKind == Kind::kCallNode) {
      if (value != 0) value += by.call_nodes;
    } else if constexpr (kKind == Kind::kRow) {
      if (value != kNone) value = by.row(profile::kTableOf<typename Described::TargetRow>, value);
    } else if constexpr (kKind == Kind::kPoints) {
      for (auto& point : value) point.ns = later(point.ns, by.later_ns);
    }
  });
}

// Adds a part's rows to the whole's, after those of tables that they refer to. Of call nodes the root's row is one.
template <typename Row>
void append(Renumbering& by, std::vector<Row>& whole, std::vector<Row> part) {
  if constexpr (Row::described().adds_up) {
    RowIndex<Row> known;
    std::vector<uint32_t>& numbers = by.moved[profile::kTableOf<Row>];
    for (Row& row : part) {
      renumber(by, row);
      numbers.push_back(known.add(std::move(row), whole));
    }
  } else {
    for (size_t i = kFirstRow<Row>; i < part.size(); ++i) renumber(by, whole.emplace_back(std::move(part[i])));
  }
}

// Stacks become those that `to` answers.
template <typename Row, typename To>
void move_nodes(Row& row, To& to) {
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kNode) field.of(row) = to(field.of(row));
  });
}

// Returns the rows' new numbers by their old ones, empty if they were in order.
template <typename Row, typename IsBefore>
std::vector<uint32_t> sort_by(IsBefore is_before, std::vector<Row>& rows) {
  if (std::ranges::is_sorted(rows, is_before)) return {};
  std::vector<uint32_t> order(rows.size()), numbers(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return is_before(rows[a], rows[b]); });
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    numbers[order[i]] = i;
    sorted.push_back(std::move(rows[order[i]]));
  }
  rows = std::move(sorted);
  return numbers;
}

// In the table's order, if it has one: by the first field of its kind. Returns as sort_by.
template <typename Row>
std::vector<uint32_t> sort(std::vector<Row>& rows) {
  constexpr Order kOrder = Row::described().order;
  std::vector<uint32_t> numbers;
  if constexpr (kOrder == Order::kByKey) numbers = sort_by(is_before<Row>, rows);
  bool is_first = true;
  each_stored_field<Row>([&](const auto& field) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
    if constexpr (kOrder == Order::kByTime && kKind == Kind::kTime) {
      if (std::exchange(is_first, false))
        numbers = sort_by([&](const Row& a, const Row& b) { return field.of(a) < field.of(b); }, rows);
    } else if constexpr (kOrder == Order::kMostFirst && kKind == Kind::kCount) {
      if (std::exchange(is_first, false))
        numbers = sort_by([&](const Row& a, const Row& b) { return field.of(a) > field.of(b); }, rows);
    }
  });
  return numbers;
}

// Puts a table in its order, after those that it refers to. `moved` tells where their rows went, and then this one's.
template <typename Row>
void put_in_order(MovedRows& moved, std::vector<Row>& rows) {
  each_stored_field<Row>([&](const auto& field) {
    using Described = std::remove_cvref_t<decltype(field)>;
    if constexpr (Described::kKind == Kind::kRow) {
      const std::vector<uint32_t>& numbers = moved[profile::kTableOf<typename Described::TargetRow>];
      if (numbers.empty()) return;
      for (Row& row : rows)
        if (field.of(row) != kNone) field.of(row) = numbers[field.of(row)];
    }
  });
  moved[profile::kTableOf<Row>] = sort(rows);
}

}  // namespace oriel::table
