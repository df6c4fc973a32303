#include "settings/settings.h"

#include <gtest/gtest.h>

namespace oriel::settings {
namespace {

// The modules that a file's text asks for, or what is wrong with it.
std::string modules_of(const std::string& text) {
  const Result<Settings> settings = parse_settings(text, "oriel.json");
  if (!settings) return settings.message();
  const Result<std::string> modules = modules_text(*settings);
  return modules ? *modules : modules.message();
}

TEST(Settings, AreWhatTheOptionsAre) {
  EXPECT_EQ(modules_of("{}"), "log:out=%n-%p.oriel");
  EXPECT_EQ(modules_of(R"({"sample": 500, "calls": "Shop.*", "output": "/data/%n-%p.oriel",
                           "rotate": "100MB", "keep": 10})"),
            "log:sample=process,hz=500,calls=Shop.*,rotate=100MB,keep=10,out=/data/%n-%p.oriel");
  EXPECT_EQ(modules_of(R"({"calls": ["A.*", "!A.B"], "locks": true, "gc-phases": false, "counters": true})"),
            "log:calls=A.*|!A.B,locks,counters=System.Runtime,out=%n-%p.oriel");
  EXPECT_EQ(modules_of(R"({"no-sample": true})"), "log:sample=none,out=%n-%p.oriel");
}

TEST(Settings, AModuleOfItsOwnHasAFileOfItsOwn) {
  EXPECT_EQ(modules_of(R"({"callgraph": "Shop.*", "output": "a.oriel"})"), "callgraph:calls=Shop.*,out=a.oriel");
  EXPECT_EQ(modules_of(R"({"callgraph": true, "sample": 99, "output": "a.oriel"})"),
            "log:sample=process,hz=99,out=a.oriel;callgraph:calls,out=a.callgraph.oriel");
}

TEST(Settings, PausedModulesWait) {
  EXPECT_TRUE(parse_settings(R"({"paused": true})", "")->paused);
  EXPECT_FALSE(parse_settings(R"({"paused": false})", "")->paused);
}

TEST(Settings, OtherModulesComeBehind) {
  EXPECT_EQ(modules_of(R"({"module": "mine", "output": "a.oriel"})"), "log:out=a.oriel;mine");
  EXPECT_EQ(modules_of(R"({"module": ["/opt/liboriel-mine.so:a:b", "other:x=1"], "output": "a.oriel"})"),
            "log:out=a.oriel;/opt/liboriel-mine.so:a:b;other:x=1");
  // Arguments of a built-in one are its options.
  EXPECT_EQ(modules_of(R"({"module": "log:events=gc", "sample": 99, "output": "a.oriel"})"),
            "log:sample=process,hz=99,events=gc,out=a.oriel");
  EXPECT_EQ(modules_of(R"({"module": "log:out=b.oriel"})"),
            "--module log:out=b.oriel: oriel run names this file itself; write -o b.oriel");
  for (const char* wrong : {"[]", "[1]", "true", R"("")", R"("a;b")"})
    EXPECT_EQ(modules_of(std::string(R"({"module": )") + wrong + "}"),
              "oriel.json:1: 'module' is a text or an array of texts, without ';': NAME[:ARGS], or a library's path");
  EXPECT_EQ(modules_of(R"({"module": "mine/"})").find("oriel.json:1: "), 0u);
}

TEST(Settings, HaveSwitchesOfTheirOwn) {
  const auto settings = parse_settings(R"({"children": true, "no-redact": true})", "");
  ASSERT_TRUE(settings) << settings.message();
  EXPECT_TRUE(settings->children && settings->no_redact && !settings->paused);
}

TEST(Settings, WhatIsWrongIsOneLineWithItsPlace) {
  EXPECT_EQ(modules_of("{\n  \"sample\": 500,\n  \"smaple\": 1\n}"),
            "oriel.json:3: there is no setting 'smaple'; did you mean 'sample'?");
  EXPECT_EQ(modules_of(R"({"quiet": true})"), "oriel.json:1: there is no setting 'quiet'; see oriel run --help");
  EXPECT_EQ(modules_of(R"({"children": 1})"), "oriel.json:1: 'children' is true or false");
  EXPECT_EQ(modules_of("{\n\"keep\": \"10\"}"), "oriel.json:2: 'keep' is a whole number");
  EXPECT_EQ(modules_of(R"({"keep": -1})"), "oriel.json:1: 'keep' is a whole number");
  EXPECT_EQ(modules_of(R"({"rotate": true})"), "oriel.json:1: 'rotate' is a text");
  EXPECT_EQ(modules_of(R"({"locks": 1})"), "oriel.json:1: 'locks' is true or false");
  EXPECT_EQ(modules_of(R"({"calls": ["A", 1]})"), "oriel.json:1: 'calls' is a text, an array of texts, or true");
  EXPECT_EQ(modules_of(R"({"calls": null})"), "oriel.json:1: 'calls' is a text, an array of texts, or true");
  EXPECT_EQ(modules_of(R"({"paused": "yes"})"), "oriel.json:1: 'paused' is true or false");
  EXPECT_EQ(modules_of(R"({"output": ""})"),
            "oriel.json:1: 'output' is a text: the log's file, such as /data/%n-%p.oriel");
  EXPECT_EQ(modules_of("{\n\"sample\": 0}"),
            "oriel.json:2: --sample=0: a rate is a whole number of samples a second, from 1 to 10000");
  EXPECT_EQ(modules_of("[1]"), "oriel.json:1: settings are an object: {\"sample\": 500}");
  const std::string broken = modules_of("{\n\"sample\": 500,\n");
  EXPECT_TRUE(broken.starts_with("oriel.json:3: this is no JSON: ")) << broken;
  EXPECT_EQ(broken.find('\n'), std::string::npos);
  EXPECT_EQ(modules_of(R"({"keep": 2})"), "--keep applies to a log of several files; give --rotate or --recorder too");
  EXPECT_EQ(modules_of(R"({"budget": "1%"})"), "log:budget=1%,out=%n-%p.oriel");
  EXPECT_EQ(modules_of(R"({"budget": "1%", "callgraph": true})"),
            "--budget cannot limit --callgraph, which counts each one, whatever that takes; leave one of them out");
  EXPECT_TRUE(read_settings("/nonexistent/oriel.json")
                  .message()
                  .starts_with("the settings /nonexistent/oriel.json cannot be read: "));
}

}  // namespace
}  // namespace oriel::settings
