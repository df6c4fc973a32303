// Tables of the C interface: filled at once, in parts, or by a caller who makes up what no decoder would tell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "log/sample_log.h"
#include "oriel/log.hpp"

namespace oriel::reader {
namespace {

using log::ByteVector;

// All cells, by table.
std::map<std::string, std::vector<std::string>> cells_of(const oriel_log_tables* tables) {
  std::map<std::string, std::vector<std::string>> all;
  for (size_t i = 0; const oriel_log_table* table = oriel_log_table_at(tables, i); ++i) {
    std::vector<std::string>& cells = all[oriel_log_table_name(table)];
    for (size_t row = 0; row < oriel_log_table_rows(table); ++row) {
      for (size_t column = 0; const oriel_log_column* its = oriel_log_table_column(table, column); ++column) {
        oriel_log_cell cell{};
        oriel_log_table_cell(table, row, column, &cell);
        EXPECT_TRUE(cell.type == oriel_log_type_null || cell.type == its->type) << its->name;
        cells.push_back(its->name + std::string("=") +
                        (cell.type == oriel_log_type_integer ? std::to_string(cell.integer) : cell.text));
      }
    }
  }
  return all;
}

// `with`: what the decoder tells, instead of the tables' own sink.
oriel_log_tables* filled(const ByteVector& log, oriel_log_sink (*with)(const oriel_log_sink&)) {
  oriel_log_tables* const tables = oriel_log_tables_create(log.size(), nullptr, 0);
  const oriel_log_sink sink = with(*oriel_log_tables_sink(tables));
  EXPECT_EQ(oriel_log_decode_bytes(log.data(), log.size(), &sink, nullptr, nullptr, 0), 0);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  EXPECT_EQ(oriel_log_tables_sink(tables), nullptr);
  return tables;
}

TEST(Tables, InPartsTheyAreWhatTheyAreAtOnce) {
  const ByteVector log = log::sample_log();
  const log::TemporaryFile file(log);
  oriel_log_tables* const whole = oriel_log_tables_load(file.path().c_str(), nullptr, 0);
  oriel_log_tables* const parts = filled(log, [](const oriel_log_sink& sink) { return sink; });
  const auto all = cells_of(whole), in_parts = cells_of(parts);
  EXPECT_GT(all.at("samples").size(), 0u);
  EXPECT_GT(all.at("stacks").size(), 0u);
  EXPECT_GT(all.at("threads").size(), 0u);
  EXPECT_GT(all.at("functions").size(), 0u);
  EXPECT_GT(all.size(), 35u);
  for (const auto& [name, cells] : all) {
    if (name != "processes") {
      EXPECT_EQ(in_parts.at(name), cells) << name;
    }
  }
  oriel_log_tables_destroy(whole);
  oriel_log_tables_destroy(parts);
}

TEST(Tables, ACallerCanStandBetweenDecoderAndTables) {
  oriel_log_tables* const tables = filled(log::sample_log(), [](const oriel_log_sink& sink) {
    oriel_log_sink without = sink;
    without.sample = nullptr;
    return without;
  });
  const auto cells = cells_of(tables);
  EXPECT_EQ(cells.at("samples").size(), 0u);
  EXPECT_GT(cells.at("threads").size(), 0u);
  oriel_log_tables_destroy(tables);
}

TEST(Tables, ARecordThatNobodyWroteIsARow) {
  oriel_log_tables* const tables = oriel_log_tables_create(1000, nullptr, 0);
  const oriel_log_sink& sink = *oriel_log_tables_sink(tables);
  sink.clock(sink.context, 0, 1'000'000);
  sink.clock(sink.context, 1'000'000, 1'001'000);
  const oriel_log_value lost[] = {{0, "made-up", nullptr}, {7, nullptr, nullptr}};
  const oriel_log_record record{oriel_log_describe_record("lost"), lost};
  sink.record(sink.context, &record);
  const uint64_t values[] = {4};
  const oriel_log_event mark{oriel_log_mark, 1, 1, 500'000, values, 0, "here"};
  sink.event(sink.context, &mark);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  const oriel_log_table* const marks = oriel_log_table_named(tables, "marks");
  ASSERT_EQ(oriel_log_table_rows(marks), 1u);
  EXPECT_STREQ(oriel_log_table_text(marks, 0, static_cast<size_t>(oriel_log_column_index(marks, "mark"))), "here");
  const oriel_log_table* const reasons = oriel_log_table_named(tables, "lost");
  ASSERT_EQ(oriel_log_table_rows(reasons), 1u);
  EXPECT_EQ(oriel_log_table_integer(reasons, 0, static_cast<size_t>(oriel_log_column_index(reasons, "count"))), 7);
  oriel_log_tables_destroy(tables);
}

TEST(Tables, WhatNoDecoderWouldTellIsLeftOut) {
  oriel_log_tables* const tables = oriel_log_tables_create(100, nullptr, 0);
  const oriel_log_sink& sink = *oriel_log_tables_sink(tables);
  for (const uint64_t id : {uint64_t{0}, uint64_t{3}, UINT64_MAX}) {
    const oriel_log_stack_node node{id, id == 3 ? 3 : id - 1, 1, 0, 0};
    sink.stack_node(sink.context, &node);
    sink.node_il(sink.context, id, 4);
    const oriel_log_sample sample{1, 10, id, 1};
    sink.sample(sink.context, &sample);
  }
  const uint64_t values[30] = {};
  const oriel_log_event unknown{9999, 30, 1, 1, values, 0, nullptr}, many{oriel_log_mark, 30, 1, 1, values, 0, "\xff"};
  sink.event(sink.context, &unknown);
  sink.event(sink.context, &many);
  const oriel_log_event empty{oriel_log_mark, 4, 1, 1, nullptr, 0, nullptr};
  sink.event(sink.context, &empty);
  const oriel_log_record nothing{oriel_log_describe_record("lost"), nullptr};
  sink.record(sink.context, &nothing);
  const oriel_log_call call{1, 5, 1};
  sink.calls(sink.context, 1, &call, 1);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  EXPECT_GT(cells_of(tables).size(), 35u);
  oriel_log_tables_destroy(tables);
}

TEST(Tables, WhatIsNotThereIsNull) {
  oriel_log_tables* const tables = oriel_log_tables_create(0, nullptr, 0);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  const oriel_log_table* const samples = oriel_log_table_named(tables, "samples");
  oriel_log_cell cell{oriel_log_type_text, 5, nullptr, 0};
  oriel_log_table_cell(samples, 0, 0, &cell);
  EXPECT_EQ(cell.type, oriel_log_type_null);
  EXPECT_STREQ(oriel_log_table_text(samples, SIZE_MAX, SIZE_MAX), "");
  EXPECT_EQ(oriel_log_table_integer(samples, 7, 7), 0);
  EXPECT_EQ(oriel_log_table_column(samples, 99), nullptr);
  EXPECT_EQ(oriel_log_column_index(samples, "nothing"), -1);
  EXPECT_EQ(oriel_log_table_named(tables, "nothing"), nullptr);
  EXPECT_EQ(oriel_log_tables_problem(tables, 99), nullptr);
  oriel_log_tables_destroy(tables);
}

// Results of look-ups go into other functions unseen.
TEST(Tables, WhatIsNullHasNothing) {
  char message[100] = "";
  EXPECT_EQ(oriel_log_tables_load(nullptr, message, sizeof message), nullptr);
  EXPECT_STREQ(message, "NULL is given for the path");
  EXPECT_NE(oriel_log_tables_finish(nullptr, message, sizeof message), 0);
  EXPECT_STREQ(message, "NULL is given for the tables");
  EXPECT_EQ(oriel_log_tables_sink(nullptr), nullptr);
  EXPECT_EQ(oriel_log_tables_problem(nullptr, 0), nullptr);
  EXPECT_EQ(oriel_log_table_at(nullptr, 0), nullptr);
  EXPECT_EQ(oriel_log_table_named(nullptr, "samples"), nullptr);
  EXPECT_STREQ(oriel_log_table_name(nullptr), "");
  EXPECT_STREQ(oriel_log_table_doc(nullptr), "");
  EXPECT_EQ(oriel_log_table_column(nullptr, 0), nullptr);
  EXPECT_EQ(oriel_log_column_index(nullptr, "at"), -1);
  EXPECT_EQ(oriel_log_table_integer(nullptr, 0, 0), 0);
  EXPECT_STREQ(oriel_log_table_text(nullptr, 0, 0), "");
  oriel_log_cell cell{oriel_log_type_text, 5, nullptr, 7};
  oriel_log_table_cell(nullptr, 0, 0, &cell);
  EXPECT_EQ(cell.type, oriel_log_type_null);
  EXPECT_STREQ(cell.text, "");
  oriel_log_tables* const tables = oriel_log_tables_create(0, nullptr, 0);
  const oriel_log_sink& sink = *oriel_log_tables_sink(tables);
  sink.record(sink.context, nullptr);
  sink.event(sink.context, nullptr);
  sink.calls(sink.context, 1, nullptr, 3);
  sink.problem(sink.context, 1, nullptr);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  EXPECT_EQ(oriel_log_table_rows(oriel_log_table_named(tables, "nope")), 0u);
  const oriel_log_table* const samples = oriel_log_table_named(tables, "samples");
  EXPECT_EQ(oriel_log_column_index(samples, nullptr), -1);
  EXPECT_EQ(oriel_log_table_named(tables, nullptr), nullptr);
  oriel_log_table_cell(samples, 0, 0, nullptr);
  oriel_log_tables_destroy(tables);
}

// A thread of the log without an id of the system's.
TEST(Tables, AnIdThatIsNotKnownIsNull) {
  oriel_log_tables* const tables = oriel_log_tables_create(1000, nullptr, 0);
  const oriel_log_sink& sink = *oriel_log_tables_sink(tables);
  const uint64_t values[] = {4};
  const oriel_log_event mark{oriel_log_mark, 1, 1, 500'000, values, 0, "here"};
  sink.event(sink.context, &mark);
  EXPECT_EQ(oriel_log_tables_finish(tables, nullptr, 0), 0);
  for (const char* name : {"threads", "marks"}) {
    const oriel_log_table* const table = oriel_log_table_named(tables, name);
    ASSERT_EQ(oriel_log_table_rows(table), 1u) << name;
    oriel_log_cell cell{};
    oriel_log_table_cell(table, 0, static_cast<size_t>(oriel_log_column_index(table, "thread_os_id")), &cell);
    EXPECT_EQ(cell.type, oriel_log_type_null) << name;
  }
  oriel_log_tables_destroy(tables);
}

}  // namespace
}  // namespace oriel::reader
