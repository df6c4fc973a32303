#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imports/formats.h"
#include "oriel/oriel.h"
#include "read_back.h"
#include "statements/moar_sql.h"

namespace oriel::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A thread that calls fib, which calls itself, and one that has only a collection. The numbers of the second form are
// strings, and members come in another order.
const std::string kJson =
    R"J([{"1":{"name":"fib","line":2,"file":"small.raku"},"2":{"name":"","line":5,"file":"SETTING::src/Int.pm6"},
"7":"Int"},
{"total_time":100,"thread":1,"start_time":0,"spesh_time":5,"parent":0,
 "gcs":[{"time":30,"start_time":40,"sequence":3,"retained_bytes":7,"responsible":1,"promoted_bytes":8,"cleared_bytes":9,"gen2_roots":2,"full":1,
         "deallocs":[{"nursery_seen":1,"id":"7"}]}],
 "call_graph":{"inclusive_time":90,"id":"1","exclusive_time":50,"entries":3,"jit_entries":"2","osr":1,
  "callees":[{"callees":[],"allocations":[{"id":"7","count":"4","replaced":6}],"deopt_one":1,"deopt_all":2,
    "exclusive_time":"30","inclusive_time":"40","entries":"5","spesh_entries":3,"inlined_entries":1,"id":"2"}]}},
{"total_time":60,"gcs":[{"time":20,"start_time":45,"sequence":3,"retained_bytes":0,"responsible":0,"promoted_bytes":1,"cleared_bytes":0,"gen2_roots":0,"full":1}],"thread":3,"start_time":70}])J";

const std::string kSql = R"S(BEGIN;
CREATE TABLE types(id INTEGER PRIMARY KEY ASC, name TEXT, extra_info JSON, type_links JSON);
CREATE TABLE routines(id INTEGER PRIMARY KEY ASC, name TEXT, line INT, file TEXT);
CREATE TABLE gcs(time INT, retained_bytes INT, promoted_bytes INT, gen2_roots INT, stolen_gen2_roots INT, full INT, responsible INT, cleared_bytes INT, start_time INT, sequence_num INT, thread_id INT, PRIMARY KEY(sequence_num, thread_id));
CREATE TABLE calls(id INTEGER PRIMARY KEY ASC, parent_id INT, routine_id INT, osr INT, spesh_entries INT, jit_entries INT, inlined_entries INT, inclusive_time INT, exclusive_time INT, entries INT, deopt_one INT, deopt_all INT, rec_depth INT, first_entry_time INT, highest_child_id INT, FOREIGN KEY(routine_id) REFERENCES routines(id));
CREATE TABLE profile(total_time INT, spesh_time INT, thread_id INT, parent_thread_id INT, root_node INT, first_entry_time INT, FOREIGN KEY(root_node) REFERENCES calls(id));
CREATE TABLE deallocations(gc_seq_num INT, gc_thread_id INT, type_id INT, nursery_fresh INT, nursery_seen INT, gen2 INT);
CREATE TABLE allocations(call_id INT, type_id INT, spesh INT, jit INT, count INT, replaced INT, PRIMARY KEY(call_id, type_id));
INSERT INTO types VALUES ('7','Int',json_object('typename', 'Int','managed_size', 32),json_object());
INSERT INTO routines VALUES ('1','fib','2','small.raku'), ('2','','5','SETTING::src/Int.pm6');
INSERT INTO calls VALUES (0,0,1,1,0,2,0,90,50,3,0,0,0,0,1), (1,0,2,0,3,0,1,40,30,5,1,2,0,20,1);
INSERT INTO allocations VALUES (1,7,0,0,4,6);
INSERT INTO deallocations VALUES (3,1,7,0,1,0);
INSERT INTO gcs VALUES (30,7,8,2,0,1,1,9,40,3,1), (20,0,1,0,0,1,0,0,45,3,3);
INSERT INTO profile VALUES (100,5,1,0,0,0), (60,0,3,0,NULL,70);
END;
)S";

