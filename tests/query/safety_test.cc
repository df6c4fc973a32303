// Statements only read, cannot take much, and hostile names reach nobody as they are.
#include <gmock/gmock.h>

#include <filesystem>

#include "exports/build_profile.h"
#include "exports/hostile.h"
#include "query/asked.h"
#include "report/words/text.h"

namespace oriel::query {
namespace {

using testing::AskedDatabase;
using ::testing::HasSubstr;
using testing::ProfileBuilder;
using ::testing::StartsWith;

profile::Profile named_profile(const std::vector<std::string>& names) {
  ProfileBuilder builder;
  for (const std::string& name : names)
    builder.sample(builder.thread(name, 7), builder.named_stack({"Main", name + "()"}));
  return builder.profile();
}

TEST(QuerySafety, WhatIsNotReadingIsRefused) {
  AskedDatabase asked(named_profile({"T"}));
  const std::string place = ::testing::TempDir() + "query-safety.db";
  for (const std::string& statement : std::vector<std::string>{"insert into samples(at) values (1)",
                                                               "update samples set at = 1",
                                                               "delete from samples",
                                                               "drop view methods",
                                                               "create table t(a)",
                                                               "create temp table t(a)",
                                                               "create view v as select 1",
                                                               "create index i on samples(at)",
                                                               "create virtual table t using frames",
                                                               "pragma user_version = 1",
                                                               "pragma table_info(samples)",
                                                               "pragma writable_schema = on",
                                                               "begin",
                                                               "commit",
                                                               "savepoint a",
                                                               "vacuum",
                                                               "analyze",

                                                               "alter table samples rename to x",
                                                               "detach main",
                                                               "select load_extension('x.so')",
                                                               "update sqlite_schema set sql = ''",
                                                               "insert into sqlite_schema values (1, 2, 3, 4, 5)"}) {
    const std::string error = asked.error(statement);
    EXPECT_THAT(error, ::testing::AnyOf(StartsWith("only reading is possible"), HasSubstr("may not be"),
                                        HasSubstr("not authorized")))
        << statement;
  }
  for (const std::string& statement :
       std::vector<std::string>{"attach '" + place + "' as a", "vacuum into '" + place + "'"})
    EXPECT_NE(asked.error(statement), "") << statement;
  EXPECT_FALSE(std::filesystem::exists(place));
  EXPECT_EQ(asked.cell("select count(*) from samples"), 1);
}

TEST(QuerySafety, FunctionsThatReachOutsideAreNotThere) {
  AskedDatabase asked(named_profile({"T"}));
  for (const std::string& statement : std::vector<std::string>{
           "select readfile('/etc/passwd')", "select writefile('x', 'y')", "select edit('x')",
           "select * from fsdir('/')", "select * from sqlite_dbpage", "select fts3_tokenizer('simple')"})
    EXPECT_NE(asked.error(statement), "") << statement;
}

TEST(QuerySafety, WhatWouldTakeMuchIsRefused) {
  AskedDatabase asked(named_profile({"T"}));
  EXPECT_NE(asked.error("select zeroblob(2000000000)"), "");
  EXPECT_NE(asked.error("select replace(hex(zeroblob(30000000)), '0', '0123456789')"), "");
  EXPECT_NE(asked.error("select 1" + std::string(300, '+') + "1 from " + std::string(400, '(')), "");
  EXPECT_NE(asked.error("select " + std::string(2'000'000, ' ') + "1"), "");
  std::string deep = "1";
  for (int i = 0; i < 300; ++i) deep = "(" + deep + "+1)";
  EXPECT_NE(asked.error("select " + deep), "");
  std::string many = "select 1";
  for (int i = 0; i < 200; ++i) many += " union all select 1";
  EXPECT_NE(asked.error(many), "");
  EXPECT_NE(asked.error(std::string("select 1\0; select 2", 19)), "");
}

TEST(QuerySafety, ErrorsAreOneLineThatSaysWhere) {
  AskedDatabase asked(named_profile({"T"}));
  EXPECT_EQ(asked.error("select stak from samples"), "no such column: stak, at \"stak from samples\"");
  EXPECT_EQ(asked.error("select *\nfrom samples\nwher at > 1"), "near \"at\": syntax error, in line 3 at \"at > 1\"");
  EXPECT_EQ(asked.error("selct;\n"), "near \"selct\": syntax error, at \"selct;\"");
  EXPECT_EQ(asked.error("select 1\nwher a\r\nfrom samples"), "near \"a\": syntax error, in line 2 at \"a\"");
  EXPECT_EQ(asked.error("select * from sample"), "no such table: sample; did you mean samples?");
  EXPECT_THAT(asked.error("select 1 from"), StartsWith("incomplete input"));
  EXPECT_THAT(asked.error("select \"main\""), StartsWith("no such column: main"));
  EXPECT_THAT(asked.error("select * from frames"), HasSubstr("frames() takes a stack"));
  EXPECT_THAT(asked.error("select '\x1b[31m' from \x1b[31m"), ::testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(asked.error("select 1; select 2; select missing"), HasSubstr("no such column: missing"));
}

TEST(QuerySafety, HostileNamesAreEscaped) {
  AskedDatabase asked(named_profile(testing::hostile_names()));
  const std::string all = "select thread, stack_method, stack_text(stack) from samples";
  for (const Form form : {Form::kTable, Form::kCsv, Form::kJson}) {
    std::string text = asked.text(all, form);
    std::erase(text, '\n');
    if (form == Form::kCsv) std::erase(text, '\t');
    EXPECT_EQ(text, form == Form::kJson ? text : report::clean(text));
    EXPECT_EQ(text.find_first_of(std::string("\0\x07\x1b\r\t", 5)), std::string::npos);
  }
  EXPECT_EQ(asked.rows(all).size(), testing::hostile_names().size());
  for (const std::string& name : testing::hostile_names()) {
    if (name.find('\'') != std::string::npos || name.find('\0') != std::string::npos) continue;
    if (name.empty() || report::clean(name) != name) continue;
    EXPECT_EQ(asked.rows("select 1 from samples where thread = '" + name + "'").size(), 1u) << name;
  }
}

TEST(QuerySafety, CellsOfAllKindsAreWritten) {
  AskedDatabase asked(named_profile({"T"}));
  const std::string all = "select 1 as a, 1.5 as b, null as c, 'x,\"y\"' as d, x'0aff' as e, 1e999 as f, 2 as a";
  EXPECT_EQ(asked.text(all, Form::kCsv), "a,b,c,d,e,f,a_2\n1,1.5,,\"x,\"\"y\"\"\",x'0aff',inf,2\n");
  EXPECT_EQ(asked.text(all, Form::kJson),
            "[\n{\"a\":1,\"b\":1.5,\"c\":null,\"d\":\"x,\\\"y\\\"\",\"e\":\"x'0aff'\",\"f\":null,\"a_2\":2}\n]\n");
  EXPECT_EQ(asked.text("select 1 as a where 0", Form::kJson), "[]\n");
  EXPECT_EQ(asked.text("select 1 as a where 0", Form::kCsv), "a\n");
}

TEST(QuerySafety, NamesOfColumnsAreWhole) {
  AskedDatabase asked(named_profile({"T"}));
  const std::string all = "select 'x' as a_name_of_a_column, '" + std::string(90, 'y') + "' as b_name_of_a_column";
  const std::string narrow = asked.text(all, Form::kTable, 40);
  EXPECT_TRUE(narrow.starts_with("a_name_of_a_column  b_name_of_a_column\n")) << narrow;
  EXPECT_EQ(narrow.find(std::string(90, 'y')), std::string::npos);
  EXPECT_NE(asked.text(all, Form::kTable, query::kNoWidth).find(std::string(90, 'y')), std::string::npos);
}

TEST(QuerySafety, WithoutAWidthNothingIsCut) {
  AskedDatabase asked(named_profile({"T"}));
  const std::string longer(50, 'z');
  const std::string text = asked.text(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1001)"
      " select case when i = 1001 then '" +
          longer + "' else 'a' end as t from n",
      Form::kTable, query::kNoWidth);
  EXPECT_TRUE(text.ends_with("\n" + longer + "\n"));
}

TEST(QuerySafety, ATableFitsItsWidth) {
  AskedDatabase asked(named_profile({std::string(200, 'n'), "short"}));
  std::istringstream lines(asked.text("select at, thread, stack_method, thread_os_id from samples", Form::kTable, 80));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(report::display_width(line), 80u) << line;
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(asked.text("select 'a' as text, 10 as number union all select 'bcdef', 9"),
            "text   number\n"
            "a          10\n"
            "bcdef       9\n");
  EXPECT_EQ(asked.text("select 1 as a; select 2 as b"), "a\n1\n\nb\n2\n");
}

}  // namespace
}  // namespace oriel::query
