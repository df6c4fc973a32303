// Checks that docs/TABLES.md matches the tables' descriptions. To regenerate it: ORIEL_REGENERATE=1 test_query
// --gtest_filter='TablesDoc.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "paths.h"
#include "profile/tables.h"
#include "query/source.h"
#include "query/views.h"

namespace oriel::profile {
namespace {

constexpr const char* kBegin =
    "# Tables\n\n"
    "What a log becomes when it is read. `oriel report tables` tells how many rows each table has,\n"
    "`oriel report rows TABLE` writes the rows as CSV, or with `--json`; [`oriel query`](#sql) asks them in SQL. Where "
    "a\n"
    "value is not known the cell is empty, or null. A thread has two columns: `thread` and `thread_os_id`. So has a "
    "way\n"
    "of calls: `call`, its method, and `caller`, the row of `call_figures` that its caller has. This file is written "
    "by\n"
    "a test (`tests/query/tables_doc_test.cc`) from the descriptions in `src/profile/tables/` and `src/query/`.\n";

constexpr const char* kSql =
    "\n# SQL\n\n"
    "`oriel query [FILE…] \"SELECT …\"` asks the tables in SQL, as SQLite has it. Nothing is copied, and nothing can "
    "be\n"
    "changed. `oriel export --format sqlite` writes a database with the same tables and views. They differ from\n"
    "`oriel report rows` in this:\n\n"
    "- `stack` is the stack's number in `stacks`; `stack_method` is its innermost function. So it is with each field "
    "that\n"
    "  is a stack: `first_at` and `first_at_method`. A way of calls has `call_stack` too, its number in `stacks`.\n"
    "- The row's number, from 0, is `rowid`: what `caller` and other fields refer to. In a database file it is also\n"
    "  `row_id`.\n"
    "- Lists are JSON: `json_each(points)` has their elements. A flag is 0 or 1.\n"
    "- Each table has `process` and `run`, which belong to `*` where several logs are asked. A log of no run,"
    "\n"
    "  such as another tool's file, has its file there.\n"
    "- Two functions can have one name: an async `Main` and what waits for it. `function` in `stacks` tells them "
    "apart; of\n"
    "  several logs it is the row of the first one that has the function.\n"
    "- `allocations` has `own_site`, the nearest of the program's own methods, and `own_line`, the line there.\n"
    "- A field that is called as SQL has a word is quoted: `\"from\"`.\n"
    "- Of a log with very many samples, those of one stack that were taken near each other are one row, whose time is\n"
    "  theirs to within `times_within` in `processes`; `--from` and `--to` make it shorter.\n"
    "- Of samples of real time, those of threads that wait for work are left out without `--idle`.\n"
    "- A wait for a lock below 1 ms is logged with a chance in proportion to its length: a row of `lock_waits` stands "
    "for\n"
    "  `max(1, 1e6 / waited)` waits, as `waits_by_lock` counts.\n"
    "- `--from`, `--to`, `--thread` and `--method` do not choose among the rows of these tables, which are of the "
    "whole\n"
    "  log:\n  ";

constexpr const char* kMoreOfSql =
    ".\n\n"
    "Conditions on a time, and those that a thread, a function or a stack is equal to something, reach the table "
    "before\n"
    "SQLite: of a long log only the rows of the time are looked at.\n\n"
    "| function | is |\n|---|---|\n"
    "| contains(STACK, PATTERNS) | whether a function of the stack matches, as `oriel run --calls` has patterns: "
    "`'Shop.*,!*.ToString'` |\n"
    "| stack_text(STACK) | its functions from the outermost on, joined by `;`, of a deep stack the innermost 256; "
    "`[callers not known]` stands before those of a truncated one |\n"
    "| frames(STACK) | a table: `from samples s, frames(s.stack) f`. Columns: depth (0 is the innermost), method, "
    "module, "
    "own, line, stack |\n";

// "`exceptions`, `thrown_at`": each line of the document is short enough to read.
std::string whole_tables() {
  std::string text;
  size_t column = 0;
  for (const query::Source& source : query::sources()) {
    if (!source.is_whole) continue;
    const std::string name = "`" + source.name + "`";
    const bool is_full = column + name.size() > 110;
    text += (text.empty() ? "" : is_full ? ",\n  " : ", ") + name;
    column = (is_full ? 0 : column) + name.size() + 2;
  }
  return text;
}

void write_source(const query::Source& source, std::ostream& out) {
  out << "\n## " << source.name << "\n\nA row is " << source.help << ".\n\n| column | is | what |\n|---|---|---|\n";
  for (const query::Column& column : source.columns)
    if (!column.of_log) out << "| " << column.name << " | " << column.is << " | " << column.help << " |\n";
}

std::string tables_text() {
  std::ostringstream out;
  out << kBegin;
  each_table([&](const TableName& table, auto rows) {
    using Row = std::remove_cvref_t<decltype(*(std::declval<const Tables&>().*rows).begin())>;
    out << "\n## " << table.name << "\n\nA row is " << table.help << ".\n\n| field | is | what |\n|---|---|---|\n";
    table::each_field<Row>([&](const auto& field) {
      out << "| " << field.name << " | " << table::kind_name(field.kKind) << " | " << field.help << " |\n";
    });
  });
  out << kSql << whole_tables() << kMoreOfSql;
  for (const char* name : {"stacks", "threads", "functions", "processes", "covered_lines"})
    write_source(*query::find_source(name), out);
  for (const query::View& view : query::views())
    out << "\n## " << view.name << "\n\nA view of " << view.help << ":\n\n```sql\n" << view.sql << "\n```\n";
  return out.str();
}

TEST(TablesDoc, IsWhatTheTablesSay) {
  if (std::getenv("ORIEL_REGENERATE")) std::ofstream(test_paths::tables_doc) << tables_text();
  std::ifstream file(test_paths::tables_doc);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, tables_text());
}

}  // namespace
}  // namespace oriel::profile
