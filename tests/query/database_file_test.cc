// A database file has what the log has, and is read without Oriel.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdio>

#include "profile/shop/shop_log.h"
#include "query/asked.h"
#include "query/source.h"
#include "query/views.h"

namespace oriel::query {
namespace {

using testing::AskedDatabase;
using testing::shop_profile;

std::string answer(sqlite3* database, const std::string& statement) {
  std::string text;
  char* error = nullptr;
  const auto add = [](void* to, int count, char** values, char**) {
    for (int i = 0; i < count; ++i) *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "null") + "|";
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, statement.c_str(), add, &text, &error), SQLITE_OK) << statement << ": " << error;
  sqlite3_free(error);
  return text;
}

TEST(QueryFile, HasTheSameTablesAndViews) {
  const std::string path = ::testing::TempDir() + "query-file-test.sqlite";
  std::remove(path.c_str());
  AskedDatabase asked(shop_profile());
  ASSERT_TRUE(asked.database->write_to(path));
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  EXPECT_EQ(answer(file, "pragma integrity_check"), "ok|");
  const auto check = [&](const std::string& statement) {
    std::string expected;
    for (const nlohmann::json& row : asked.rows(statement))
      for (const nlohmann::json& cell : row)
        expected += (cell.is_null() ? "null" : cell.is_string() ? cell.get<std::string>() : cell.dump()) + "|";
    EXPECT_EQ(answer(file, statement), expected) << statement;
  };
  for (const Source& source : sources()) check("select count(*) from " + source.name);
  for (const View& view : views()) check("select count(*) from " + std::string(view.name));
  check("select periods, stack, thread from samples order by rowid");
  check("select s.periods as a, k.text as b from samples s join stacks k on k.stack = s.stack order by s.rowid");
  EXPECT_EQ(answer(file, "select count(*) from stacks where text is not null and not used"), "0|");
  sqlite3_close(file);
  // What reads goes on, and only reads.
  EXPECT_EQ(asked.cell("select count(*) from collections"), 3);
  EXPECT_NE(asked.error("attach '" + path + "' as a"), "");
  std::remove(path.c_str());
}

TEST(QueryFile, WhatCannotBeWrittenIsAnError) {
  AskedDatabase asked(shop_profile());
  EXPECT_FALSE(asked.database->write_to("/nowhere/at/all.sqlite"));
  EXPECT_EQ(asked.cell("select count(*) from collections"), 3);
}

}  // namespace
}  // namespace oriel::query
