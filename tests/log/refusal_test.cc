// What is no log, or none that this reader knows: one clear line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/byte_builder.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

std::string refusal(const std::string& path) {
  RecordingSink sink;
  const auto outcome = decode_file(path, sink);
  EXPECT_FALSE(outcome.is_ok());
  EXPECT_TRUE(sink.lines.empty());
  return outcome.is_ok() ? "" : outcome.message();
}

std::string refusal_of(const ByteVector& content) {
  const TemporaryFile file(content);
  std::string message = refusal(file.path());
  EXPECT_NE(message.find(file.path()), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

void expect_foreign(const ByteVector& content) {
  const TemporaryFile file(content);
  EXPECT_EQ(refusal(file.path()), "not an Oriel log: " + file.path());
}

ByteVector bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

TEST(Refusal, ForeignFiles) {
  expect_foreign(bytes_of("#!/bin/sh\necho hello\n"));
  expect_foreign(
      bytes_of("\x7f"
               "ELF and so on"));
  expect_foreign(bytes_of("x"));
  // Begins like an intro, but of 2 GB; of a version that is no INT; of version 0.
  expect_foreign({1, 0, 0, 0, 0, 0x80, 0x82});
  expect_foreign({1, 0, 4, 0, 0, 0, 1, 1, 1, 1});
  expect_foreign({1, 0, 1, 0, 0, 0, 0x80});
  expect_foreign({1, 0, 0, 0, 0, 0});
}

TEST(Refusal, EmptyFile) { EXPECT_THAT(refusal_of({}), testing::HasSubstr("empty file")); }

TEST(Refusal, IntroCutOff) {
  const ByteVector log = sample_log();
  const size_t intro = block_starts(log)[1];
  for (size_t size = 1; size < intro; ++size) {
    const ByteVector cut(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(size));
    RecordingSink sink;
    const auto outcome = decode_bytes(cut.data(), cut.size(), sink);
    ASSERT_FALSE(outcome.is_ok()) << size;
    EXPECT_THAT(outcome.message(), testing::HasSubstr("cut off in its intro, after " + std::to_string(size))) << size;
  }
}

TEST(Refusal, AnotherVersionIsNamed) {
  const ByteBuilder log = ByteBuilder().block(1, ByteBuilder().number(77).text("a later one"));
  const std::string message = refusal_of(log.bytes());
  EXPECT_THAT(message, testing::HasSubstr("version 77"));
  EXPECT_THAT(message, testing::HasSubstr("versions 1 and 2"));
}

TEST(Refusal, NoFileAFolderOrADevice) {
  EXPECT_EQ(refusal("/no/such/log.oriel"), "cannot read /no/such/log.oriel: No such file or directory");
  EXPECT_THAT(refusal("/tmp"), testing::HasSubstr("it is a folder"));
  EXPECT_THAT(refusal("/dev/null"), testing::HasSubstr("it is a device, not a file"));
}

TEST(Refusal, AnIntroWithoutItsFieldsIsAProblemNotACrash) {
  const ByteBuilder log =
      ByteBuilder().block(1, ByteBuilder().number(2)).block(7, ByteBuilder().number(2).number(3).number(4));
  RecordingSink sink;
  const auto outcome = decode_bytes(log.bytes().data(), log.bytes().size(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_THAT(sink.problems, testing::ElementsAre(testing::HasSubstr("a block of code 1 (intro) is damaged")));
  EXPECT_THAT(sink.lines, testing::ElementsAre("end 2 3 4"));
}

}  // namespace
}  // namespace oriel::log
