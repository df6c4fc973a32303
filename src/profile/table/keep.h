// Which rows of a table a filter keeps.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "profile/table/add_up.h"
#include "profile/table/field.h"

namespace oriel::table {

// What is asked for. All are views.
struct Wanted {
  int64_t from_ns = 0;
  int64_t to_ns = INT64_MAX;
  const std::vector<bool>& threads;     // by index
  const std::vector<bool>& functions;   // by index; empty: all
  const std::vector<bool>& nodes;       // by index: those under such functions; empty: all
  const std::vector<bool>& call_nodes;  // likewise
};

// From when to when a row was: its time and its end, one of these and its length, or its time alone.
struct Extent {
  int64_t from_ns = 0;
  int64_t to_ns = INT64_MAX;  // open, where the end is not known
};

template <typename Row>
Extent extent_of(const Row& row) {
  int64_t from = 0, to = 0, length = 0;
  bool has_from = false, has_to = false;
  each_stored_field<Row>([&](const auto& field) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
    if constexpr (kKind == Kind::kTime) from = field.of(row), has_from = true;
    if constexpr (kKind == Kind::kEnd) to = field.of(row), has_to = true;
    if constexpr (kKind == Kind::kLength) length = field.of(row);
  });
  if (!has_from && !has_to) return {};
  if (!has_from) from = to - length;
  if (!has_to) to = from > INT64_MAX - length ? INT64_MAX : from + length;
  return {from, has_to && to < 0 ? INT64_MAX : to};
}

template <typename Row>
bool is_within(const Wanted& wanted, const Row& row) {
  const Extent extent = extent_of(row);
  return extent.from_ns <= wanted.to_ns && extent.to_ns >= wanted.from_ns;
}

// Whether it is of the threads and, where methods are asked for, under one of them.
template <typename Row>
bool is_chosen(const Wanted& wanted, const Row& row) {
  bool of_thread = true, names_methods = false, of_method = false;
  each_stored_field<Row>([&](const auto& field) {
    if (!field.chooses) return;
    using Described = std::remove_cvref_t<decltype(field)>;
    constexpr Kind kKind = Described::kKind;
    if constexpr (kKind == Kind::kThread) {
      of_thread = of_thread && field.of(row) != kNone && wanted.threads[field.of(row)];
    } else if constexpr (kKind == Kind::kFunction || kKind == Kind::kType || kKind == Kind::kNode ||
                         kKind == Kind::kCallNode) {
      const std::vector<bool>& kept = kKind == Kind::kNode       ? wanted.nodes
                                      : kKind == Kind::kCallNode ? wanted.call_nodes
                                                                 : wanted.functions;
      names_methods = true;
      of_method = of_method || kept.empty() || kept[field.of(row)];
    }
  });
  return of_thread && (!names_methods || of_method);
}

// Of values over time, those that are within. Whether any is left.
template <typename Row>
bool keep_points(const Wanted& wanted, Row& row) {
  bool any = true;
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kPoints) {
      std::erase_if(field.of(row),
                    [&](const auto& point) { return point.ns < wanted.from_ns || point.ns > wanted.to_ns; });
      any = !field.of(row).empty();
    }
  });
  return any;
}

// As nobody's: of rows that others refer to.
template <typename Row>
void blank(Row& row) {
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::kKind == Kind::kFunction) field.of(row) = 0;
  });
}

// As if nothing had been counted.
template <typename Row>
void empty(Row& row) {
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (is_sum(std::remove_cvref_t<decltype(field)>::kKind)) field.of(row) = 0;
  });
}

// `is_part`: less than all of the time is asked for.
template <typename Row>
void keep(const Wanted& wanted, bool is_part, std::vector<Row>& rows) {
  constexpr Part kPart = Row::described().part;
  if constexpr (kPart == Part::kSums) {
    if (is_part) rows.clear();
  } else if constexpr (kPart == Part::kBlanked || kPart == Part::kEmptied) {
    for (size_t i = kFirstRow<Row>; i < rows.size(); ++i) {
      if (is_within(wanted, rows[i]) && is_chosen(wanted, rows[i])) continue;
      if constexpr (kPart == Part::kBlanked) blank(rows[i]);
      if constexpr (kPart == Part::kEmptied) empty(rows[i]);
    }
  } else if constexpr (kPart == Part::kRows) {
    std::erase_if(rows, [&](Row& row) {
      return !is_within(wanted, row) || !is_chosen(wanted, row) || !keep_points(wanted, row);
    });
  }
}

}  // namespace oriel::table
