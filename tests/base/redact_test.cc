// What is left out of texts, and what stays.
#include "base/redact/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/text/shell_word.h"
#include "base/text/utf8.h"

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Case {
  std::string given;
  std::string left;
};

TEST(RedactNames, NamesOfSecrets) {
  for (const char* const name : {"password",
                                 "PASSWORD",
                                 "--db-password",
                                 "Passwd",
                                 "pwd",
                                 "DbPwd",
                                 "passphrase",
                                 "secret",
                                 "client_secret",
                                 "ClientSecret",
                                 "token",
                                 "AuthToken",
                                 "ACCESS_TOKEN",
                                 "refreshtoken",
                                 "api-key",
                                 "ApiKey",
                                 "apikey",
                                 "X-Api-Key",
                                 "AccessKeyId",
                                 "AccountKey",
                                 "SharedAccessKey",
                                 "credential",
                                 "Credentials",
                                 "ConnectionString",
                                 "ConnectionStrings:Default",
                                 "ConnectionStrings__Default",
                                 "private-key",
                                 "auth",
                                 "Authorization",
                                 "bearer",
                                 "Cookie",
                                 "Set-Cookie",
                                 "key",
                                 "KEY",
                                 "--key",
                                 "JWT",
                                 "/p:SignPassword"})
    EXPECT_TRUE(is_secret_name(name)) << name;
}

TEST(RedactNames, NamesOfOtherThings) {
  for (const char* const name :
       {"", "user", "PublicKeyToken", "author", "authority", "keyboard", "primaryKey", "CancellationToken", "path",
        "compass", "tokenizer", "passenger", "--port", "configuration", "http.route", "passive", "--urls"})
    EXPECT_FALSE(is_secret_name(name)) << name;
}

TEST(RedactText, ValuesOfWhatIsNamedLikeASecret) {
  const Case cases[] = {
      {"password=hunter2", "password=…"},
      {"Login failed: password=hunter2 for bob", "Login failed: password=… for bob"},
      {"pwd: hunter2", "pwd: …"},
      {"token = 'a b c', then", "token = '…', then"},
      {"token=\"a\\\"b\" x", "token=\"…\" x"},
      {R"({"user":"bob","password":"hunter2","n":1})", R"({"user":"bob","password":"…","n":1})"},
      {R"({"secrets": {"a": {"b": 1}, "c": 2}, "d": 3})", R"({"secrets": …, "d": 3})"},
      {"config['api_key'] = abc", "config['api_key'] = …"},
      {"Server=db;User Id=app;Password=my secret pw;Encrypt=true", "Server=db;User Id=app;Password=…;Encrypt=true"},
      {"Server=db; Pwd = my secret pw", "Server=db; Pwd = …"},
      {"Password='a;b''c';Server=x", "Password='…';Server=x"},
      {"Endpoint=sb://n.servicebus/;SharedAccessKeyName=k;SharedAccessKey=abc=;EntityPath=q",
       "Endpoint=sb://n.servicebus/;SharedAccessKeyName=…;SharedAccessKey=…;EntityPath=q"},
      {"DefaultEndpointsProtocol=https;AccountKey=abc==;x=1", "DefaultEndpointsProtocol=https;AccountKey=…;x=1"},
      {"connection string: nothing-to-see", "connection string: …"},
      {"Authorization: Bearer abc.def.ghi", "Authorization: …"},
      {"got Bearer abc.def.ghi, then", "got Bearer …, then"},
      {"Basic dXNlcjpwYXNz was", "Basic … was"},
      {"run app --password hunter2 --user bob", "run app --password … --user bob"},
      {"password=it's", "password=…"},
      {"\"password=hunter2\", x", "\"password=…\", x"},
      {"password='unterminated and more", "password='…"},
      {"password=", "password="},
      {"password = ", "password = "},
      {"APIKEY => abc", "APIKEY => …"},
  };
  for (const Case& one : cases) EXPECT_EQ(redact_text(one.given), one.left) << one.given;
}

TEST(RedactText, OtherTextsStay) {
  for (const char* const text :
       {"", "The given key was not present in the dictionary.", "basic types", "a token was expected here",
        "Could not load 'X, Version=1.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a'.", "10:30:21 a=b; c=d",
        "Why? Because.", "std::string x", "See https://host:8080/path/to#part for more", "http://[::1]:5000/",
        "Object reference not set to an instance of an object.", "https://registry/@scope/name", "größer als 5 €"})
    EXPECT_EQ(redact_text(text), text);
}

