#include "modules/options.h"

#include <gtest/gtest.h>

namespace oriel::modules {
namespace {

enum class Mode : uint8_t { kSlow, kFast, kNone };
struct Things : GivenOptions {
  Mode mode = Mode::kNone;
  uint32_t count = 3;
  std::string what, names, out;
  std::optional<MethodPatterns> in;
  bool loud = false;
};

constexpr Option kRows[] = {
    {.name = "mode", .value = in<OptionKind::kChoice, &Things::mode>(), .words = "slow|fast|none", .if_bare = "fast"},
    {.name = "count",
     .value = in<OptionKind::kNumber, &Things::count>(),
     .change = Change::kWhileRunning,
     .least = 1,
     .most = 10,
     .note = "a count is a whole number",
     .option = "--fast",
     .sets = "mode=fast",
     .values = "N"},
    {.option = "--none", .sets = "mode=none"},
    {.name = "what", .value = in<OptionKind::kText, &Things::what>()},
    {.name = "in",
     .value = in<OptionKind::kPatterns, &Things::in>(),
     .change = Change::kWhileRunning,
     .option = "--in",
     .values = "PATTERNS"},
    {.name = "loud", .value = in<OptionKind::kFlag, &Things::loud>(), .note = "it is always loud", .option = "--loud"},
    {.name = "out", .value = in<OptionKind::kFile, &Things::out>()},
    {.name = "names", .value = in<OptionKind::kNames, &Things::names>(), .if_bare = "All"},
};
constexpr OptionTable kThings = {"thing", kRows};
const Option &kFast = kRows[1], &kNone = kRows[2], &kInOption = kRows[4], &kLoudOption = kRows[5];

std::string parsed(std::string_view text) {
  Things things;
  const Status status = OptionReader(kThings, things).read(text);
  return status ? text_of(kThings, things) : status.message();
}

// Of "--calls", or "--calls=A", one after another.
std::string given(std::initializer_list<std::pair<const Option*, const char*>> options) {
  Things things;
  OptionReader reader(kThings, things, true);
  for (const auto& [option, value] : options) {
    const Status status = reader.give(*option, value ? std::optional<std::string_view>(value) : std::nullopt);
    if (!status) return status.message();
  }
  return text_of(kThings, things);
}

TEST(Options, AreChangedInATextByTheirNames) {
  const auto changed = [](const char* text, const char* set, const char* dropped) {
    return changed_text(kThings, text, set, dropped);
  };
  EXPECT_EQ(changed("", "", ""), "");
  EXPECT_EQ(changed("mode=slow,loud", "count=4", ""), "mode=slow,loud,count=4");
  EXPECT_EQ(changed("mode=slow,loud", "mode=fast", "loud"), "mode=fast");
  EXPECT_EQ(changed("loud,out=/a,b/loud,mode=x", "loud", "mode"), "loud,out=/a,b/loud,mode=x") << "a file's name";
  EXPECT_EQ(changed("out=/a", "count=1,out=/b,c", ""), "count=1,out=/b,c");
  EXPECT_EQ(changed("in=A|B,count=2", "in=C", "count,nosuch"), "in=C");
}

TEST(Options, OfATextAreATextAgain) {
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("loud,count=10,mode=slow"), "mode=slow,count=10,loud");
  EXPECT_EQ(parsed("mode"), "mode=fast");
  EXPECT_EQ(parsed("in,,what=a+b,"), "what=a+b,in");
  EXPECT_EQ(parsed("names=A.*|B"), "names=A.*|B");
  EXPECT_EQ(parsed("names"), "names=All");
  EXPECT_EQ(parsed("in=A|!B,loud,out=/tmp/a,mode=%p"), "in=A|!B,loud,out=/tmp/a,mode=%p");
}

TEST(Options, SayWhatIsWrongWithEach) {
  EXPECT_EQ(parsed("mode=big"), "thing: mode=big is unknown; use slow, fast or none");
  for (const char* count : {"0", "11", "1x", "-1", ""})
    EXPECT_EQ(parsed(std::string("count=") + count),
              std::string("thing: count=") + count + ": a count is a whole number, from 1 to 10");
  EXPECT_EQ(parsed("loud=yes"), "thing: loud takes no value; leave out =yes; it is always loud");
  EXPECT_EQ(parsed("loud,size=1"), "thing: unknown argument 'size'; known: mode, count, what, in, loud, out, names");
  EXPECT_EQ(parsed("out="), "thing: out= names no file");
  EXPECT_EQ(parsed("names=A;B"), "thing: names=A;B: names have no ';' in them");
  EXPECT_EQ(parsed("in=A|[B"), "thing: in: the pattern '[B' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
}

TEST(Options, OfOptionsAreThoseOfATextAndNamedAsOptions) {
  EXPECT_EQ(given({{&kFast, nullptr}}), "mode=fast");
  EXPECT_EQ(given({{&kFast, "7"}, {&kLoudOption, nullptr}}), "mode=fast,count=7,loud");
  EXPECT_EQ(given({{&kFast, "70"}}), "--fast=70: a count is a whole number, from 1 to 10");
  EXPECT_EQ(given({{&kNone, "1"}}), "--none takes no value; leave out =1");
  EXPECT_EQ(given({{&kInOption, "[A"}}),
            "--in: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  Things things;
  const OptionReader reader(kThings, things, true);
  EXPECT_EQ(reader.said("in"), "--in");
  EXPECT_EQ(reader.said("mode"), "thing: mode");
  EXPECT_EQ(reader.name("mode"), "mode");
}

TEST(Options, PatternsThatAreGivenAgainAreAdded) {
  EXPECT_EQ(given({{&kInOption, "A"}, {&kInOption, "B,!Map<K, V>.C"}, {&kInOption, "D"}}), "in=A|B|!Map.C|D");
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, nullptr}}), "in");
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, "!*.ToString"}}), "in=!*.ToString");
  const std::string refused = "--in is given both without patterns, which means user code, and with some; choose one";
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, "A"}}), refused);
  EXPECT_EQ(given({{&kInOption, "A"}, {&kInOption, nullptr}}), refused);
}

