#include "query/table_module.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "query/scan.h"
#include "query/virtual_table.h"

namespace oriel::query {
namespace {

using By = Column::By;

// What a module was made with, and one table of a statement.
struct Module {
  const Source* source;
  Asked* asked;
};
struct TableOfStatement : sqlite3_vtab {
  const Source* source;
  Asked* asked;
};
struct Cursor : sqlite3_vtab_cursor {
  std::optional<Scan> scan;
  bool has_row = false;
};

Cursor& as_cursor(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }
TableOfStatement& as_table(sqlite3_vtab* table) { return *static_cast<TableOfStatement*>(table); }

std::string quoted_name(const std::string& name) { return '"' + name + '"'; }

std::string declaration(const Source& source, const Asked& asked) {
  std::string text = "CREATE TABLE it(";
  for (const Column& column : source.columns)
    text += quoted_name(column.name) + (column.is_text ? " TEXT" : "") +
            (is_hidden(column, asked.logs) ? " HIDDEN" : "") + (&column == &source.columns.back() ? ")" : ",");
  return text;
}

int connect(sqlite3* database, void* made_with, int, const char* const*, sqlite3_vtab** table, char**) {
  const auto& module = *static_cast<const Module*>(made_with);
  TableOfStatement its{};
  its.source = module.source;
  its.asked = module.asked;
  return connect_as(its, declaration(*module.source, *module.asked).c_str(), database, table);
}

// Conditions that a scan knows, as letters in a plan: one for each, followed by its column's number.
enum : char { kFrom = '>', kTo = '<', kAt = '=', kName = 'n', kStack = 's', kContains = 'c', kRow = 'r' };

// 0: none.
char letter_of(const Source& source, const sqlite3_index_info& info, int at) {
  const auto& condition = info.aConstraint[at];
  const bool is_equal = condition.op == SQLITE_INDEX_CONSTRAINT_EQ;
  if (condition.iColumn < 0) return is_equal ? kRow : 0;
  const Column& column = source.columns[static_cast<size_t>(condition.iColumn)];
  switch (column.by) {
    case By::kNothing:
      return 0;
    case By::kTime:
      if (!column.number) return 0;
      if (condition.op == SQLITE_INDEX_CONSTRAINT_GT || condition.op == SQLITE_INDEX_CONSTRAINT_GE) return kFrom;
      if (condition.op == SQLITE_INDEX_CONSTRAINT_LT || condition.op == SQLITE_INDEX_CONSTRAINT_LE) return kTo;
      return is_equal ? kAt : 0;
    case By::kThread:
    case By::kFunction: {
      const char* collation = sqlite3_vtab_collation(const_cast<sqlite3_index_info*>(&info), at);
      const bool is_exact = !collation || std::strcmp(collation, "BINARY") == 0;
      return is_equal && is_exact && column.number ? kName : 0;
    }
    case By::kStack:
      if (condition.op == SQLITE_INDEX_CONSTRAINT_FUNCTION) return kContains;
      return is_equal ? kStack : 0;
    case By::kRow:
      return is_equal ? kRow : 0;
  }
  return 0;
}

double rows_of(const TableOfStatement& table) {
  constexpr double kGuess = 10'000;
  if (table.source->made_late) return kGuess;
  double rows = 0;
  for (size_t i = 0; i < table.asked->logs.size(); ++i)
    rows += static_cast<double>(table.source->rows(table.asked->logs[i]));
  return rows;
}

// What is left of the rows, and of the time that they take.
void estimate(const std::string& plan, double rows, sqlite3_index_info& info) {
  double kept = rows, looked_at = rows;
  for (const char letter : plan) {
    if (letter == kFrom || letter == kTo) kept /= 4, looked_at /= 4;
    if (letter == kAt) kept /= 1000, looked_at /= 1000;
    if (letter == kName || letter == kContains) kept /= 4;
    if (letter == kStack) kept /= 100;
    if (letter == kRow) kept = looked_at = 1;
  }
  info.estimatedRows = static_cast<sqlite3_int64>(kept) + 1;
  info.estimatedCost = kept + looked_at / 8 + 1;
}

int choose_plan(sqlite3_vtab* table, sqlite3_index_info* info) {
  const TableOfStatement& its = as_table(table);
  std::string plan;
  int arguments = 0;
  for (int i = 0; i < info->nConstraint; ++i) {
    if (!info->aConstraint[i].usable) continue;
    const char letter = letter_of(*its.source, *info, i);
    if (letter == 0) continue;
    info->aConstraintUsage[i].argvIndex = ++arguments;  // SQLite checks each row too: what a scan keeps is a guess
    plan += letter + std::to_string(info->aConstraint[i].iColumn) + ' ';
  }
  estimate(plan, rows_of(its), *info);
  info->idxStr = sqlite3_mprintf("%s", plan.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

// A number as a bound of times: what is not a number bounds nothing.
void keep_times(char letter, const Column& column, sqlite3_value* value, Scan& scan) {
  constexpr double kMost = 9.2e18;
  int64_t from = INT64_MIN, to = INT64_MAX;
  if (sqlite3_value_type(value) == SQLITE_INTEGER) {
    from = to = sqlite3_value_int64(value);
  } else if (const double number = sqlite3_value_double(value);
             sqlite3_value_type(value) == SQLITE_FLOAT && std::abs(number) < kMost) {
    from = static_cast<int64_t>(std::floor(number));
    to = static_cast<int64_t>(std::ceil(number));
  }
  scan.keep_times(column, letter == kTo ? INT64_MIN : from, letter == kFrom ? INT64_MAX : to);
}

std::string text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text ? std::string(text, static_cast<size_t>(sqlite3_value_bytes(value))) : "";
}

// What the row's number begins with: a column that has it is the rowid, as it is of a table in a file.
int64_t first_number(const Source& source) {
  const Column& first = source.columns.front();
  return first.by == By::kRow ? first.first : 0;
}

int keep(char letter, int at, sqlite3_value* value, TableOfStatement& table, Scan& scan) {
  if (letter == kRow) {
    const int64_t first = first_number(*table.source);
    if (sqlite3_value_type(value) != SQLITE_INTEGER) return SQLITE_OK;
    const int64_t number = sqlite3_value_int64(value);
    scan.keep_row(number < INT64_MIN + first ? -1 : number - first);
    return SQLITE_OK;
  }
  const Column& column = table.source->columns[static_cast<size_t>(at)];
  if (letter == kFrom || letter == kTo || letter == kAt) {
    keep_times(letter, column, value, scan);
  } else if (letter == kName) {
    if (sqlite3_value_type(value) == SQLITE_TEXT) scan.keep_name(column, text_of(value));
  } else if (letter == kContains) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return SQLITE_OK;
    const Result<Logs::Sets> sets = table.asked->logs.containing(text_of(value));
    if (!sets) return fail(table, sets.message().c_str());
    scan.keep_stacks(column, *sets);
  } else if (sqlite3_value_type(value) == SQLITE_INTEGER) {
    scan.keep_stack(column, sqlite3_value_int64(value));
  }
  return SQLITE_OK;
}

int begin(sqlite3_vtab_cursor* cursor, int, const char* plan, int count, sqlite3_value** values) {
  TableOfStatement& table = as_table(cursor->pVtab);
  Scan& scan = as_cursor(cursor).scan.emplace(*table.source, table.asked->logs, table.asked->stop);
  for (int i = 0; i < count; ++i) {
    const char letter = *plan++;
    char* end = nullptr;
    const auto column = static_cast<int>(std::strtol(plan, &end, 10));
    plan = end + 1;
    if (const int code = keep(letter, column, values[i], table, scan); code != SQLITE_OK) return code;
  }
  as_cursor(cursor).has_row = scan.start();
  table.asked->looked_at += scan.looked_at();
  return table.asked->stop ? SQLITE_INTERRUPT : SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  Cursor& its = as_cursor(cursor);
  Asked& asked = *as_table(cursor->pVtab).asked;
  const uint64_t before = its.scan->looked_at();
  its.has_row = its.scan->next();
  asked.looked_at += its.scan->looked_at() - before;
  return !its.has_row && asked.stop ? SQLITE_INTERRUPT : SQLITE_OK;
}

int is_at_end(sqlite3_vtab_cursor* cursor) { return as_cursor(cursor).has_row ? 0 : 1; }

int show_column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int column) {
  const Scan& scan = *as_cursor(cursor).scan;
  as_table(cursor->pVtab).source->columns[static_cast<size_t>(column)].show(scan.log(), scan.row(), to);
  return SQLITE_OK;
}

int show_row_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = as_cursor(cursor).scan->number() + first_number(*as_table(cursor->pVtab).source);
  return SQLITE_OK;
}

