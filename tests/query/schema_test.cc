// The lists of tables, views and columns, and what is the beginning of a statement.
#include "query/schema.h"

#include <gtest/gtest.h>

#include <sstream>

#include "query/database.h"
#include "report/words/text.h"

namespace oriel::query {
namespace {

TEST(QuerySchema, LinesFitTheirWidthAndGoOnBelowTheirText) {
  for (const size_t width : {80u, 100u}) {
    std::ostringstream list, columns;
    write_table_list(width, list);
    EXPECT_TRUE(write_schema("stacks", width, columns));
    EXPECT_TRUE(write_schema("covered_lines", width, columns));
    for (const std::string& all : {list.str(), columns.str()}) {
      std::istringstream lines(all);
      for (std::string line; std::getline(lines, line);) EXPECT_LE(report::display_width(line), width) << line;
    }
    // "table  a row is": a cell's further lines begin where its first does.
    std::istringstream lines(list.str());
    std::string head, line;
    std::getline(lines, head);
    const size_t text = head.find("a row is");
    bool any = false;
    while (std::getline(lines, line) && !line.empty()) {
      if (!line.starts_with(' ')) continue;
      EXPECT_EQ(line.find_first_not_of(' '), text) << line;
      any = true;
    }
    EXPECT_TRUE(any || width > 80);
  }
}

TEST(QuerySchema, BlanksAndCommentsBeginNoStatement) {
  for (const char* text : {"", "\n", " \t\r\n", "-- a comment\n", "-- a comment", "/* a */ -- b\n", "/* a\n b */\n"})
    EXPECT_TRUE(Database::is_blank(text)) << text;
  for (const char* text : {"select", "-- a\nselect", "/* goes on\n", "/*/", "- 1", "/", ";", "/* a */ ;"})
    EXPECT_FALSE(Database::is_blank(text)) << text;
}

}  // namespace
}  // namespace oriel::query
