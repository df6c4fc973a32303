// Rows of one log as rows of several logs' profile: times move to its start, indexes to its lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "profile/table/add_up.h"
#include "profile/tables.h"

namespace oriel::table {

// A time of a part's that starts so much later. -1, for what is not known, stays so; what a corrupt log claims does not
// overflow.
inline int64_t later(int64_t ns, int64_t by_ns) { return ns < 0 ? ns : ns + std::min(by_ns, INT64_MAX - ns); }

// What stands in the whole for what a part has. All are views.
struct Renumbering {
  int64_t later_ns = 0;
  uint32_t first_thread = 0;
  uint32_t first_process = 0;
  uint32_t call_nodes = 0;  // that come before the part's first, without the root, which is one
  const std::vector<uint32_t>& function_of;
  const std::vector<uint32_t>& node_of;
  std::array<uint32_t, profile::kTables> first_rows = {};  // by table
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
      if (value != kNone) value += by.first_rows[profile::kTableOf<typename Described::TargetRow>];
    } else if constexpr (kKind == Kind::kPoints) {
      for (auto& point : value) point.ns = later(point.ns, by.later_ns);
    }
  });
}

// Adds a part's rows to the whole's. Of call nodes the root's row is one.
template <typename Row>
void append(const Renumbering& by, std::vector<Row>& whole, const auto& part) {
  for (size_t i = kFirstRow<Row>; i < part.size(); ++i) renumber(by, whole.emplace_back(part[i]));
}

// Stacks become those that `to` answers.
template <typename Row, typename To>
void move_nodes(Row& row, To& to) {
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kNode) field.of(row) = to(field.of(row));
  });
}

// In the table's order, if it has one.
template <typename Row>
void sort(std::vector<Row>& rows) {
  constexpr Order kOrder = Row::described().order;
  if constexpr (kOrder == Order::kByTime) {
    each_stored_field<Row>([&](const auto& field) {
      if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kTime)
        std::ranges::stable_sort(rows, {}, field.member);
    });
  } else if constexpr (kOrder == Order::kByKey) {
    std::ranges::stable_sort(rows, is_before<Row>);
  } else if constexpr (kOrder == Order::kMostFirst) {
    bool is_first = true;
    each_stored_field<Row>([&](const auto& field) {
      if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kCount)
        if (std::exchange(is_first, false)) std::ranges::stable_sort(rows, std::greater<>(), field.member);
    });
  }
}

}  // namespace oriel::table
