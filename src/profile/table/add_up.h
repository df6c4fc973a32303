// Rows that are the same but for what they count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "profile/table/field.h"

namespace oriel::table {

// Fields of these kinds are added up; a flag is set where any is.
constexpr bool is_sum(Kind kind) {
  return kind == Kind::kCount || kind == Kind::kBytes || kind == Kind::kLength || kind == Kind::kDuration;
}

// Adds what `from` counts. Of what several processes count alike, it is the largest.
template <typename Row>
void add_counts(const Row& from, Row& to) {
  bool shared = false;
  if constexpr (requires { from.is_shared(); }) shared = from.is_shared();
  each_stored_field<Row>([&](const auto& field) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
    auto& sum = field.of(to);
    if constexpr (is_sum(kKind)) sum = shared ? std::max(sum, field.of(from)) : sum + field.of(from);
    if constexpr (kKind == Kind::kFlag) sum = sum || field.of(from);
  });
}

// All rows as one, with what identifies the first.
template <typename Row>
Row sum_of(const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  Row sum = rows.front();
  for (size_t i = 1; i < rows.size(); ++i) add_counts(rows[i], sum);
  return sum;
}

// By the fields that tell rows apart, in their order.
template <typename Row>
bool is_before(const Row& a, const Row& b) {
  bool is_before = false, is_told = false;
  each_stored_field<Row>([&](const auto& field) {
    if constexpr (!is_sum(std::remove_cvref_t<decltype(field)>::kKind)) {
      if (is_told || !field.is_key || field.of(a) == field.of(b)) return;
      is_told = true;
      is_before = field.of(a) < field.of(b);
    }
  });
  return is_before;
}

// Where the table says so, rows that no field tells apart become one, where the first of them is.
template <typename Row>
void add_up(std::vector<Row>& rows) {
  if constexpr (Row::described().adds_up) {
    const auto less = [&](size_t a, size_t b) { return is_before(rows[a], rows[b]); };
    std::set<size_t, decltype(less)> known(less);
    size_t kept = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (const auto same = known.find(i); same != known.end()) {
        add_counts(rows[i], rows[*same]);
        continue;
      }
      if (i != kept) rows[kept] = std::move(rows[i]);
      known.insert(kept++);
    }
    rows.resize(kept);
  }
}

}  // namespace oriel::table
