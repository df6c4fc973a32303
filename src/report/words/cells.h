// What stands for a field of a table's row in JSON and CSV. Threads have two columns, the name and the OS id, and so
// have ways of calls: the method, and the row of its caller.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "profile/build/process.h"
#include "profile/table/field.h"
#include "report/words/hits_text.h"
#include "report/words/json.h"
#include "report/words/text.h"

namespace oriel::report {

using table::Kind;

template <Kind K, typename Value>
Json cell(const Value& value, const profile::Profile& profile) {
  if constexpr (K == Kind::kTime || K == Kind::kEnd) {
    return value < 0 ? Json(nullptr) : Json(value);
  } else if constexpr (K == Kind::kThread) {
    return value < profile.threads.size() ? Json(profile.threads[value].name) : Json(nullptr);
  } else if constexpr (K == Kind::kProcess) {
    return value < profile.processes.size() ? Json(process_label(profile.processes[value])) : Json(nullptr);
  } else if constexpr (K == Kind::kFunction || K == Kind::kType) {
    return value == 0 ? Json(nullptr) : Json(profile.functions[value].name);
  } else if constexpr (K == Kind::kNode) {
    return cell<Kind::kFunction>(profile.nodes[value].function, profile);
  } else if constexpr (K == Kind::kCallNode) {
    return value == 0 ? Json(nullptr) : cell<Kind::kFunction>(profile.call_nodes[value].function, profile);
  } else if constexpr (K == Kind::kRow) {
    return value == table::kNone ? Json(nullptr) : Json(value);
  } else if constexpr (K == Kind::kPoints) {
    Json points = Json::array();
    for (const auto& point : value) points.push_back({point.ns, point.value});
    return points;
  } else if constexpr (K == Kind::kHits) {
    return hits_text(value);
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
      visit(std::string(field.name) + "_os_id", value < profile.threads.size() && profile.threads[value].os_id != 0
                                                    ? Json(profile.threads[value].os_id)
                                                    : Json(nullptr));
    if constexpr (kKind == Kind::kCallNode)
      visit(std::string(field.name) + "er", value == 0 ? Json(nullptr) : Json(profile.call_nodes[value].parent));
  });
}

}  // namespace oriel::report
