// Block reader, decoder and sink of the C interface: what comes out is what the decoder tells, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "log/recording_sink.h"
#include "log/sample_log.h"
#include "oriel/log.hpp"
#include "paths.h"
#include "reader/sinks.h"

namespace oriel::reader {
namespace {

using log::ByteVector;
using log::RecordingSink;
using testing::HasSubstr;

constexpr uint64_t kMostNodes = UINT32_MAX;

ByteVector bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A whole log, the kept ones, hostile ones, and each with a damaged middle, a torn end, and an intro whose length is
// wrong.
std::vector<ByteVector> logs() {
  std::vector<ByteVector> all = {log::sample_log()};
  for (const std::string& folder : {std::string(test_paths::fuzz_corpus) + "/log", std::string(test_paths::kept_logs)})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) all.push_back(bytes_of(entry.path()));
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].size() < 100) continue;
    ByteVector damaged = all[i], torn = all[i], long_intro = all[i];
    damaged[damaged.size() / 2] ^= 0x55;
    torn.resize(torn.size() - 30);
    long_intro[2] = static_cast<uint8_t>(all[i].size() / 3);
    long_intro[3] = static_cast<uint8_t>(all[i].size() / 3 >> 8);
    all.insert(all.end(), {damaged, torn, long_intro});
  }
  return all;
}

RecordingSink decoded(const ByteVector& log, log::DecodeOutcome& outcome) {
  RecordingSink sink;
  const auto result = log::decode_bytes(log.data(), log.size(), sink);
  if (result) outcome = *result;
  return sink;
}

void expect_same(const RecordingSink& is, const RecordingSink& expected) {
  EXPECT_EQ(is.lines, expected.lines);
  EXPECT_EQ(is.problems, expected.problems);
  EXPECT_EQ(is.clocks.size(), expected.clocks.size());
}

TEST(Chain, RecordsComeThroughTheInterfaceAndBack) {
  for (const ByteVector& log : logs()) {
    log::DecodeOutcome expected;
    const RecordingSink direct = decoded(log, expected);
    RecordingSink through;
    FromCaller from(through, kMostNodes);
    oriel_log_outcome outcome{};
    outcome.size = sizeof outcome;
    char message[200] = "";
    const int failed =
        oriel_log_decode_bytes(log.data(), log.size(), &from.functions(), &outcome, message, sizeof message);
    expect_same(through, direct);
    if (failed != 0) {
      EXPECT_NE(std::string(message), "");
      continue;
    }
    EXPECT_EQ(outcome.bytes, log.size());
    EXPECT_EQ(outcome.blocks, expected.blocks);
    EXPECT_EQ(outcome.damaged, expected.corrupt_blocks);
    EXPECT_EQ(outcome.torn_bytes, expected.torn_bytes);
    EXPECT_EQ(outcome.ended != 0, expected.ended);
  }
}

TEST(Chain, BlocksOneByOneAreTheWholeLog) {
  for (const ByteVector& log : logs()) {
    log::DecodeOutcome expected;
    const RecordingSink direct = decoded(log, expected);
    RecordingSink through;
    FromCaller from(through, kMostNodes);
    oriel_log_blocks* const blocks = oriel_log_blocks_in(log.data(), log.size(), nullptr, 0);
    if (blocks == nullptr) continue;
    oriel_log_decoder* const decoder = oriel_log_decoder_create(&from.functions(), nullptr, 0);
    while (const oriel_log_block* block = oriel_log_blocks_next(blocks, &from.functions()))
      EXPECT_EQ(oriel_log_decoder_decode(decoder, block, nullptr, 0), 0);
    EXPECT_EQ(oriel_log_blocks_next(blocks, nullptr), nullptr);
    expect_same(through, direct);
    oriel_log_decoder_destroy(decoder);
    oriel_log_blocks_close(blocks);
  }
}

TEST(Chain, CallsAreEventsIfTheSinkDoesNotTakeThem) {
  const ByteVector log = log::sample_log();
  static std::vector<uint64_t> methods, of_calls;
  methods.clear(), of_calls.clear();
  oriel_log_sink sink{};
  sink.size = sizeof sink;
  sink.event = [](void*, const oriel_log_event* event) {
    if (event->number >= oriel_log_method_enter && event->number <= oriel_log_method_leave)
      methods.push_back(event->values[0]);
  };
  ASSERT_EQ(oriel_log_decode_bytes(log.data(), log.size(), &sink, nullptr, nullptr, 0), 0);
  sink.event = nullptr;
  sink.calls = [](void*, uint64_t, const oriel_log_call* calls, size_t count) {
    for (size_t i = 0; i < count; ++i)
      if (calls[i].number <= oriel_log_method_leave) of_calls.push_back(calls[i].method);
  };
  ASSERT_EQ(oriel_log_decode_bytes(log.data(), log.size(), &sink, nullptr, nullptr, 0), 0);
  EXPECT_FALSE(of_calls.empty());
  EXPECT_EQ(methods, of_calls);
}

