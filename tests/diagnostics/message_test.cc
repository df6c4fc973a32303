#include "diagnostics/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnostics/test_messages.h"

namespace oriel::diagnostics {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

TEST(ProcessInfo, IsAskedForByAHeaderAlone) {
  const Bytes request = process_info_request(3);
  EXPECT_THAT(request, ElementsAreArray(message_of(4, 8, {})));
  EXPECT_EQ(std::string(request.begin(), request.begin() + 13), "DOTNET_IPC_V1");
  EXPECT_EQ(request.size(), kHeaderBytes);
  EXPECT_EQ(process_info_request(2)[17], 4);
  EXPECT_EQ(process_info_request(1)[17], 0);
}

TEST(ProcessInfo, HasWhatEachVersionTells) {
  for (int version = 1; version <= kNewestProcessInfo; ++version) {
    const Result<ProcessInfo> info = parse_process_info(version, info_payload(version));
    ASSERT_TRUE(info) << version;
    EXPECT_EQ(info->pid, 4711u);
    EXPECT_EQ(info->command_line, "dotnet Shop.dll");
    EXPECT_EQ(info->os, "Linux");
    EXPECT_EQ(info->architecture, "x64");
    EXPECT_EQ(info->entry_assembly, version >= 2 ? "Shop" : "");
    EXPECT_EQ(info->version, version >= 2 ? "10.0.12" : "");
    EXPECT_EQ(info->rid, version >= 3 ? "linux-x64" : "");
  }
}

TEST(ProcessInfo, TakesTextsThatAreNoUnicode) {
  PayloadWriter out;
  out.number(1, 8).number(0, 8).number(0, 8).number(2, 4).number(0xd800, 2).number(0, 2).text("").number(0, 4);
  const Result<ProcessInfo> info = parse_process_info(1, out.bytes);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->command_line, "\xEF\xBF\xBD");
  EXPECT_EQ(info->os, "");
}

TEST(ProcessInfo, IsNotReadBeyondItsEnd) {
  const Bytes whole = info_payload(3);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parse_process_info(3, std::span(whole).first(size))) << size;
  Bytes huge = info_payload(1);
  for (size_t i = 0; i < 4; ++i) huge[24 + i] = 0xff;  // the length of the command line
  EXPECT_FALSE(parse_process_info(1, huge));
}

TEST(Reply, IsPayloadOrError) {
  const Result<Reply> fine = parse_reply(ok_reply({1, 2, 3}));
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->error, 0u);
  EXPECT_THAT(fine->payload, ElementsAreArray({1, 2, 3}));
  const Result<Reply> refused = parse_reply(error_reply(kUnknownCommand));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->error, kUnknownCommand);
}

TEST(Reply, IsRefusedIfItIsNone) {
  const Bytes fine = ok_reply({1, 2, 3});
  EXPECT_THAT(parse_reply(std::span(fine).first(22)).message(), HasSubstr("cut short"));
  EXPECT_THAT(parse_reply(std::span(fine).first(19)).message(), HasSubstr("diagnostics protocol"));
  EXPECT_THAT(parse_reply(Bytes(30, 'x')).message(), HasSubstr("diagnostics protocol"));
  EXPECT_THAT(parse_reply(message_of(4, 0, {})).message(), HasSubstr("damaged"));
  EXPECT_THAT(parse_reply(message_of(0xff, 7, {1, 1, 1, 1})).message(), HasSubstr("damaged"));
  EXPECT_THAT(parse_reply(error_reply(0)).message(), HasSubstr("damaged"));
  Bytes small = fine;
  small[14] = 19;
  EXPECT_THAT(message_size(small).message(), HasSubstr("damaged"));
}

TEST(AttachRequest, IsLaidOutAsTheRuntimeReadsIt) {
  AttachRequest attach;
  attach.clsid = "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}";
  attach.library = "/lib/liboriel.so";
  attach.client_data = {7, 8};
  const Result<Bytes> request = attach_request(attach);
  ASSERT_TRUE(request);
  PayloadWriter payload;
  payload.number(10'000, 4);
  for (const int byte :
       {0x3E, 0xE6, 0x8F, 0x9A, 0x98, 0xFC, 0xFE, 0x40, 0x9A, 0x46, 0x93, 0x2E, 0x43, 0xF8, 0xA1, 0x9D})
    payload.number(static_cast<uint64_t>(byte), 1);
  payload.text("/lib/liboriel.so").number(2, 4).number(7, 1).number(8, 1);
  EXPECT_THAT(*request, ElementsAreArray(message_of(3, 1, payload.bytes)));
}

TEST(AttachRequest, IsRefusedIfItCannotBeSent) {
  AttachRequest attach;
  attach.clsid = "{9A8FE63E-FC98-40FE-9A46}";
  EXPECT_THAT(attach_request(attach).message(), HasSubstr("is no class id"));
  attach.clsid = "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}";
  attach.client_data.resize(65'480);
  EXPECT_TRUE(attach_request(attach));
  attach.client_data.resize(65'500);
  EXPECT_THAT(attach_request(attach).message(), HasSubstr("64 KB"));
}

}  // namespace
}  // namespace oriel::diagnostics
