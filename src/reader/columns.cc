#include "reader/columns.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "profile/build/process.h"
#include "profile/table/shown_fields.h"
#include "report/words/hits_text.h"

namespace oriel::reader {

using profile::Profile;

namespace {

using table::Kind;

using table::FieldIn;
using table::RowIn;

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <Kind K, typename Value>
void show_value(const Profile& profile, const Value& value, Cell& to) {
  if constexpr (K == Kind::kTime || K == Kind::kEnd) {
    if (value >= 0) to.set_integer(value);
  } else if constexpr (K == Kind::kThread) {
    if (value < profile.threads.size()) to.set_view(profile.threads[value].name);
  } else if constexpr (K == Kind::kProcess) {
    if (value < profile.processes.size()) to.set_text(process_label(profile.processes[value]));
  } else if constexpr (K == Kind::kFunction || K == Kind::kType) {
    show_function(profile, value, to);
  } else if constexpr (K == Kind::kNode) {
    show_stack(value, to);
  } else if constexpr (K == Kind::kCallNode) {
    show_function(profile, profile.call_nodes[value].function, to);
  } else if constexpr (K == Kind::kRow) {
    if (value != table::kNone) to.set_integer(value);
  } else if constexpr (K == Kind::kPoints) {
    nlohmann::json points = nlohmann::json::array();
    for (const auto& point : value) points.push_back({point.ns, point.value});
    to.set_text(json_text(points));
  } else if constexpr (K == Kind::kTexts) {
    to.set_text(json_text(value));
  } else if constexpr (K == Kind::kHits) {
    to.set_text(report::hits_text(value));
  } else if constexpr (K == Kind::kWord || K == Kind::kText) {
    to.set_text(std::string(value));
  } else if constexpr (std::is_signed_v<Value> || K == Kind::kFlag) {
    to.set_integer(value);
  } else {
    to.set_count(static_cast<uint64_t>(value));
  }
}

template <typename F>
void show_field(const Profile& profile, size_t row, Cell& to) {
  const auto& value = F::of(profile, row);
  if constexpr (requires { value.has_value(); }) {
    if (value) show_value<F::kKind>(profile, *value, to);
  } else {
    show_value<F::kKind>(profile, value, to);
  }
}

constexpr oriel_log_type type_of(Kind kind) {
  return table::is_text(kind) ? oriel_log_type_text : oriel_log_type_integer;
}

template <typename F>
void add_thread_id(std::vector<Column>& to, const std::string& name) {
  to.push_back({name + "_os_id", "number", "its OS id", oriel_log_type_integer,
                [](const Profile& profile, size_t row, Cell& cell) {
                  const auto thread = F::of(profile, row);
                  if (thread < profile.threads.size()) cell.set_os_id(profile.threads[thread].os_id);
                }});
}

template <typename F>
void add_method_of_stack(std::vector<Column>& to, const std::string& name) {
  to.push_back({name + "_method", "function", "its innermost function", oriel_log_type_text,
                [](const Profile& profile, size_t row, Cell& cell) {
                  show_function(profile, profile.nodes[F::of(profile, row)].function, cell);
                }});
}

template <typename F>
void add_way_of_calls(std::vector<Column>& to, const std::string& name) {
  to.push_back({name + "er", "row, from 0", "the row of call_figures that its caller has", oriel_log_type_integer,
                [](const Profile& profile, size_t row, Cell& cell) {
                  const uint32_t node = F::of(profile, row);
                  if (node != 0) cell.set_integer(profile.call_nodes[node].parent);
                }});
  to.push_back({name + "_stack", "stack: its number in stacks", "the way on which it was reached",
                oriel_log_type_integer, [](const Profile& profile, size_t row, Cell& cell) {
                  show_stack(number_of_call_stack(profile, F::of(profile, row)), cell);
                }});
}

template <typename F>
void add_columns_of(std::vector<Column>& to) {
  const std::string name = F::field().name;
  const char* is = F::kKind == Kind::kNode ? "stack: its number in stacks" : table::kind_name(F::kKind);
  to.push_back({name, is, F::field().help, type_of(F::kKind), show_field<F>});
  if constexpr (F::kKind == Kind::kThread) add_thread_id<F>(to, name);
  if constexpr (F::kKind == Kind::kNode) add_method_of_stack<F>(to, name);
  if constexpr (F::kKind == Kind::kCallNode) add_way_of_calls<F>(to, name);
}

template <auto kRows, size_t... kAt>
void add_fields(std::vector<Column>& to, std::index_sequence<kAt...>) {
  (add_columns_of<FieldIn<kRows, kAt>>(to), ...);
}

template <auto kRows>
Source source_of(const char* name, const char* doc) {
  constexpr size_t kFields = std::tuple_size_v<decltype(RowIn<kRows>::described().fields)>;
  Source source{name, doc, [](const Profile& profile) { return (profile.*kRows).size(); }};
  add_fields<kRows>(source.columns, std::make_index_sequence<kFields>());
  return source;
}

}  // namespace

void Cell::set_count(uint64_t value) { set_integer(static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX))); }

void show_function(const Profile& profile, uint32_t function, Cell& to) {
  if (function != 0) to.set_view(profile.functions[function].name);
}

void show_stack(uint32_t number, Cell& to) {
  if (number != 0) to.set_integer(number);
}

const std::vector<Source>& sources() {
  static const std::vector<Source> kAll = [] {
    std::vector<Source> all;
#define ORIEL_TABLE(name, Row, Rows, help) all.push_back(source_of<&profile::Tables::name>(#name, help));
    ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
    add_dictionaries(all);
    return all;
  }();
  return kAll;
}

}  // namespace oriel::reader