TEST(Chain, ASinkOfAnEarlierVersionIsNotReadBeyondItsSize) {
  const ByteVector log = log::sample_log();
  static int events;
  events = 0;
  oriel_log_sink sink;
  std::memset(&sink, 0x5a, sizeof sink);  // what lies behind it
  sink.size = offsetof(oriel_log_sink, calls);
  sink.record = nullptr;
  sink.event = [](void*, const oriel_log_event*) { ++events; };
  EXPECT_EQ(oriel_log_decode_bytes(log.data(), log.size(), &sink, nullptr, nullptr, 0), 0);
  EXPECT_GT(events, 0);
  struct {
    oriel_log_outcome outcome;
  } known{};
  known.outcome.ended = 77;
  known.outcome.size = offsetof(oriel_log_outcome, torn_bytes);
  EXPECT_EQ(oriel_log_decode_bytes(log.data(), log.size(), &sink, &known.outcome, nullptr, 0), 0);
  EXPECT_EQ(known.outcome.bytes, log.size());
  EXPECT_EQ(known.outcome.ended, 77u);
}

TEST(Chain, ErrorsAreSentencesThatFit) {
  char message[24];
  EXPECT_EQ(oriel_log_blocks_open("/nowhere/\u00e9\u00e9\u00e9\u00e9\u00e9", message, sizeof message), nullptr);
  EXPECT_EQ(std::string(message), "cannot read /nowhere/\u00e9");
  EXPECT_EQ(oriel_log_blocks_open("/nowhere", nullptr, 0), nullptr);
  EXPECT_EQ(oriel_log_tables_load("/nowhere", message, 1), nullptr);
  EXPECT_EQ(std::string(message), "");
  char longer[200];
  oriel_log_sink sink{};
  sink.size = sizeof sink;
  EXPECT_NE(oriel_log_decode_bytes("PK\3\4", 4, &sink, nullptr, longer, sizeof longer), 0);
  EXPECT_THAT(longer, HasSubstr("not an Oriel log"));

  oriel_log_decoder* const decoder = oriel_log_decoder_create(&sink, nullptr, 0);
  const uint8_t version9[] = {0x89};
  oriel_log_block block{sizeof block, 5, 0, version9, 1, 0, 0};
  EXPECT_NE(oriel_log_decoder_decode(decoder, &block, longer, sizeof longer), 0);
  EXPECT_THAT(longer, HasSubstr("decode the log's intro first"));
  block.code = 1;
  EXPECT_NE(oriel_log_decoder_decode(decoder, &block, longer, sizeof longer), 0);
  EXPECT_THAT(longer, HasSubstr("version 9"));
  oriel_log_decoder_destroy(decoder);
  oriel_log_decoder_destroy(nullptr);
  oriel_log_blocks_close(nullptr);
  oriel_log_tables_destroy(nullptr);
}

