// What is left out for its form, in whatever text it stands, and what only looks alike.
#include <gtest/gtest.h>

#include "base/redact/redact.h"
#include "base/text/shell_word.h"

namespace oriel {
namespace {

struct Pair {
  std::string given;
  std::string left;
};

std::string command(const std::string& line) {
  std::string result;
  for (const std::string& word : redact_command(split_shell_words(line))) result += (result.empty() ? "" : " ") + word;
  return result;
}

const std::string kJwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxw-RJSM_eKKF2QT4";

// As a text, as a word of a command behind an option, and as a tag's value.
TEST(RedactForms, ConnectionStringsWithUrls) {
  const Pair cases[] = {
      {"Endpoint=https://x.azconfig.io;Id=abc;Secret=hunter2", "Endpoint=https://x.azconfig.io;Id=abc;Secret=…"},
      {"Endpoint=https://x.service.signalr.net;AccessKey=hunter2=;Version=1.0;",
       "Endpoint=https://x.service.signalr.net;AccessKey=…;Version=1.0;"},
      {"AccountEndpoint=https://c.documents.azure.com:443;AccountKey=hunter2==;",
       "AccountEndpoint=https://c.documents.azure.com:443;AccountKey=…;"},
      {"BlobEndpoint=https://a;QueueEndpoint=https://b;AccountKey=hunter2",
       "BlobEndpoint=https://a;QueueEndpoint=https://b;AccountKey=…"},
      {"Endpoint=sb://ns.servicebus.windows.net;SharedAccessKey=hunter2",
       "Endpoint=sb://ns.servicebus.windows.net;SharedAccessKey=…"},
      {"Server=tcp://db;Password=hunter2", "Server=tcp://db;Password=…"},
      {"Server=tcp://db:1433;User Id=app;Password=my hunter2;Encrypt=1",
       "Server=tcp://db:1433;User Id=app;Password=…;Encrypt=1"},
      {"amqp://h;Username=u;Password=hunter2", "amqp://h;Username=u;Password=…"},
      {"nats://h,token=hunter2", "nats://h,token=…"},
      {"redis://h:6379,password=hunter2", "redis://h:6379,password=…"},
      {"https://h&password=hunter2", "https://h&password=…"},
      {"https://h|password=hunter2", "https://h|password=…"},
      {"(https://h)password=hunter2", "(https://h)password=…"},
      {"mongodb://u:hunter2@a,b", "mongodb://…@a,b"},
      {"mongodb://u:hunter2@a:1,b:2/db", "mongodb://…@a:1,b:2/db"},
      {"mongodb://a:1,b:2/db", "mongodb://a:1,b:2/db"},
      {"amqp://bob:hunter2;x@h", "amqp://…@h"},
      {"amqp://bob:hunter2;a=b/c@h", "amqp://…@h"},
      {"amqp://bob:hunter2;a=b@h;Password=p@hunter2", "amqp://…@h;Password=…"},
      {"amqp://h;Username=u;Password=p@hunter2", "amqp://h;Username=u;Password=…"},
  };
  for (const Pair& one : cases) {
    EXPECT_EQ(redact_text(one.given), one.left);
    EXPECT_EQ(redact_command({"x", "--db=" + one.given})[1], "--db=" + one.left);
    std::vector<Tag> tags = {{"note", one.given}, {"url.full", one.given}};
    redact_tags(tags);
    EXPECT_EQ(tags[0].value, one.left);
    EXPECT_EQ(tags[1].value.find("hunter2"), std::string::npos) << tags[1].value;
  }
}

TEST(RedactForms, ValuesThatBeginLikeOptions) {
  const Pair cases[] = {
      {"x --token -Xy7hunter2 --port 80", "x --token … --port 80"},
      {"x --token --Xy7hunter2", "x --token …"},
      {"x --token --hunter_2=", "x --token …"},
      {"x --token -7", "x --token …"},
      {"x --token -", "x --token …"},
      {"x --private-key '-----BEGIN PRIVATE KEY-----'", "x --private-key …"},
      {"x --use-token --verbose", "x --use-token --verbose"},
      {"x --use-token -v --port=80", "x --use-token -v --port=80"},
      {"x --use-token --no-build --Logging:Level=Debug", "x --use-token --no-build --Logging:Level=Debug"},
      {"x --use-token --Urls http://h", "x --use-token --Urls http://h"},
      {"x --use-token -- a b", "x --use-token -- a b"},
  };
  for (const Pair& one : cases) EXPECT_EQ(command(one.given), one.left);
  EXPECT_EQ(redact_text("ran x --token -Xy7hunter2 --port 80"), "ran x --token … --port 80");
  EXPECT_EQ(redact_text("ran x --use-token --port 80"), "ran x --use-token --port 80");
}

TEST(RedactForms, Json) {
  const Pair cases[] = {
      {R"({"secret":{"a":"}","b":"hunter2"},"n":1})", R"({"secret":…,"n":1})"},
      {R"({"password":["a]b","hunter2"],"n":1})", R"({"password":…,"n":1})"},
      {R"({"secret":{"a":"\"}","b":"hunter2"},"n":1})", R"({"secret":…,"n":1})"},
      {R"({'secret':{'a':'}','b':'hunter2'},'n':1})", R"({'secret':…,'n':1})"},
      {R"({"body":"{\"password\":\"my hunter2\",\"n\":1}"})", R"({"body":"{\"password\":\"…\",\"n\":1}"})"},
      {R"({"body":"{\"secret\":{\"a\":\"}\",\"b\":\"hunter2\"},\"n\":1}"})", R"({"body":"{\"secret\":…,\"n\":1}"})"},
      {R"({"body":"{\u0022password\u0022:\u0022my hunter2\u0022,\u0022n\u0022:1}"})",
       R"({"body":"{\u0022password\u0022:\u0022…\u0022,\u0022n\u0022:1}"})"},
      {R"([{"name":"DB_PASSWORD","value":"hunter2"},{"name":"PORT","value":"80"}])",
       R"([{"name":"DB_PASSWORD","value":"…"},{"name":"PORT","value":"80"}])"},
      {"Setting { Name = DB_PASSWORD, Value = hunter2 }", "Setting { Name = DB_PASSWORD, Value = … }"},
      {R"({"secret":{"a":"hunter2)", R"({"secret":…)"},
      {R"({"a":{"b":["x","}"]},"c":"it's"})", R"({"a":{"b":["x","}"]},"c":"it's"})"},
  };
  for (const Pair& one : cases) EXPECT_EQ(redact_text(one.given), one.left);
}

