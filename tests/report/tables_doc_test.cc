// Checks that docs/TABLES.md matches the tables' descriptions. To regenerate it: ORIEL_REGENERATE=1 test_report
// --gtest_filter='TablesDoc.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "profile/tables.h"

namespace oriel::profile {
namespace {

constexpr const char* kBegin =
    "# Tables\n\n"
    "What a log becomes when it is read. `oriel report tables` tells how many rows each table has,\n"
    "`oriel report rows TABLE` writes the rows as CSV, or with `--json`. Where a value is not known the cell is "
    "empty,\n"
    "or null. A thread has two columns: `thread` and `thread_os_id`. So has a way of calls: `call`, its method, and\n"
    "`caller`, the row of `call_figures` that its caller has. This file is written by a test\n"
    "(`tests/report/tables_doc_test.cc`) from the descriptions in `src/profile/tables/`.\n";

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
  return out.str();
}

TEST(TablesDoc, IsWhatTheTablesSay) {
  if (std::getenv("ORIEL_REGENERATE")) std::ofstream(TABLES_DOC) << tables_text();
  std::ifstream file(TABLES_DOC);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, tables_text());
}

}  // namespace
}  // namespace oriel::profile