TEST(Chain, WhatIsNullIsAnErrorWithASentence) {
  char message[100] = "";
  oriel_log_sink sink{};
  sink.size = sizeof sink;
  const auto said = [&] {
    const std::string text = message;
    message[0] = '\0';
    return text;
  };
  EXPECT_EQ(oriel_log_blocks_open(nullptr, message, sizeof message), nullptr);
  EXPECT_EQ(said(), "NULL is given for the path");
  EXPECT_EQ(oriel_log_blocks_in(nullptr, 9, message, sizeof message), nullptr);
  EXPECT_EQ(said(), "NULL is given for the bytes");
  EXPECT_NE(oriel_log_decode_file(nullptr, &sink, nullptr, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the path");
  EXPECT_NE(oriel_log_decode_file("/nowhere", nullptr, nullptr, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the sink");
  EXPECT_NE(oriel_log_decode_bytes(nullptr, 4, &sink, nullptr, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the bytes");
  EXPECT_NE(oriel_log_decode_bytes("PK\3\4", 4, nullptr, nullptr, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the sink");
  EXPECT_NE(oriel_log_decode_bytes(nullptr, 0, &sink, nullptr, message, sizeof message), 0);
  EXPECT_THAT(said(), HasSubstr("not an Oriel log"));
  EXPECT_EQ(oriel_log_decoder_create(nullptr, message, sizeof message), nullptr);
  EXPECT_EQ(said(), "NULL is given for the sink");
  oriel_log_decoder* const decoder = oriel_log_decoder_create(&sink, nullptr, 0);
  EXPECT_NE(oriel_log_decoder_decode(decoder, nullptr, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the block");
  oriel_log_block block{sizeof block, 1, 0, nullptr, 9, 0, 0};
  EXPECT_NE(oriel_log_decoder_decode(decoder, &block, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the data of the block");
  EXPECT_NE(oriel_log_decoder_decode(nullptr, &block, message, sizeof message), 0);
  EXPECT_EQ(said(), "NULL is given for the decoder");
  oriel_log_outcome outcome{};
  outcome.size = sizeof outcome;
  outcome.blocks = 5;
  oriel_log_decoder_outcome(nullptr, &outcome);
  EXPECT_EQ(outcome.blocks, 0u);
  oriel_log_decoder_outcome(decoder, nullptr);
  oriel_log_decoder_destroy(decoder);
  EXPECT_EQ(oriel_log_blocks_next(nullptr, &sink), nullptr);
  EXPECT_EQ(oriel_log_blocks_version(nullptr), 0u);
  EXPECT_EQ(oriel_log_blocks_ns(nullptr, 5), 0);
  EXPECT_EQ(oriel_log_blocks_duration_ns(nullptr, 5), 0);
  EXPECT_EQ(oriel_log_describe_event_named(nullptr), nullptr);
  EXPECT_EQ(oriel_log_describe_record(nullptr), nullptr);
  EXPECT_EQ(oriel_log_field_index(nullptr, "x"), -1);
  EXPECT_EQ(oriel_log_field_index(oriel_log_describe_record("lost"), nullptr), -1);
  const oriel_log_record nothing{oriel_log_describe_record("lost"), nullptr};
  for (const oriel_log_record* record : {&nothing, static_cast<const oriel_log_record*>(nullptr)}) {
    EXPECT_EQ(oriel_log_number(record, "count"), 0u);
    EXPECT_STREQ(oriel_log_text(record, "reason"), "");
  }
}

TEST(Descriptions, NamesAreUniqueAndEachEventAndRecordHasOne) {
  std::set<std::string> records, events;
  for (size_t i = 0; const oriel_log_description* one = oriel_log_description_at(i); ++i) {
    const bool is_new = (one->number == 0 ? records : events).insert(one->name).second;
    EXPECT_TRUE(is_new || one->number > oriel_log_event_number_end) << one->name;
    std::set<std::string> fields;
    for (uint32_t f = 0; f < one->count; ++f) {
      EXPECT_TRUE(fields.insert(one->fields[f].name).second) << one->name << " " << one->fields[f].name;
      EXPECT_EQ(oriel_log_field_index(one, one->fields[f].name), static_cast<int>(f));
      EXPECT_EQ(one->fields[f].items != nullptr, std::string(one->fields[f].kind) == "list");
    }
    EXPECT_EQ(oriel_log_field_index(one, "no such field"), -1);
    EXPECT_EQ(one, one->number == 0 ? oriel_log_describe_record(one->name) : oriel_log_describe_event(one->number));
  }
  for (const log::EventDescription& event : log::all_events()) EXPECT_EQ(events.count(event.name), 1u) << event.name;
  for (const char* name : {"intro", "class", "method", "thread", "native", "loaded", "lost", "coverage", "heap"})
    EXPECT_EQ(records.count(name), 1u) << name;
  EXPECT_EQ(oriel_log_describe_event(99'999), nullptr);
  EXPECT_EQ(oriel_log_describe_record("nothing"), nullptr);
  EXPECT_EQ(oriel_log_describe_event_named("gc_begin")->number, static_cast<uint32_t>(oriel_log_gc_begin));
  EXPECT_STREQ(oriel_log_describe_event_named("gc_begin")->fields[1].name, "generation");
}

// The C++ header.
struct Marks : Sink {
  void on_mark(const oriel_log_event&, const events::mark& mark) override { texts.emplace_back(mark.text); }
  void on_event(const oriel_log_event& event) override {
    ++all;
    Sink::on_event(event);
  }
  std::vector<std::string> texts;
  int all = 0;
};
struct Throwing : Sink {
  void on_event(const oriel_log_event&) override { throw std::domain_error("of the caller"); }
};

TEST(Cxx, EventsHaveFunctionsAndFields) {
  log::DecodeOutcome outcome;
  const ByteVector log = log::sample_log();
  RecordingSink direct = decoded(log, outcome);
  const log::TemporaryFile file(log);
  Marks marks;
  EXPECT_EQ(decode_file(file.path(), marks).blocks, outcome.blocks);
  EXPECT_EQ(marks.all,
            std::ranges::count_if(direct.lines, [](const auto& line) { return line.starts_with("event "); }));
  size_t with_text = 0;
  for (const std::string& line : direct.lines) with_text += line.starts_with("event 5 ") ? 1 : 0;
  EXPECT_EQ(marks.texts.size(), with_text);
}

TEST(Cxx, ErrorsAreExceptionsAndTheCallersComeThrough) {
  Throwing throwing;
  const log::TemporaryFile file(log::sample_log());
  EXPECT_THROW(decode_file(file.path(), throwing), std::domain_error);
  Marks marks;
  EXPECT_THROW(decode_file("/nowhere", marks), Error);
  EXPECT_THROW(Blocks("/nowhere"), Error);
  EXPECT_THROW(Tables(std::string("/nowhere")), Error);
  EXPECT_THROW(Tables(uint64_t{1})["no such table"], std::out_of_range);
  EXPECT_THROW(Tables(uint64_t{1})["samples"].column("no such column"), std::out_of_range);
}

}  // namespace
}  // namespace oriel::reader