// So that WHERE contains(stack, '…') reaches choose_plan().
int find_function(sqlite3_vtab* table, int count, const char* name,
                  void (**function)(sqlite3_context*, int, sqlite3_value**), void** argument) {
  if (count != 2 || sqlite3_stricmp(name, "contains") != 0 || as_table(table).asked->has_outer_join) return 0;
  *function = contains_function;
  *argument = as_table(table).asked;
  return SQLITE_INDEX_CONSTRAINT_FUNCTION;
}

// Without xCreate: each is there by its name, and no statement makes or drops it.
constexpr sqlite3_module kTableModule = [] {
  sqlite3_module module = {};
  module.iVersion = 1;
  module.xConnect = connect;
  module.xBestIndex = choose_plan;
  module.xDisconnect = disconnect<TableOfStatement>;
  module.xOpen = open_cursor<Cursor>;
  module.xClose = close_cursor<Cursor>;
  module.xFilter = begin;
  module.xNext = next;
  module.xEof = is_at_end;
  module.xColumn = show_column;
  module.xRowid = show_row_number;
  module.xFindFunction = find_function;
  return module;
}();

}  // namespace

int add_tables(sqlite3* database, Asked& asked) {
  for (const Source& source : sources()) {
    const int code = sqlite3_create_module_v2(database, source.name.c_str(), &kTableModule, new Module{&source, &asked},
                                              [](void* module) { delete static_cast<Module*>(module); });
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace oriel::query
