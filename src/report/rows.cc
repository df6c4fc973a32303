// The rows of a table for other programs: CSV or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/report.h"
#include "report/words/cells.h"
#include "report/words/csv.h"
#include "report/words/json_text.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

// Lists are written as JSON.
std::string csv_cell(const Json& cell) {
  if (cell.is_null()) return "";
  return csv_text(cell.is_string() ? cell.get<std::string>() : json_text(cell));
}

template <typename Row>
void write_csv(const auto& all, const Profile& profile, size_t most, std::ostream& out) {
  std::vector<std::string> cells;
  const auto write = [&](const Row& row, auto text_of) {
    cells.clear();
    each_cell(row, profile, [&](const std::string& name, const Json& cell) { cells.push_back(text_of(name, cell)); });
    out << fmt::format("{}\n", fmt::join(cells, ","));
  };
  write(Row(), [](const std::string& name, const Json&) { return name; });
  for (const Row& row : all) {
    if (most-- == 0) return;
    write(row, [](const std::string&, const Json& cell) { return csv_cell(cell); });
  }
}

template <typename Rows>
using RowOf = std::remove_cvref_t<decltype(*std::declval<const Rows&>().begin())>;

// Calls `visit` with the rows of that table. Returns false if there is no such table.
template <typename Visit>
bool with_table(const Profile& profile, const std::string& wanted, Visit visit) {
  bool found = false;
  profile::each_table([&](const profile::TableName& table, auto rows) {
    if (wanted != table.name) return;
    found = true;
    visit(profile.*rows);
  });
  return found;
}

Status check_rows(const Profile& profile, const NamedOptions& options) {
  if (with_table(profile, options.name, [](const auto&) {})) return Status::ok();
  std::string names;
  profile::each_table(
      [&](const profile::TableName& table, auto) { names += (names.empty() ? "" : ", ") + std::string(table.name); });
  return Status::error(fmt::format("there is no table '{}'; there are {}", options.name, names));
}

void write_rows(const Profile& profile, const NamedOptions& options, std::ostream& out) {
  with_table(profile, options.name,
             [&](const auto& all) { write_csv<RowOf<decltype(all)>>(all, profile, rows(options, SIZE_MAX), out); });
}

void rows_json(const Profile& profile, const NamedOptions& options, Json& json) {
  json["table"] = options.name;
  json["rows"] = Json::array();
  with_table(profile, options.name, [&](const auto& all) {
    size_t left = rows(options, SIZE_MAX);
    for (const auto& row : all) {
      if (left-- == 0) return;
      Json one = Json::object();
      each_cell(row, profile, [&](const std::string& name, Json cell) { one[name] = std::move(cell); });
      json["rows"].push_back(std::move(one));
    }
  });
}

// Without memory that texts and lists allocate.
template <typename Rows>
uint64_t bytes_of(const Rows& rows) {
  return rows.size() * sizeof(RowOf<Rows>);
}

void write_tables(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Tables", profile, options, out);
  Table table({{"rows"}, {"memory"}, {"table", Table::Align::kLeft}}, "a row is");
  profile::each_table([&](const profile::TableName& name, auto rows) {
    const auto& all = profile.*rows;
    table.add({count(all.size()), bytes(bytes_of(all)), name.name},
              [help = name.help](size_t width) { return wrap(help, width, ""); });
  });
  table.write(out, options.width, 0, Style(options.color));
  out << '\n';
  write_note("oriel report rows TABLE writes one table's rows as CSV, or as JSON with --json.", options, out);
}

void tables_json(const Profile& profile, const Options&, Json& json) {
  json["tables"] = Json::array();
  profile::each_table([&](const profile::TableName& name, auto rows) {
    json["tables"].push_back({{"name", name.name},
                              {"what", name.help},
                              {"rows", (profile.*rows).size()},
                              {"bytes", bytes_of(profile.*rows)}});
  });
}

}  // namespace

extern const Report kTablesReport = {
    .name = "tables",
    .help = "the tables of a log, with their row counts",
    .text = write_tables,
    .json = tables_json,
};

extern const Report kRowsReport = {
    .name = "rows",
    .help = "the rows of one table, for other programs: CSV, or JSON",
    .argument = "TABLE",
    .own = own_options<NamedOptions>,
    .check = by_own<check_rows>,
    .text = by_own<write_rows>,
    .json = by_own<rows_json>,
};

}  // namespace oriel::report
