// Rows that are the same but for what they count.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "profile/hashed_rows.h"
#include "profile/table/field.h"
#include "profile/table/hits.h"

namespace oriel::table {

// Fields of these kinds are added up; a flag is set where any is.
constexpr bool is_sum(Kind kind) {
  return kind == Kind::kCount || kind == Kind::kBytes || kind == Kind::kLength || kind == Kind::kDuration;
}

// Adds what `from` counts. Of what several processes count alike, it is the largest. A text beside the key stays,
// unless it is empty.
template <typename Row>
void add_counts(const Row& from, Row& to) {
  bool shared = false;
  if constexpr (requires { from.is_shared(); }) shared = from.is_shared();
  each_stored_field<Row>([&](const auto& field) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
    auto& sum = field.of(to);
    if constexpr (is_sum(kKind)) sum = shared ? std::max(sum, field.of(from)) : sum + field.of(from);
    if constexpr (kKind == Kind::kFlag) sum = sum || field.of(from);
    if constexpr (kKind == Kind::kHits) add_hits(field.of(from), sum);
    if constexpr (kKind == Kind::kText)
      if (sum.empty()) sum = field.of(from);
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

template <Kind K, typename Row, typename Value, typename Target>
constexpr bool tells_apart(const Field<K, Row, Value, Target>& field) {
  return field.is_key && !is_sum(K) && K != Kind::kHits;
}
template <Kind K, typename Get>
constexpr bool tells_apart(const Derived<K, Get>&) {
  return false;
}

template <typename Row, size_t At>
auto key_part(const Row& row) {
  static constexpr auto kDescribed = Row::described();
  static constexpr const auto& kField = std::get<At>(kDescribed.fields);
  if constexpr (tells_apart(kField))
    return std::tie(kField.of(row));
  else
    return std::tuple<>();
}
// The fields that tell rows apart, in their order, unless the row has a key() of its own. A tuple.
template <typename Row>
auto key_of(const Row& row) {
  if constexpr (requires { row.key(); }) {
    return row.key();
  } else {
    return [&]<size_t... At>(std::index_sequence<At...>) { return std::tuple_cat(key_part<Row, At>(row)...); }
    (std::make_index_sequence<std::tuple_size_v<decltype(Row::described().fields)>>());
  }
}

template <typename Row>
bool is_before(const Row& a, const Row& b) {
  return key_of(a) < key_of(b);
}

inline uint64_t hash_of(const std::string& text) { return std::hash<std::string>()(text); }
inline uint64_t hash_of(uint64_t number) { return number; }

template <typename Row>
uint64_t hash_of_key(const Row& row) {
  uint64_t hash = 0;
  std::apply([&](const auto&... parts) { ((hash = profile::mix(hash, hash_of(parts))), ...); }, key_of(row));
  return hash;
}

// Finds the rows of a table by their keys.
template <typename Row>
class RowIndex {
 public:
  // Adds the counts to the row with that key, or adds the row if there is none. Returns that row's number. Call it with
  // the same table always, of which it knows all rows, and whose keys nobody else changes.
  uint32_t add(Row row, std::vector<Row>& rows) {
    if (slots_.size() <= 2 * rows.size()) grow(rows);
    uint32_t& slot = slots_[slot_of(row, rows)];
    if (slot == kNone) {
      slot = static_cast<uint32_t>(rows.size());
      rows.push_back(std::move(row));
    } else {
      add_counts(row, rows[slot]);
    }
    return slot;
  }
  // Makes all rows known.
  void grow(const std::vector<Row>& rows) {
    constexpr size_t kLeast = 64;
    std::vector<uint32_t>(std::max(kLeast, std::bit_ceil(rows.size() * 4)), kNone).swap(slots_);
    for (uint32_t i = 0; i < rows.size(); ++i) slots_[slot_of(rows[i], rows)] = i;
  }

 private:
  // The slot of the key, or the empty one where it would go.
  size_t slot_of(const Row& key, const std::vector<Row>& rows) const {
    size_t slot = hash_of_key(key) & (slots_.size() - 1);
    while (slots_[slot] != kNone && key_of(rows[slots_[slot]]) != key_of(key)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  std::vector<uint32_t> slots_;  // a power of two, at most half of them in use
};

// Where the table says so, rows that no field tells apart become one, where the first of them is.
template <typename Row>
void add_up(std::vector<Row>& rows) {
  if constexpr (Row::described().adds_up) {
    RowIndex<Row> known;
    for (Row& row : std::exchange(rows, {})) known.add(std::move(row), rows);
  }
}

}  // namespace oriel::table