TEST(RedactUrls, NamesStayAndValuesGo) {
  const Case cases[] = {
      {"https://host/orders?id=5", "https://host/orders?id=…"},
      {"/orders?id=5&name=a%20b", "/orders?id=…&name=…"},
      {"https://bob:pw@host:81/x?a=1#access_token=z", "https://…@host:81/x?a=…#access_token=…"},
      {"https://ghp_abc@github.com/x", "https://…@github.com/x"},
      {"amqp://bob:p/w@host/q", "amqp://…@host/q"},
      {"amqp://bob:cut", "amqp://…"},
      {"mongodb://u:p@a:1,b:2/db?x=y", "mongodb://…@a:1,b:2/db?x=…"},
      {"https://host/x?plain", "https://host/x?…"},
      {"https://host/x?a=&b", "https://host/x?a=&…"},
      {"https://host/x#part", "https://host/x#part"},
      {"/search?q=two words&x=1", "/search?q=…&x=…"},
      {"/plain/path", "/plain/path"},
      {"https://a/?next=https://b/?c=d", "https://a/?next=…"},
  };
  for (const Case& one : cases) EXPECT_EQ(redact_url(one.given), one.left) << one.given;
  EXPECT_EQ(redact_text("GET https://h/a?id=5 and /b?c=d."), "GET https://h/a?id=… and /b?c=…");
  EXPECT_EQ(redact_query("?a=1&b=2"), "?a=…&b=…");
  EXPECT_EQ(redact_query("a=1;b"), "a=…;…");
}

TEST(RedactSql, LiteralsGo) {
  const Case cases[] = {
      {"SELECT * FROM t WHERE a = 5 AND b='x'", "SELECT * FROM t WHERE a = ? AND b=?"},
      {"SELECT 'it''s', N'n', E'a\\'b', X'ff', U&'x', 0xDEADBEEF, 1.5e-3, .5, -7",
       "SELECT ?, ?, ?, ?, U&?, ?, ?, ?, -?"},
      {"SELECT $$a'b$$, $tag$x $$ y$tag$ FROM t", "SELECT ?, ? FROM t"},
      {"SELECT q'[it's]', nq'!a'b!' FROM dual", "SELECT ?, ? FROM dual"},
      {"SELECT \"p\".\"Id\" FROM \"Products\" AS \"p\" WHERE \"p\".\"Id\" = @p LIMIT 1",
       "SELECT \"p\".\"Id\" FROM \"Products\" AS \"p\" WHERE \"p\".\"Id\" = @p LIMIT ?"},
      {"SELECT [o].[Id] FROM [Order Lines] AS [o] WHERE [o].[Name] = N'secret'",
       "SELECT [o].[Id] FROM [Order Lines] AS [o] WHERE [o].[Name] = ?"},
      {"SELECT `a` FROM `t` WHERE `b` = \"secret\" OR CONCAT(\"secret\", c)",
       "SELECT `a` FROM `t` WHERE `b` = ? OR CONCAT(?, c)"},
      {"WHERE a = \"secret\" AND b LIKE \"secret%\"", "WHERE a = ? AND b LIKE ?"},
      {"INSERT INTO t (\"A\",\"B\") VALUES (\"s1\",\"s2\"), (\"s3\", 4)",
       "INSERT INTO t (\"A\",\"B\") VALUES (?,?), (?, ?)"},
      {"a IN (\"x\", 'y') AND \"B\" > 1", "a IN (?, ?) AND \"B\" > ?"},
      {"-- secret\nSELECT 1 /* secret /* deeper */ too */ FROM t -- secret", "\nSELECT ?  FROM t "},
      {"SELECT a::int4, :name, $1, @p0, @@rowcount, ?1 FROM #temp",
       "SELECT a::int4, :name, $1, @p0, @@rowcount, ?1 FROM #temp"},
      {"SELECT 'unterminated secret", "SELECT ?"},
      {"SELECT \"unterminated secret", "SELECT ?"},
      {"SELECT $x$unterminated secret", "SELECT ?"},
      {"SELECT /* unterminated secret", "SELECT "},
      {"WHERE p='C:\\' AND q='secret'", "WHERE p=?"},
      {"WHERE p='it\\'s secret'", "WHERE p=?"},
      {"WHERE p='a\\\\' AND q='secret'", "WHERE p=?"},
      {"CREATE USER u IDENTIFIED BY hunter2 ACCOUNT LOCK", "CREATE USER u IDENTIFIED BY ? ACCOUNT LOCK"},
      {"SELECT ARRAY['secret', 'x'], t.a[1] FROM t1", "SELECT ARRAY[?, ?], t.a[?] FROM t1"},
      {"SELECT x = ['secret']", "SELECT x = [?]"},
      {"v$session, tbl2, c_3", "v$session, tbl2, c_3"},
      {"EXEC sp_x @a=N'secret', @b=12:30", "EXEC sp_x @a=?, @b=?:?"},
  };
  for (const Case& one : cases) {
    std::string redacted = redact_sql(one.given);
    const std::string plain = redacted;
    EXPECT_EQ(plain, one.left) << one.given;
    EXPECT_THAT(redacted, Not(HasSubstr("secret"))) << one.given;
    EXPECT_LE(redacted.size(), one.given.size());
  }
}

