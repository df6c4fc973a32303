// Fields of tables as SQL and other programs are shown them: each by its place, and as text or as an integer.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "profile/table/field.h"
#include "profile/tables.h"

namespace oriel::table {

// What a row of a table of profile::Tables is.
template <auto kRows>
using RowIn = std::remove_cvref_t<decltype(*(std::declval<const profile::Tables&>().*kRows).begin())>;

// A field of a table's rows, and what stands there in a row.
template <auto kRows, size_t kAt>
struct FieldIn {
  static constexpr auto kDescribed = RowIn<kRows>::described();
  using Field = std::remove_cvref_t<decltype(std::get<kAt>(kDescribed.fields))>;
  static constexpr Kind kKind = Field::kKind;

  static const auto& field() { return std::get<kAt>(kDescribed.fields); }
  static decltype(auto) of(const profile::Tables& tables, size_t row) { return field().of((tables.*kRows)[row]); }
};

// Whether a kind of field is shown as text; the others are integers.
constexpr bool is_text(Kind kind) {
  switch (kind) {
    case Kind::kThread:
    case Kind::kProcess:
    case Kind::kFunction:
    case Kind::kType:
    case Kind::kCallNode:
    case Kind::kWord:
    case Kind::kText:
    case Kind::kTexts:
    case Kind::kPoints:
    case Kind::kHits:
      return true;
    default:
      return false;
  }
}

}  // namespace oriel::table
