// Time by category, with the parts of each share.
#include <gmock/gmock.h>

#include "profile/shop/shop_log.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using oriel::testing::json_of;
using oriel::testing::text_of;

class Shares : public ::testing::Test {
 protected:
  Shares() {
    profile_.functions.resize(1);
    profile_.nodes.resize(1);
    profile_.threads.resize(1);
    profile_.threads[0].name = "main";
    profile_.threads.emplace_back().name = ".NET Tiered Com";
    profile_.sampling_hz = 1000;
    profile_.sampling_mode = "process";
  }

  void stack(uint64_t periods, std::initializer_list<profile::Function> functions, uint32_t thread = 0) {
    uint32_t node = 0;
    for (const profile::Function& function : functions) {
      uint32_t at = 1;
      while (at < profile_.functions.size() && profile_.functions[at].name != function.name) ++at;
      if (at == profile_.functions.size()) profile_.functions.push_back(function);
      profile_.nodes.push_back({node, at, false});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    profile_.samples.push_back({0, thread, node, periods});
    profile_.unfiltered_periods += periods;
  }
  static profile::Function own(const char* name) { return {name, "", "Shop.dll", true}; }
  static profile::Function base(const char* name) { return {name, "", "System.Private.CoreLib.dll", true}; }
  static profile::Function runtime(const char* name) { return {name, "", "libcoreclr.so", false}; }
  static profile::Function jit() { return {"[libclrjit.so]", "", "libclrjit.so", false}; }

  profile::Profile profile_;
};

TEST_F(Shares, AreTakenApartByMethodsByWhomTheyAreForAndByThreads) {
  stack(50, {own("Shop.Main()")});
  stack(10, {own("Shop.Main()"), own("Shop.Add(int)"), {"memmove", "", "libc.so.6", false}});
  stack(12, {own("Shop.Main()"), base("string.Concat(string, string)")});
  stack(3, {own("Shop.Main()"), base("string.Concat(string, string)"), runtime("Buffer::Copy")});
  stack(8, {own("Shop.Main()"), own("Shop.Add(int)"), runtime("[PGO counting]")});
  stack(7, {own("Shop.Main()"), base("System.Runtime.CompilerServices.CastHelpers.IsInstanceOfClass(void*, object)")});
  stack(6, {jit()}, 1);
  stack(4, {own("Shop.Main()"), jit()});
  EXPECT_EQ(text_of("shares", profile_), R"text(Where the time of 100 samples went

 share     time  samples  spent in
50.0 %  50.0 ms       50  your code
50.0 %  50.0 ms       50    Shop.Main()

15.0 %  15.0 ms       15  base library
15.0 %  15.0 ms       15    string.Concat(string, string)

10.0 %  10.0 ms       10  JIT compiler
 6.0 %  6.00 ms        6    again, optimized, on .NET Tiered Com
 4.0 %  4.00 ms        4    first time, on main

10.0 %  10.0 ms       10  libc.so.6
10.0 %  10.0 ms       10    memmove [libc.so.6]

 8.0 %  8.00 ms        8  PGO counting
 8.0 %  8.00 ms        8    for Shop.Add(int)

 7.0 %  7.00 ms        7  casts and write barriers
 7.0 %  7.00 ms        7    for Shop.Main()
)text");
}

TEST_F(Shares, SayHowManyPartsAreLeftOut) {
  for (int i = 0; i < 8; ++i) stack(10, {own(("Shop.M" + std::to_string(i) + "()").c_str())});
  EXPECT_THAT(text_of("shares", profile_), ::testing::HasSubstr("37.5 %  30.0 ms       30    3 other methods\n"));
  Options options;
  options.limit = 8;
  EXPECT_THAT(text_of("shares", profile_, options), ::testing::Not(::testing::HasSubstr("other")));
  EXPECT_EQ(json_of("shares", profile_)["shares"][0]["parts"].size(), 8u);
}

TEST_F(Shares, AreOfTheProgramsOwnTime) {
  stack(60, {own("Shop.Main()"), {"probe", "", "liboriel.so.1", false}});
  stack(30, {own("Shop.Main()")});
  stack(10, {jit()});
  const std::string text = text_of("shares", profile_);
  EXPECT_THAT(text, ::testing::HasSubstr("        60.0 ms       60  Oriel\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\n75.0 %  30.0 ms       30  your code\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("excluding 60 samples in Oriel."));
  const std::string summary = text_of("summary", profile_);
  EXPECT_THAT(summary, ::testing::HasSubstr("Spent in    75.0 % your code, 25.0 % JIT compiler"));
  EXPECT_THAT(summary, ::testing::HasSubstr("; 60 in Oriel"));
}

TEST_F(Shares, AddUpInJson) {
  stack(30, {own("Shop.Main()")});
  stack(70, {jit()}, 1);
  const nlohmann::json json = json_of("shares", profile_);
  EXPECT_EQ(json["samples"], 100);
  EXPECT_EQ(json["shares"][0]["category"], "jit");
  EXPECT_EQ(json["shares"][0]["share"], 0.7);
  EXPECT_EQ(json["shares"][0]["parts"][0]["name"], "again, optimized, on .NET Tiered Com");
  EXPECT_EQ(json["shares"][0]["parts"][0]["kind"], "on");
  EXPECT_EQ(json["shares"][1]["parts"][0]["name"], "Shop.Main()");
  EXPECT_EQ(json["shares"][1]["parts"][0]["kind"], "in");
}

}  // namespace
}  // namespace oriel::report