TEST(RedactSql, WhatLooksLikeSql) {
  for (const char* const text : {"SELECT 1", " ( select 1)", "-- a\nUPDATE t SET a=1", "/* x */ DELETE FROM t",
                                 "WITH a AS (SELECT 1) SELECT 2", "Select a From t", "EXEC p"})
    EXPECT_TRUE(looks_like_sql(text)) << text;
  for (const char* const text : {"", "GET /orders", "DELETE /orders/7", "DELETE https://x/y", "Update failed",
                                 "selection", "DeleteOrder", "Set up"})
    EXPECT_FALSE(looks_like_sql(text)) << text;
}

TEST(RedactCommand, ValuesOfOptions) {
  const auto redacted = [](const std::string& line) {
    std::string result;
    for (const std::string& word : redact_command(split_shell_words(line)))
      result += (result.empty() ? "" : " ") + word;
    return result;
  };
  const Case cases[] = {
      {"dotnet Shop.dll --password=hunter2", "dotnet Shop.dll --password=…"},
      {"dotnet Shop.dll --password hunter2 --port 80", "dotnet Shop.dll --password … --port 80"},
      {"dotnet Shop.dll --Password 'my hunter2'", "dotnet Shop.dll --Password …"},
      {"dotnet Shop.dll /password:hunter2 /p:ApiKey=hunter2", "dotnet Shop.dll /password:… /p:ApiKey=…"},
      {"dotnet Shop.dll password='a b c'", "dotnet Shop.dll password=…"},
      {"dotnet Shop.dll /Token hunter2", "dotnet Shop.dll /Token …"},
      {"dotnet Shop.dll -token:hunter2 --api-key=a=b", "dotnet Shop.dll -token:… --api-key=…"},
      {"dotnet Shop.dll --ConnectionStrings:Db 'Server=x;Password=y'", "dotnet Shop.dll --ConnectionStrings:Db …"},
      {"dotnet Shop.dll --db 'Server=x;Password=y z;Trust=1'", "dotnet Shop.dll --db Server=x;Password=…;Trust=1"},
      {"dotnet Shop.dll --db='Server=x;Pwd=y z'", "dotnet Shop.dll --db=Server=x;Pwd=…"},
      {"dotnet Shop.dll https://u:p@h/?id=5", "dotnet Shop.dll https://…@h/?id=…"},
      {"dotnet Shop.dll -H 'Authorization: Bearer abc'", "dotnet Shop.dll -H Authorization:…"},
      {"dotnet Shop.dll '{\"password\":\"x\"}'", "dotnet Shop.dll {\"password\":\"…\"}"},
      {"dotnet Shop.dll --use-token --verbose", "dotnet Shop.dll --use-token --verbose"},
      {"dotnet test --filter Name=Login -c Release", "dotnet test --filter Name=Login -c Release"},
      {"dotnet /app/secret/Shop.dll 80", "dotnet /app/secret/Shop.dll 80"},
      {"/token x", "/token x"},
      {"dotnet Shop.dll --password", "dotnet Shop.dll --password"},
      {"dotnet Shop.dll --password=", "dotnet Shop.dll --password="},
  };
  for (const Case& one : cases) EXPECT_EQ(redacted(one.given), one.left) << one.given;
}

TEST(RedactTags, ByWhatTheyAre) {
  std::vector<Tag> tags = {
      {"url.full", "https://u:p@h/a?id=5"},       {"url.query", "?id=5"},
      {"http.request.header.authorization", "x"}, {"http.request.method", "GET"},
      {"db.statement", "SELECT 'secret'"},        {"user.token", "abc"},
      {"note", "SELECT a FROM t WHERE b = 'c'"},  {"db.query.parameter.0", "hunter2"},
      {"http.request.body.size", "17"},           {"http.response.status_code", "200"},
  };
  redact_tags(tags);
  std::vector<std::string> values;
  for (const Tag& tag : tags) values.push_back(tag.value);
  EXPECT_THAT(values, ElementsAre("https://…@h/a?id=…", "?id=…", "…", "GET", "SELECT ?", "…",
                                  "SELECT a FROM t WHERE b = ?", "…", "17", "200"));
}