TEST(RedactForms, Xml) {
  const Pair cases[] = {
      {R"(<add key="Password" value="hunter2"/>)", R"(<add key="Password" value="…"/>)"},
      {R"(<add value="hunter2" key="Password" />)", R"(<add value="…" key="Password" />)"},
      {R"(<add key='ApiKey' value='a>hunter2'/><add key="Theme" value="dark"/>)",
       R"(<add key='ApiKey' value='…'/><add key="Theme" value="dark"/>)"},
      {R"(<add name="Db" connectionString="Server=x;Password=hunter2"/>)", R"(<add name="Db" connectionString="…"/>)"},
      {R"(<add key="Db" value="Server=x;Password=hunter2;Trust=1"/>)",
       R"(<add key="Db" value="Server=x;Password=…;Trust=1"/>)"},
      {R"(<input type="password" value="hunter2">)", R"(<input type="password" value="…">)"},
      {R"(<license key="hunter2"/>)", R"(<license key="…"/>)"},
      {"<password>my hunter2</password> next", "<password>…</password> next"},
      {"<c:Password type=\"x\">hunter2</c:Password>", "<c:Password type=\"x\">…</c:Password>"},
      {"<password><![CDATA[hunter2]]></password><port>80</port>", "<password>…</password><port>80</port>"},
      {R"(<setting name="Password" serializeAs="String"><value>hunter2</value></setting><x>1</x>)",
       R"(<setting name="Password" serializeAs="…">…</setting><x>1</x>)"},
      {"<user>bob</user><password>hunter2", "<user>bob</user><password>…"},
      {"<password></password><port>80</port>", "<password></password><port>80</port>"},
      {"<add key=\"Password\" value=\"hunter2", "<add key=\"…\" value=\"…"},
  };
  for (const Pair& one : cases) EXPECT_EQ(redact_text(one.given), one.left);
  for (const char* const text :
       {"No service for type 'IOptions<JwtKey>' while activating 'Shop`1[Task<Token>]'.", "<Password>k__BackingField",
        "Program.<GetToken>d__5.MoveNext()", "a <Password> b", "<port>80</port>", "x < y and key > z", "a<b>c</b>",
        "<a href=\"/x\">text</a>", "System.Collections.Generic.Dictionary<string, Secret> was null"})
    EXPECT_EQ(redact_text(text), text);
}

