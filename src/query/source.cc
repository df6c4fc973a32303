#include "query/source.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/text/utf8.h"
#include "profile/build/process.h"
#include "profile/table/shown_fields.h"
#include "report/words/hits_text.h"

namespace oriel::query {
namespace {

using table::Kind;
using By = Column::By;

using table::RowIn;

template <auto kRows, size_t kAt>
struct FieldIn : table::FieldIn<kRows, kAt> {
  static decltype(auto) of(const Log& log, size_t row) { return table::FieldIn<kRows, kAt>::of(log.profile(), row); }
  static int64_t number(const Log& log, size_t row) { return static_cast<int64_t>(of(log, row)); }
};

template <typename F>
int64_t function_of_node(const Log& log, size_t row) {
  return log.profile().nodes[F::of(log, row)].function;
}
template <typename F>
int64_t function_of_call(const Log& log, size_t row) {
  return log.profile().call_nodes[F::of(log, row)].function;
}
template <typename F>
int64_t stack_of_call(const Log& log, size_t row) {
  return log.index_of_call_node(F::of(log, row));
}

void show_function(int64_t function, const Log& log, sqlite3_context* to) {
  if (function != 0) show_kept_text(log.profile().functions[static_cast<size_t>(function)].name, to);
}
void show_stack(int64_t stack, const Log& log, sqlite3_context* to) {
  if (stack != 0) sqlite3_result_int64(to, log.first_stack + stack);
}
void show_number(uint64_t number, sqlite3_context* to) { sqlite3_result_int64(to, static_cast<int64_t>(number)); }

std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What is not known stays null.
template <typename F, typename Value>
void show_value(const Value& value, const Log& log, sqlite3_context* to) {
  constexpr Kind K = F::kKind;
  if constexpr (K == Kind::kTime || K == Kind::kEnd) {
    if (value >= 0) sqlite3_result_int64(to, value > INT64_MAX - log.later_ns ? INT64_MAX : value + log.later_ns);
  } else if constexpr (K == Kind::kThread) {
    if (value < log.profile().threads.size()) show_kept_text(log.profile().threads[value].name, to);
  } else if constexpr (K == Kind::kProcess) {
    if (value < log.profile().processes.size()) show_text(process_label(log.profile().processes[value]), to);
  } else if constexpr (K == Kind::kFunction || K == Kind::kType) {
    show_function(value, log, to);
  } else if constexpr (K == Kind::kNode) {
    show_stack(value, log, to);
  } else if constexpr (K == Kind::kCallNode) {
    if (value != 0) show_function(log.profile().call_nodes[value].function, log, to);
  } else if constexpr (K == Kind::kRow) {
    constexpr uint32_t kTarget = profile::kTableOf<typename F::Field::TargetRow>;
    if (value != table::kNone) sqlite3_result_int64(to, int64_t{value} + log.first_rows[kTarget]);
  } else if constexpr (K == Kind::kPoints) {
    nlohmann::json points = nlohmann::json::array();
    for (const auto& point : value) points.push_back({point.ns + log.later_ns, point.value});
    show_text(json_text(points), to);
  } else if constexpr (K == Kind::kTexts) {
    show_text(json_text(value), to);
  } else if constexpr (K == Kind::kHits) {
    show_text(report::hits_text(value), to);
  } else if constexpr (K == Kind::kWord || K == Kind::kText) {
    show_text(std::string(value), to);
  } else if constexpr (K == Kind::kNumber) {
    show_number(static_cast<uint64_t>(value), to);
  } else if constexpr (std::is_signed_v<Value> || K == Kind::kFlag) {
    sqlite3_result_int64(to, value);
  } else {
    show_count(value, to);
  }
}

template <typename F>
void show_field(const Log& log, size_t row, sqlite3_context* to) {
  const auto& value = F::of(log, row);
  if constexpr (requires { value.has_value(); }) {
    if (value) show_value<F>(*value, log, to);
  } else {
    show_value<F>(value, log, to);
  }
}

template <typename F>
Column plain_column() {
  Column column{F::field().name, table::kind_name(F::kKind), F::field().help, table::is_text(F::kKind), show_field<F>};
  constexpr bool kIsTime = F::kKind == Kind::kTime || F::kKind == Kind::kEnd;
  constexpr bool kIsFunction = F::kKind == Kind::kFunction || F::kKind == Kind::kType;
  if constexpr (table::kIsField<typename F::Field> && (kIsTime || kIsFunction || F::kKind == Kind::kThread)) {
    column.by = kIsTime ? By::kTime : kIsFunction ? By::kFunction : By::kThread;
    column.number = F::number;
  }
  return column;
}

template <typename F>
void add_thread(std::vector<Column>& to) {
  to.push_back(plain_column<F>());
  to.push_back({std::string(F::field().name) + "_os_id", "number", "its OS id", false,
                [](const Log& log, size_t row, sqlite3_context* out) {
                  const auto thread = F::of(log, row);
                  if (thread < log.profile().threads.size()) show_os_id(log.profile().threads[thread].os_id, out);
                }});
}

template <typename F>
void add_stack(std::vector<Column>& to) {
  const std::string name = F::field().name;
  Column stack = plain_column<F>();
  stack.is = "stack: its number in stacks";
  stack.by = By::kStack;
  stack.number = F::number;
  to.push_back(stack);
  to.push_back(
      {name + "_method", "function", "its innermost function", true,
       [](const Log& log, size_t row, sqlite3_context* out) { show_function(function_of_node<F>(log, row), log, out); },
       By::kFunction, function_of_node<F>});
}

template <typename F>
void add_call(std::vector<Column>& to) {
  const std::string name = F::field().name;
  Column call = plain_column<F>();
  call.is = "function";
  call.by = By::kFunction;
  call.number = function_of_call<F>;
  to.push_back(call);
  to.push_back({name + "er", "row, from 0", "the row of call_figures that its caller has", false,
                [](const Log& log, size_t row, sqlite3_context* out) {
                  constexpr uint32_t kFigures = profile::kTableOf<profile::CallFigures>;
                  const uint32_t node = F::of(log, row);
                  if (node != 0)
                    sqlite3_result_int64(out,
                                         int64_t{log.profile().call_nodes[node].parent} + log.first_rows[kFigures]);
                }});
  to.push_back(
      {name + "_stack", "stack: its number in stacks", "the way on which it was reached", false,
       [](const Log& log, size_t row, sqlite3_context* out) { show_stack(stack_of_call<F>(log, row), log, out); },
       By::kStack, stack_of_call<F>});
}

template <typename F>
void add_columns_of(std::vector<Column>& to) {
  if constexpr (F::kKind == Kind::kThread)
    add_thread<F>(to);
  else if constexpr (F::kKind == Kind::kNode)
    add_stack<F>(to);
  else if constexpr (F::kKind == Kind::kCallNode)
    add_call<F>(to);
  else
    to.push_back(plain_column<F>());
}

template <auto kRows, size_t... kAt>
void add_fields(std::vector<Column>& to, std::index_sequence<kAt...>) {
  (add_columns_of<FieldIn<kRows, kAt>>(to), ...);
}

// What is told of the whole log.
void add_log_columns(std::vector<Column>& to) {
  if (std::ranges::find(to, "process", &Column::name) == to.end())
    to.push_back({.name = "process",
                  .is = "process",
                  .help = "whose log it is",
                  .is_text = true,
                  .show = [](const Log& log, size_t, sqlite3_context* out) { show_kept_text(log.process, out); },
                  .of_log = true});
  to.push_back({.name = "run",
                .is = "text",
                .help = "the run that the log belongs to, or else its file",
                .is_text = true,
                .show = [](const Log& log, size_t, sqlite3_context* out) { show_kept_text(log.run, out); },
                .of_log = true});
}

template <auto kRows>
Source source_of(const char* name, const char* help) {
  constexpr size_t kFields = std::tuple_size_v<decltype(RowIn<kRows>::described().fields)>;
  Source source{name, help, {}, [](const Log& log) { return (log.profile().*kRows).size(); }};
  add_fields<kRows>(source.columns, std::make_index_sequence<kFields>());
  source.is_whole = RowIn<kRows>::described().part == table::Part::kWhole;
  return source;
}

// To whom objects belong, which takes the stacks of all of them.
void add_own_sites(std::vector<Column>& to) {
  to.push_back({"own_site", "function", "the nearest of the program's own methods, or else the site", true,
                [](const Log& log, size_t row, sqlite3_context* out) {
                  show_function(log.allocation_sites()[row].function, log, out);
                }});
  to.push_back({"own_line", "text", "the line there, as Cart.cs:42, if it is known", true,
                [](const Log& log, size_t row, sqlite3_context* out) {
                  const uint32_t node = log.allocation_sites()[row].node;
                  const std::string line = node == 0 ? "" : log.line(log.index_of_call_node(node));
                  if (!line.empty()) show_text(line, out);
                }});
}

std::vector<Source> all_sources() {
  std::vector<Source> all;
#define ORIEL_TABLE(name, Row, Rows, help) all.push_back(source_of<&profile::Tables::name>(#name, help));
  ORIEL_TABLES(ORIEL_TABLE)
#undef ORIEL_TABLE
  add_own_sites(std::ranges::find(all, "allocations", &Source::name)->columns);
  add_dictionaries(all);
  add_covered_lines(all);
  for (Source& source : all) add_log_columns(source.columns);
  return all;
}

}  // namespace

void show_text(const std::string& text, sqlite3_context* to) {
  if (is_valid_utf8(text)) {
    sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return;
  }
  std::string valid = text;
  make_valid_utf8(valid);
  sqlite3_result_text64(to, valid.data(), valid.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void show_kept_text(const std::string& text, sqlite3_context* to) {
  sqlite3_result_text64(to, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void show_kept_or_null(const std::string& text, sqlite3_context* to) {
  if (!text.empty()) show_kept_text(text, to);
}

void show_count(uint64_t count, sqlite3_context* to) {
  sqlite3_result_int64(to, static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX)));
}
void show_os_id(uint64_t id, sqlite3_context* to) {
  if (id != 0) show_count(id, to);
}

const std::vector<Source>& sources() {
  static const std::vector<Source> kAll = all_sources();
  return kAll;
}

const Source* find_source(const std::string& name) {
  const auto found = std::ranges::find(sources(), name, &Source::name);
  return found == sources().end() ? nullptr : &*found;
}

const std::vector<uint8_t>& used_stacks(const Log& log) {
  if (log.used_stacks) return *log.used_stacks;
  std::vector<uint8_t> used(log.stack_count() + size_t{1});
  for (const Source& source : sources()) {
    if (source.name == "stacks") continue;
    for (const Column& column : source.columns) {
      if (column.by != By::kStack) continue;
      for (size_t row = 0; row < source.rows(log); ++row) used[static_cast<size_t>(column.number(log, row))] = 1;
    }
  }
  return log.used_stacks.emplace(std::move(used));
}

}  // namespace oriel::query