TEST(Options, OtherThingsAreGivenOnce) {
  EXPECT_EQ(given({{&kFast, "7"}, {&kFast, "7"}, {&kFast, nullptr}}), "mode=fast,count=7");
  EXPECT_EQ(given({{&kFast, "7"}, {&kNone, nullptr}}), "--fast=7 and --none cannot be combined; leave one out");
  EXPECT_EQ(given({{&kFast, "7"}, {&kFast, "8"}}), "--fast=7 and --fast=8 cannot be combined; leave one out");
  EXPECT_EQ(parsed("mode,mode=slow"), "thing: mode and thing: mode=slow cannot be combined; leave one out");
}

TEST(Options, AnotherFileMayBePrinted) {
  Things things;
  ASSERT_TRUE(OptionReader(kThings, things).read("loud,out=a"));
  const std::string other = "/tmp/b,%p";
  EXPECT_EQ(text_of(kThings, things, &other), "loud,out=/tmp/b,%p");
  EXPECT_EQ(text_of(kThings, things), "loud,out=a");
}

TEST(Options, AreValuesOfTheirTypes) {
  Things things;
  EXPECT_FALSE(things.in);
  ASSERT_TRUE(OptionReader(kThings, things).read("mode=slow,count=7,in=A|!B,names=X|Y,loud,out=f"));
  EXPECT_EQ(things.mode, Mode::kSlow);
  EXPECT_EQ(things.count, 7u);
  EXPECT_EQ(things.in->text(), "A|!B");
  EXPECT_EQ(things.names, "X,Y");
  EXPECT_TRUE(things.loud);
  EXPECT_EQ(things.out, "f");
}

TEST(Options, ThatMayNotChangeAreKeptOrTold) {
  Things running;
  ASSERT_TRUE(OptionReader(kThings, running).read("mode=slow,count=1,loud,out=f"));
  const auto kept = [&](const char* text) {
    Things wanted;
    EXPECT_TRUE(OptionReader(kThings, wanted).read(text));
    const std::string differ = keep_fixed(kThings, running, wanted);
    return differ.empty() ? text_of(kThings, wanted) : "no " + differ;
  };
  EXPECT_EQ(kept(""), "mode=slow,loud,out=f");
  EXPECT_EQ(kept("count=2,mode=slow"), "mode=slow,count=2,loud,out=f");
  EXPECT_EQ(kept("mode=fast,out=g"), "no mode, out");
}

}  // namespace
}  // namespace oriel::modules