TEST(RedactForms, PasswordsOfSql) {
  const Pair cases[] = {
      {"ALTER USER bob IDENTIFIED BY \"hunter2\"", "ALTER USER bob IDENTIFIED BY ?"},
      {"ALTER USER bob IDENTIFIED BY hunter2#1 REPLACE old#1", "ALTER USER bob IDENTIFIED BY ? REPLACE ?"},
      {"CREATE USER bob IDENTIFIED WITH mysql_native_password BY \"hunter2\"",
       "CREATE USER bob IDENTIFIED WITH mysql_native_password BY ?"},
      {"ALTER USER bob IDENTIFIED BY PASSWORD \"hunter2\"", "ALTER USER bob IDENTIFIED BY PASSWORD ?"},
      {"CREATE DATABASE LINK l CONNECT TO bob IDENTIFIED BY hunter2 USING 'x'",
       "CREATE DATABASE LINK l CONNECT TO bob IDENTIFIED BY ? USING ?"},
      {"CREATE USER bob PASSWORD hunter2", "CREATE USER bob PASSWORD ?"},
      {"CREATE USER bob PASSWORD \"hunter2\" NOSUPERUSER", "CREATE USER bob PASSWORD ? NOSUPERUSER"},
      {"ALTER ROLE bob WITH ENCRYPTED PASSWORD hunter2;SELECT a", "ALTER ROLE bob WITH ENCRYPTED PASSWORD ?;SELECT a"},
      {"CREATE LOGIN bob WITH PASSWORD = hunter2, CHECK_POLICY = OFF",
       "CREATE LOGIN bob WITH PASSWORD = ?, CHECK_POLICY = OFF"},
      {"ALTER LOGIN bob WITH PASSWORD=\"hunter2\" OLD_PASSWORD=hunter1",
       "ALTER LOGIN bob WITH PASSWORD=? OLD_PASSWORD=?"},
      {"SET PASSWORD FOR bob = \"hunter2\"", "SET PASSWORD FOR bob = ?"},
      {"SET PASSWORD = hunter2", "SET PASSWORD = ?"},
      {"EXEC dbo.login @pw=hunter2, @x = @y OUTPUT", "EXEC dbo.login @pw=?, @x = @y OUTPUT"},
      {"EXEC @r = dbo.login @pw = hunter2", "EXEC @r = dbo.login @pw = ?"},
      // What stays.
      {"SELECT password, \"Password\" FROM users WHERE password = @p AND u.password IS NULL",
       "SELECT password, \"Password\" FROM users WHERE password = @p AND u.password IS NULL"},
      {"CREATE TABLE users (password varchar, name text)", "CREATE TABLE users (password varchar, name text)"},
      {"UPDATE users SET password = other_column", "UPDATE users SET password = other_column"},
      {"ALTER USER bob IDENTIFIED BY :pw", "ALTER USER bob IDENTIFIED BY :pw"},
      {"EXEC p @a = NULL, @b = DEFAULT", "EXEC p @a = NULL, @b = DEFAULT"},
      {"SELECT a FROM t GROUP BY b ORDER BY \"c\"", "SELECT a FROM t GROUP BY b ORDER BY \"c\""},
  };
  for (const Pair& one : cases) EXPECT_EQ(redact_sql(one.given), one.left);
}