TEST(RedactTags, StoresWithCommandsOfTheirOwn) {
  const auto statement = [](const char* store, const char* text) {
    std::vector<Tag> tags = {{"db.system", store}, {"db.statement", text}};
    redact_tags(tags);
    return tags[1].value;
  };
  EXPECT_EQ(statement("redis", "AUTH hunter2"), "AUTH …");
  EXPECT_EQ(statement("mongodb", "{\"find\": \"users\"}"), "…");
  EXPECT_EQ(statement("other", "{\"find\": \"users\"}"), "…");
  EXPECT_EQ(statement("postgresql", "SELECT 5"), "SELECT ?");
  EXPECT_EQ(redact_title("SELECT 5 FROM \"Key\" = @p", {{"db.system", "x"}}), "SELECT ? FROM \"Key\" = @p");
  EXPECT_EQ(redact_title("GET /a?id=5", {}), "GET /a?id=…");
}

// Any bytes, and texts made of what means something: nothing is read outside (the sanitizers see that), nothing grows
// beyond three times its size, and what comes out is not changed by going through once more but for what was cut.
TEST(Redact, AnyBytes) {
  std::mt19937 random(27);
  constexpr const char* kPieces[] = {"password",
                                     "=",
                                     ":",
                                     "://",
                                     "?",
                                     "&",
                                     "#",
                                     "@",
                                     "'",
                                     "\"",
                                     "\\",
                                     ";",
                                     " ",
                                     "\n",
                                     "--",
                                     "/*",
                                     "*/",
                                     "$$",
                                     "$a$",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     "q'",
                                     "N'",
                                     "E'",
                                     "0x1",
                                     "5",
                                     "a",
                                     "key",
                                     "Bearer ",
                                     "`",
                                     "SELECT ",
                                     "VALUES (",
                                     "IN (",
                                     ")",
                                     "\xff",
                                     "…",
                                     "/",
                                     "--token ",
                                     "IDENTIFIED BY ",
                                     "ALTER USER b PASSWORD ",
                                     "EXEC p @a=",
                                     "<key a=\"",
                                     "<password>",
                                     "</password>",
                                     "/>",
                                     "\\\"",
                                     "\\u0022",
                                     "eyJabcdefgh",
                                     "-----BEGIN PRIVATE KEY-----",
                                     "-----END ",
                                     "-u b:",
                                     "name: token, value: ",
                                     ","};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n)
      text += random() % 8 == 0 ? std::string(1, static_cast<char>(random())) : kPieces[random() % std::size(kPieces)];
    for (const std::string& left :
         {redact_text(text), redact_url(text), redact_query(text), redact_sql(text), redact_any(text)})
      ASSERT_LE(left.size(), 3 * text.size()) << text;
    std::vector<Tag> tags = {{text, text}, {"db.statement", text}, {"url.full", text}};
    redact_tags(tags);
    redact_title(text, tags);
    redact_tags(tags = tags_of_list(text));
    for (const std::string& word : redact_command({"x", text, text}))
      ASSERT_LE(word.size(), 3 * text.size() + kLeftOut.size());
  }
}

// What takes long in proportion to the square of the text would not end here.
TEST(Redact, LongTextsTakeNoLonger) {
  for (const std::string piece : {"://a:b/",
                                  "?a",
                                  "#",
                                  "[a",
                                  "$a$",
                                  "password=",
                                  "; password=x",
                                  "key ",
                                  "://",
                                  "'",
                                  "\\'",
                                  "/*",
                                  "{",
                                  "-",
                                  "a",
                                  " ",
                                  "key:",
                                  "IN(",
                                  "--token x",
                                  "a://?#",
                                  "<a b=\"",
                                  "<key>",
                                  "<password>x",
                                  "</",
                                  "a:",
                                  "a@",
                                  "a:/@",
                                  "eyJ-",
                                  "eyJ.a",
                                  "sk-",
                                  "-----BEGIN PRIVATE KEY----",
                                  "-u \"",
                                  "-u a:",
                                  "\\\"",
                                  "name:a,",
                                  "://;a",
                                  "PASSWORD ",
                                  "EXEC p @a=",
                                  "Bearer ",
                                  "--key --",
                                  "{\"a\\",
                                  "://a@;b="}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    EXPECT_LE(redact_text(text).size(), 3 * text.size());
    EXPECT_LE(redact_url(text).size(), 3 * text.size());
    EXPECT_LE(redact_sql(text).size(), text.size());
    EXPECT_LE(redact_any("SELECT " + text).size(), 3 * text.size() + 20);
    EXPECT_LE(redact_any("CREATE USER a PASSWORD " + text).size(), 3 * text.size() + 20);
    EXPECT_LE(redact_text("{\"secret\":" + text).size(), 3 * text.size() + 20);
    EXPECT_LE(tags_of_list(text).size(), text.size());
  }
}

}  // namespace
}  // namespace oriel
