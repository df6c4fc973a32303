#include "query/database_file.h"

#include <fmt/format.h>

#include <vector>

#include "query/views.h"

namespace oriel::query {
namespace {

// The text of stacks is hidden from `*` only.
bool is_in_file(const Column& column, const Logs& logs) { return !is_hidden(column, logs) || column.name == "text"; }

std::vector<std::string> column_list(const Source& source, const Logs& logs) {
  std::vector<std::string> columns;
  for (const Column* column : columns_in_files(source, logs)) columns.push_back(fmt::format("\"{}\"", column->name));
  return columns;
}

// As `columns`, with what stands there.
std::vector<std::string> value_list(std::vector<std::string> columns) {
  for (std::string& column : columns)
    if (column == "\"text\"") column = "CASE WHEN used THEN text END AS text";
  return columns;
}

// The row's number is a column of its own: others refer to it.
std::string statements_for(const Source& source, const Logs& logs) {
  const bool is_numbered = source.columns.front().by == Column::By::kRow;
  std::string declared = is_numbered ? "" : "row_id INTEGER PRIMARY KEY, ";
  for (const Column& column : source.columns) {
    if (!is_in_file(column, logs)) continue;
    const bool is_key = is_numbered && &column == &source.columns.front();
    declared += fmt::format("{}\"{}\"{}", &column == &source.columns.front() ? "" : ", ", column.name,
                            is_key           ? " INTEGER PRIMARY KEY"
                            : column.is_text ? " TEXT"
                                             : "");
  }
  const std::vector<std::string> columns = column_list(source, logs);
  return fmt::format("CREATE TABLE made.{0}({1}); INSERT INTO made.{0}({2}{3}) SELECT {4}{5} FROM main.{0};",
                     source.name, declared, is_numbered ? "" : "row_id, ", fmt::join(columns, ", "),
                     is_numbered ? "" : "rowid, ", fmt::join(value_list(columns), ", "));
}

std::string all_statements(const Logs& logs) {
  std::string all = "PRAGMA made.journal_mode = OFF; PRAGMA made.synchronous = OFF; BEGIN;";
  for (const Source& source : sources()) all += statements_for(source, logs);
  for (const View& view : views()) all += fmt::format("CREATE VIEW made.{} AS\n{};", view.name, view.sql);
  return all + "COMMIT;";
}

// A name that is neither a URI nor an option.
std::string plain_path(const std::string& file) { return file.starts_with('/') ? file : "./" + file; }

Status attach(sqlite3* database, const std::string& file) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(database, "ATTACH ?1 AS made", -1, &statement, nullptr);
  if (code == SQLITE_OK) {
    const std::string path = plain_path(file);
    sqlite3_bind_text(statement, 1, path.c_str(), -1, SQLITE_TRANSIENT);
    code = sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? Status::ok() : Status::error(sqlite3_errmsg(database));
}

}  // namespace

std::vector<const Column*> columns_in_files(const Source& source, const Logs& logs) {
  std::vector<const Column*> columns;
  for (const Column& column : source.columns)
    if (is_in_file(column, logs)) columns.push_back(&column);
  return columns;
}

std::string whole_table(const Source& source, const Logs& logs) {
  return fmt::format("SELECT {} FROM {}", fmt::join(value_list(column_list(source, logs)), ", "), source.name);
}

Status write_database(sqlite3* database, const Logs& logs, const std::string& file) {
  Status status = attach(database, file);
  if (status && sqlite3_exec(database, all_statements(logs).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    status = Status::error(fmt::format("the database cannot be written: {}", sqlite3_errmsg(database)));
    sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  sqlite3_exec(database, "DETACH made", nullptr, nullptr, nullptr);
  return status;
}

}  // namespace oriel::query