TEST(RedactForms, Credentials) {
  const Pair cases[] = {
      {"got " + kJwt + ", then", "got …, then"},
      {"https://h/reset/" + kJwt + "?a=1", "https://h/reset/…?a=…"},
      {"ghp_abcDEF0123456789 gho_abcDEF0123456789 ghs_abcDEF0123456789", "… … …"},
      {"github_pat_11ABC_defGHI0123 is bad.", "… is bad."},
      {"AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "…"},
      {"key-AKIAIOSFODNN7EXAMPLE.", "key-…."},
      {"xoxb-123456789-abc xoxa-2-abcdef123 xoxp-123456789", "… … …"},
      {"/p;jsessionid=ABC123?x=1 failed", "/p;jsessionid=…?x=… failed"},
      {"https://h/p;jsessionid=ABC123 failed", "https://h/p;jsessionid=… failed"},
      {"Authorization Basic abc was", "Authorization Basic … was"},
      {"sent Bearer  abc.def", "sent Bearer  …"},
      {"x-auth: Bearer abc.def and", "x-auth: … and"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nnext", "…\nnext"},
      {"cut: -----BEGIN PRIVATE KEY-----\nMIIE", "cut: …"},
      {"pem=-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- x", "pem=… x"},
      {"private_key=-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- x", "private_key=… x"},
      {"cannot reach bob:hunter2@host", "cannot reach bob:…@host"},
      {"//bob:hunter2@host/path", "//bob:…@host/path"},
      {"root:p@hunter2@tcp(127.0.0.1:3306)/db", "root:…@tcp(127.0.0.1:3306)/db"},
      {"bob:aGVs/bG8=@db.example.com:5432/x", "bob:…@db.example.com:5432/x"},
      {"curl -u bob:hunter2 https://h", "curl -u bob:… https://h"},
      {"curl --user 'bob:my hunter2' x", "curl --user 'bob:…' x"},
      {"--proxy-user=bob:hunter2", "--proxy-user=bob:…"},
  };
  for (const Pair& one : cases) EXPECT_EQ(redact_text(one.given), one.left);
  EXPECT_EQ(command("x -u bob:hunter2 --user 'bob:my hunter2' --user=bob:hunter2"),
            "x -u bob:… --user bob:… --user=bob:…");
  EXPECT_EQ(command("x bob:hunter2@host " + kJwt), "x bob:…@host …");
  EXPECT_EQ(redact_url("https://h/p;jsessionid=ABC123"), "https://h/p;jsessionid=…");
}

TEST(RedactForms, WhatLooksAlikeStays) {
  for (const char* const text : {"mailto:bob@example.com",
                                 "bob@example.com",
                                 "git@github.com:org/repo.git",
                                 "nginx:1.25@sha256:0123abcd",
                                 "registry:5000/image@v1",
                                 "npm:react@18.0.0",
                                 "github:org/repo@v1",
                                 "at 10:30:21@noon",
                                 "C:/icons/a@2x.png",
                                 "/p:Owner=bob@example.com",
                                 "To: bob@example.com",
                                 "Server=tcp:db,1433;User=bob@domain;Encrypt=1",
                                 "eyJob.Thing.Method",
                                 "sk-SK",
                                 "sk-folding-cube-container",
                                 "AKIA",
                                 "ghp_",
                                 "npm_config_registry",
                                 "docker run -u 1000:1000 x",
                                 "run -u https://host:80/x",
                                 "run --user bob",
                                 "xoxo",
                                 "Foo.Bar:Baz",
                                 "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
                                 "Basic authentication is required",
                                 "https://h/a;b/c",
                                 "http://h:80, http://i:81",
                                 "SG.Framework2.Parts"})
    EXPECT_EQ(redact_text(text), text);
  EXPECT_EQ(command("dotnet run -u 1000:1000 --user bob -c Release"), "dotnet run -u 1000:1000 --user bob -c Release");
}

TEST(RedactForms, TagsInOneText) {
  const auto told = [](const char* list) {
    std::vector<Tag> tags = tags_of_list(list);
    std::string text;
    redact_tags(tags);
    for (const Tag& tag : tags) text += (text.empty() ? "" : "|") + tag.name + "=" + tag.value;
    return text;
  };
  EXPECT_EQ(told("a=b,c=d"), "a=b|c=d");
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told("a=,b="), "a=|b=");
  EXPECT_EQ(told("http.route=/orders/{id},http.request.method=GET"), "http.route=/orders/{id}|http.request.method=GET");
  EXPECT_EQ(told("names=x, y and z,c=d"), "names=x, y and z|c=d");
  EXPECT_EQ(told("db.query.text=SELECT a,b FROM t WHERE c IN ('s1','hunter2'),db.system=mssql"),
            "db.query.text=SELECT a,b FROM t WHERE c IN (?,?)|db.system=mssql");
  EXPECT_EQ(told("db.query.text=UPDATE t SET a='s1',b=17,c='hunter2'"), "db.query.text=UPDATE t SET a=?,b=?,c=?");
  EXPECT_EQ(told("db.statement=SET a hunter2,b=hunter2,db.system=redis"), "db.statement=SET …|db.system=redis");
  EXPECT_EQ(told("url.full=https://h/?ids=17,42,http.request.method=GET"),
            "url.full=https://h/?ids=…|http.request.method=GET");
  EXPECT_EQ(told("connection=Server=x;Password=a,hunter2,d=e"), "connection=Server=x;Password=…");
  EXPECT_EQ(told("api_key=a,hunter2,region=eu"), "api_key=…|region=eu");
  EXPECT_EQ(told("note=f('a',b=hunter2)"), "note=f('a',b=hunter2)");
  EXPECT_EQ(told("list=1,17=2,c=d"), "list=1,17=2|c=d");
}

}  // namespace
}  // namespace oriel
