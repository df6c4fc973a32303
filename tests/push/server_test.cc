#include "push/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel::push {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string server_of(std::string_view url, std::string_view protocol = "") {
  const Result<Server> server = parse_server(url, protocol);
  return server ? std::string(name_of(server->protocol)) + " " + server->url : server.message();
}

TEST(Server, HasThePathOfItsProtocol) {
  EXPECT_EQ(server_of("http://pyroscope:4040"), "pyroscope http://pyroscope:4040/ingest");
  EXPECT_EQ(server_of("https://host/base/"), "pyroscope https://host/base/ingest");
  EXPECT_EQ(server_of("http://host/ingest"), "pyroscope http://host/ingest");
  EXPECT_EQ(server_of("http://collector:4318"), "otlp http://collector:4318/v1development/profiles");
  EXPECT_EQ(server_of("http://host/v1development/profiles"), "otlp http://host/v1development/profiles");
  EXPECT_EQ(server_of("http://[::1]:4318/"), "otlp http://[::1]:4318/v1development/profiles");
  EXPECT_EQ(server_of("http://host:4318", "pyroscope"), "pyroscope http://host:4318/ingest");
  EXPECT_EQ(server_of("http://host", "otlp"), "otlp http://host/v1development/profiles");
}

TEST(Server, WhatIsNoAddressIsRefused) {
  EXPECT_THAT(server_of("pyroscope:4040"), HasSubstr("http:// or https://"));
  EXPECT_THAT(server_of("ftp://host"), HasSubstr("http:// or https://"));
  for (const char* wrong : {"http://", "http:///ingest", "http://:4040", "http://a b", "http://host\n"})
    EXPECT_THAT(server_of(wrong), HasSubstr("no host in the address, or a blank"));
  EXPECT_THAT(server_of("http://host", "grpc"), HasSubstr("--protocol grpc: use pyroscope or otlp"));
}

TEST(Server, SecretsInAnAddressAreRefusedAndNotRepeated) {
  for (const char* secret : {"https://bob:hunter2@host", "https://host/?token=hunter2", "https://host#hunter2"}) {
    EXPECT_THAT(server_of(secret), HasSubstr("ORIEL_PUSH_HEADERS"));
    EXPECT_THAT(server_of(secret), Not(HasSubstr("hunter2")));
  }
}

TEST(Headers, AreNamesAndValues) {
  EXPECT_EQ(*parse_header("Authorization: Bearer x:y"), "Authorization: Bearer x:y");
  EXPECT_EQ(*parse_header("X-Scope-OrgID:7"), "X-Scope-OrgID: 7");
  for (const char* wrong : {"hunter2", "a b: hunter2", ": hunter2", "a:", "a: hunter2\r\nb: c"}) {
    const Result<std::string> header = parse_header(wrong);
    ASSERT_FALSE(header) << wrong;
    EXPECT_THAT(header.message(), Not(HasSubstr("hunter2")));
  }
}

TEST(Headers, OfTheEnvironmentAreDecoded) {
  EXPECT_THAT(*headers_of_list("X", "Authorization=Bearer%20a%2Cb, x-scope-orgid=7"),
              ElementsAre("Authorization: Bearer a,b", "x-scope-orgid: 7"));
  EXPECT_THAT(*headers_of_list("X", "Authorization=Basic YTpi=="), ElementsAre("Authorization: Basic YTpi=="));
  const auto wrong = headers_of_list("ORIEL_PUSH_HEADERS", "hunter2");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.message(), HasSubstr("ORIEL_PUSH_HEADERS"));
  EXPECT_THAT(wrong.message(), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace oriel::push