[[maybe_unused]] const bool kReadsStatements = (read_statements_with(statements::read_moar_sql), true);

ReadBack imported_moar(const std::string& text) {
  LogMaker maker;
  const Status status = parse_moar(text, maker);
  EXPECT_TRUE(status) << (status ? "" : status.message());
  return read_back(maker);
}

std::string refused_moar(const std::string& text) {
  LogMaker maker;
  const Status status = parse_moar(text, maker);
  return status ? "" : status.message();
}

std::string with_statement(const std::string& statement) {
  std::string text = kSql;
  return text.insert(text.find("END;"), statement + "\n");
}

class MoarImport : public ::testing::TestWithParam<const std::string*> {
 protected:
  bool is_sql() const { return GetParam() == &kSql; }
};

INSTANTIATE_TEST_SUITE_P(Forms, MoarImport, ::testing::Values(&kJson, &kSql),
                         [](const auto& form) { return form.param == &kSql ? "Sql" : "Json"; });

TEST_P(MoarImport, CallsHaveTheirTimesAndCode) {
  ASSERT_TRUE(is_moar(*GetParam()));
  const ReadBack log = imported_moar(*GetParam());
  ASSERT_THAT(log.graphs, SizeIs(1));
  const log::CallGraph& graph = log.graphs[0];
  EXPECT_EQ(log.threads.at(graph.thread).name, "thread 1");
  ASSERT_THAT(graph.nodes, SizeIs(2));
  EXPECT_EQ(log.methods.at(graph.nodes[0].method), ".fib (small.raku:2)");
  EXPECT_EQ(log.methods.at(graph.nodes[1].method), ".[block] (Int.pm6:5)");
  EXPECT_EQ(graph.nodes[0].parent, 0u);
  EXPECT_EQ(graph.nodes[1].parent, 1u);
  EXPECT_EQ(graph.nodes[0].calls, 3u);
  EXPECT_EQ(graph.nodes[1].calls, 5u);
  EXPECT_EQ(graph.nodes[0].ticks, 90'000u);
  EXPECT_EQ(graph.entries[0].self_ticks, 50'000u);
  EXPECT_EQ(graph.entries[1].self_ticks, 30'000u);
  EXPECT_EQ(graph.entries[0].compiled, 2u);
  EXPECT_EQ(graph.entries[0].replaced, 1u);
  EXPECT_EQ(graph.entries[1].specialized, 3u);
  EXPECT_EQ(graph.entries[1].inlined, 1u);
  EXPECT_EQ(graph.entries[1].deoptimized, 1u);
  EXPECT_EQ(graph.entries[1].deoptimized_all, 2u);
  EXPECT_EQ(log.property("imported.left-out"),
            "6 objects that compiled code did without, 1 count of freed objects by type, 1 thread's time in the "
            "specializer");
  EXPECT_TRUE(log.ended);
}

TEST_P(MoarImport, ObjectsHaveTheirBytesWhereTheFileTellsTheSizeOfTypes) {
  const ReadBack log = imported_moar(*GetParam());
  ASSERT_THAT(log.graphs[0].nodes[1].allocations, SizeIs(1));
  const log::CallAllocation& one = log.graphs[0].nodes[1].allocations[0];
  EXPECT_EQ(log.classes.at(one.klass), "Int");
  EXPECT_EQ(one.objects, 4u);
  EXPECT_EQ(one.bytes, is_sql() ? 128u : 0u);
}

TEST_P(MoarImport, CollectionsHaveEachThreadsPart) {
  const ReadBack log = imported_moar(*GetParam());
  ASSERT_THAT(log.gc_parts, SizeIs(2));
  EXPECT_EQ(log.threads.at(log.gc_parts[0].thread).name, "thread 1");
  EXPECT_EQ(log.threads.at(log.gc_parts[1].thread).name, "thread 3");
  EXPECT_EQ(log.gc_parts[0].number, 3u);
  EXPECT_EQ(log.gc_parts[0].counter, 40'000u);
  EXPECT_EQ(log.gc_parts[0].ns, 30'000u);
  EXPECT_TRUE(log.gc_parts[0].responsible);
  EXPECT_FALSE(log.gc_parts[1].responsible);
  EXPECT_EQ(log.gc_parts[0].kept_bytes, 7u);
  EXPECT_EQ(log.gc_parts[0].promoted_bytes, 8u);
  EXPECT_EQ(log.gc_parts[0].freed_bytes, 9u);
  EXPECT_EQ(log.gc_parts[0].roots, 2u);
  const auto begins = log.events_of(oriel_event_gc_begin);
  ASSERT_THAT(begins, SizeIs(1));
  EXPECT_EQ(begins[0].counter, 40'000u);
  EXPECT_EQ(begins[0].values[0], 3u);
  EXPECT_EQ(begins[0].values[1], 2u);
  ASSERT_THAT(log.events_of(oriel_event_gc_end), SizeIs(1));
  EXPECT_EQ(log.events_of(oriel_event_gc_end)[0].counter, 70'000u);
}

TEST_P(MoarImport, ThreadsHaveTheirStartAndEnd) {
  const ReadBack log = imported_moar(*GetParam());
  const auto starts = log.events_of(oriel_event_thread_started), ends = log.events_of(oriel_event_thread_stopped);
  ASSERT_THAT(starts, SizeIs(2));
  ASSERT_THAT(ends, SizeIs(2));
  const std::pair<uint64_t, uint64_t> times[] = {{0, 100'000}, {70'000, 130'000}};
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(starts[i].values[0], starts[i].thread);
    EXPECT_EQ(starts[i].counter, times[i].first);
    EXPECT_EQ(ends[i].values[0], starts[i].thread);
    EXPECT_EQ(ends[i].counter, times[i].second);
  }
}

TEST(MoarSql, OnlyRowsForItsTablesAreRun) {
  for (const char* statement :
       {"ATTACH 'x.db' AS x;", "CREATE TABLE other(a);", "CREATE VIEW v AS SELECT 1;", "PRAGMA user_version = 1;",
        "DROP TABLE calls;", "DELETE FROM calls;", "UPDATE calls SET entries = 1;", "SELECT * FROM calls;",
        "INSERT INTO types SELECT id + 100, name, 1, 1 FROM routines;", "VACUUM INTO 'x.db';",
        "INSERT INTO types VALUES (8, load_extension('x'), 1, 1);", "INSERT INTO types VALUES (8, zeroblob(9), 1, 1);",
        "CREATE TRIGGER t AFTER INSERT ON types BEGIN SELECT 1; END;", "CREATE TEMP TABLE types(a);",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) INSERT INTO types SELECT n, n, n, n FROM r;",
        "INSERT INTO types SELECT value, 1, 1, 1 FROM json_each('[8]');", "ANALYZE;",
        "CREATE VIRTUAL TABLE gcs2 USING fts5(a);", "INSERT INTO sqlite_master VALUES (1, 1, 1, 1, 1);"})
    EXPECT_THAT(refused_moar(with_statement(statement)), HasSubstr("line 16: ")) << statement;
  EXPECT_THAT(refused_moar(with_statement("nonsense;")), HasSubstr("line 16: near \"nonsense\""));
}

TEST(MoarSql, WorkIsInProportionToTheFile) {
  std::string rows = "(VALUES (1)", joined;
  for (int i = 0; i < 50; ++i) rows += ",(1)";
  for (const char name : {'a', 'b', 'c', 'd', 'e', 'f'}) joined += (joined.empty() ? "" : ",") + rows + ") " + name;
  EXPECT_NE(refused_moar(with_statement("INSERT INTO deallocations SELECT 1,1,1,1,1,1 FROM " + joined + ";")), "");
  EXPECT_THAT(refused_moar(with_statement("INSERT INTO types SELECT null,1,1,1 FROM " + joined + ";")),
              HasSubstr("line 16: it is none of MoarVM's statements"));
}

// Values that SQLite works out when they are read are stored nowhere, so that no limit of memory sees them.
TEST(MoarSql, TablesHaveColumnsAndNothingThatIsWorkedOut) {
  for (const char* columns : {"id, name AS (id || id) VIRTUAL", "id, name GENERATED ALWAYS AS (id)",
                              "id CHECK (id > 0)", "id DEFAULT (1)", "id COLLATE nocase", "id, name\tAS (id)"}) {
    std::string text = kSql;
    const size_t begin = text.find("CREATE TABLE deallocations(") + std::string("CREATE TABLE deallocations(").size();
    text.replace(begin, text.find(");", begin) - begin, columns);
    EXPECT_THAT(refused_moar(text), HasSubstr("line 7: it is none of MoarVM's statements")) << columns;
  }
}

TEST(MoarSql, AfterAByteOfZeroNothingIsReadAndThatIsSaid) {
  // What a file is, its first 64 KB say.
  std::string text = with_statement(std::string(70'000, '\n') + "INSERT INTO types VALUES (8, 'x', 1, 1);");
  text.insert(text.find("INSERT INTO types VALUES (8"), 3, '\0');
  EXPECT_EQ(imported_moar(text).property("imported.cut"), "It has a byte 0, behind which nothing was read");
}

TEST(MoarSql, OfACutFileEverythingBeforeTheCutIsRead) {
  std::string cut = with_statement("INSERT INTO calls VALUES (2,0,2,0,0,0,0,1,1,1,0,0,0,0,2), (3,0,");
  cut.resize(cut.find("END;"));
  cut.erase(cut.find("INSERT INTO profile"), cut.find("INSERT INTO calls VALUES (2") - cut.find("INSERT INTO profile"));
  const ReadBack log = imported_moar(cut);
  ASSERT_THAT(log.graphs, SizeIs(1));
  EXPECT_THAT(log.graphs[0].nodes, SizeIs(2));
  EXPECT_EQ(log.threads.at(log.graphs[0].thread).name, "[thread not known]");
  EXPECT_EQ(log.property("imported.cut"), "It was cut within a statement");
}

TEST(MoarSql, RowsWithoutACallerAreCounted) {
  const ReadBack log = imported_moar(with_statement("INSERT INTO calls VALUES (9,8,2,0,0,0,0,1,1,1,0,0,0,0,2);"));
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 row of calls that no thread has"));
}

TEST(MoarJson, WhatIsNoProfileIsRefused) {
  EXPECT_THAT(refused_moar("[{"), HasSubstr("it is no JSON from byte"));
  EXPECT_THAT(refused_moar("[{}]"), "it has no calls");
  EXPECT_FALSE(is_moar("[{\"name\":\"x\",\"file\":1,\"line\":2}]"));
  EXPECT_FALSE(is_moar("{\"1\":{\"line\":1,\"file\":\"\"}}"));
  EXPECT_FALSE(is_moar(""));
}

TEST(MoarJson, CallsThatNestWithoutEndAreRefused) {
  const auto nested = [](size_t depth) {
    std::string text = R"J([{"1":{"name":"f","line":1,"file":"f"}},{"thread":1,"call_graph":)J";
    for (size_t i = 0; i < depth; ++i) text += R"J({"id":1,"entries":1,"callees":[)J";
    for (size_t i = 0; i < depth; ++i) text += "]}";
    return text + "}]";
  };
  EXPECT_THAT(imported_moar(nested(2000)).graphs[0].nodes, SizeIs(2000));
  EXPECT_THAT(refused_moar(nested(100'001)), HasSubstr("nest more than 100000 deep"));
}

}  // namespace
}  // namespace oriel::imports
