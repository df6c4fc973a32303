// JSON and CSV cells of table fields. Threads have two columns: name and OS id.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "profile/build/process.h"
#include "profile/table/field.h"
#include "report/words/json.h"
#include "report/words/text.h"

namespace oriel::report {

using table::Kind;

template <Kind K, typename Value>
Json cell(const Value& value, const profile::Profile& profile) {
  if constexpr (K == Kind::kTime || K == Kind::kEnd) {
    return value < 0 ? Json(nullptr) : Json(value);
  } else if constexpr (K == Kind::kThread) {
    return value == table::kNone ? Json(nullptr) : Json(profile.threads[value].name);
  } else if constexpr (K == Kind::kProcess) {
    return value < profile.processes.size() ? Json(process_label(profile.processes[value])) : Json(nullptr);
  } else if constexpr (K == Kind::kFunction || K == Kind::kType) {
    return value == 0 ? Json(nullptr) : Json(profile.functions[value].name);
  } else if constexpr (K == Kind::kNode) {
    return cell<Kind::kFunction>(profile.nodes[value].function, profile);
  } else if constexpr (K == Kind::kRow) {
    return value == table::kNone ? Json(nullptr) : Json(value);
  } else if constexpr (K == Kind::kPoints) {
    Json points = Json::array();
    for (const auto& point : value) points.push_back({point.ns, point.value});
    return points;
  } else {
    return Json(value);
  }
}
template <Kind K, typename Value>
Json cell(const std::optional<Value>& value, const profile::Profile& profile) {
  return value ? cell<K>(*value, profile) : Json(nullptr);
}

// Calls `visit` with the name of each column and what stands there.
template <typename Row, typename Visit>
void each_cell(const Row& row, const profile::Profile& profile, Visit visit) {
  table::each_field<Row>([&](const auto& field) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(field)>::kKind;
    const auto& value = field.of(row);
    visit(std::string(field.name), cell<kKind>(value, profile));
    if constexpr (kKind == Kind::kThread)
      visit(std::string(field.name) + "_os_id",
            value == table::kNone ? Json(nullptr) : Json(profile.threads[value].os_id));
  });
}

}  // namespace oriel::report
