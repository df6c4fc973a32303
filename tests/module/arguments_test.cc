#include "module/arguments.h"

#include <gtest/gtest.h>

namespace oriel::modules {
namespace {

enum Row : size_t { kMode, kCount, kWhat, kIn, kLoud, kOut };
constexpr Argument kTable[] = {
    {.name = "mode", .kind = ArgumentKind::kChoice, .words = "slow|fast|none", .if_bare = "fast"},
    {.name = "count", .kind = ArgumentKind::kNumber, .least = 1, .most = 10, .note = "a count is a whole number"},
    {.name = "what", .kind = ArgumentKind::kText},
    {.name = "in", .kind = ArgumentKind::kPatterns},
    {.name = "loud", .kind = ArgumentKind::kFlag, .note = "it is always loud"},
    {.name = "out", .kind = ArgumentKind::kFile},
    {.name = "names", .kind = ArgumentKind::kNames, .if_bare = "All"},
};
constexpr Option kOptions[] = {
    {.name = "--fast", .takes = "count", .sets = "mode=fast", .values = "N"},
    {.name = "--none", .sets = "mode=none"},
    {.name = "--in", .takes = "in", .values = "PATTERNS"},
    {.name = "--loud", .takes = "loud"},
};
const Option &kFast = kOptions[0], &kNone = kOptions[1], &kInOption = kOptions[2], &kLoudOption = kOptions[3];

std::string parsed(std::string_view text) {
  Arguments arguments("thing", kTable);
  const Status status = arguments.parse(text);
  return status ? arguments.text() : status.message();
}

// Of "--calls", or "--calls=A", one after another.
std::string given(std::initializer_list<std::pair<const Option*, const char*>> options) {
  Arguments arguments("thing", kTable, kOptions);
  for (const auto& [option, value] : options) {
    const Status status = arguments.give(*option, value ? std::optional<std::string_view>(value) : std::nullopt);
    if (!status) return status.message();
  }
  return arguments.text();
}

TEST(Arguments, OfATextAreATextAgain) {
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("loud,count=10,mode=slow"), "mode=slow,count=10,loud");
  EXPECT_EQ(parsed("mode"), "mode=fast");
  EXPECT_EQ(parsed("in,,what=a+b,"), "what=a+b,in");
  EXPECT_EQ(parsed("names=A.*|B"), "names=A.*|B");
  EXPECT_EQ(parsed("names"), "names=All");
  EXPECT_EQ(parsed("in=A|!B,loud,out=/tmp/a,mode=%p"), "in=A|!B,loud,out=/tmp/a,mode=%p");
}

TEST(Arguments, SayWhatIsWrongWithEach) {
  EXPECT_EQ(parsed("mode=big"), "thing: mode=big is unknown; use slow, fast or none");
  for (const char* count : {"0", "11", "1x", "-1", ""})
    EXPECT_EQ(parsed(std::string("count=") + count),
              std::string("thing: count=") + count + ": a count is a whole number, from 1 to 10");
  EXPECT_EQ(parsed("loud=yes"), "thing: loud has no value; leave out =yes; it is always loud");
  EXPECT_EQ(parsed("loud,size=1"), "thing: unknown argument 'size'; known: mode, count, what, in, loud, out, names");
  EXPECT_EQ(parsed("out="), "thing: out= names no file");
  EXPECT_EQ(parsed("names=A;B"), "thing: names=A;B: names have no ';' in them");
  EXPECT_EQ(parsed("in=A|[B"), "thing: in: the pattern '[B' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
}

TEST(Arguments, OfOptionsAreThoseOfATextAndNamedAsOptions) {
  EXPECT_EQ(given({{&kFast, nullptr}}), "mode=fast");
  EXPECT_EQ(given({{&kFast, "7"}, {&kLoudOption, nullptr}}), "mode=fast,count=7,loud");
  EXPECT_EQ(given({{&kFast, "70"}}), "--fast=70: a count is a whole number, from 1 to 10");
  EXPECT_EQ(given({{&kNone, "1"}}), "--none has no value; leave out =1");
  EXPECT_EQ(given({{&kInOption, "[A"}}),
            "--in: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  Arguments arguments("thing", kTable, kOptions);
  EXPECT_EQ(arguments.said(kIn), "--in");
  EXPECT_EQ(arguments.said(kMode), "thing: mode");
  EXPECT_EQ(arguments.name(kMode), "mode");
}

TEST(Arguments, PatternsThatAreGivenAgainAreAdded) {
  EXPECT_EQ(given({{&kInOption, "A"}, {&kInOption, "B,!Map<K, V>.C"}, {&kInOption, "D"}}), "in=A|B|!Map.C|D");
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, nullptr}}), "in");
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, "!*.ToString"}}), "in=!*.ToString");
  const std::string refused = "--in is given without patterns, which means user code, and with some; decide for one";
  EXPECT_EQ(given({{&kInOption, nullptr}, {&kInOption, "A"}}), refused);
  EXPECT_EQ(given({{&kInOption, "A"}, {&kInOption, nullptr}}), refused);
}

TEST(Arguments, OtherThingsAreGivenOnce) {
  EXPECT_EQ(given({{&kFast, "7"}, {&kFast, "7"}, {&kFast, nullptr}}), "mode=fast,count=7");
  EXPECT_EQ(given({{&kFast, "7"}, {&kNone, nullptr}}), "--fast=7 and --none cannot both be; leave one out");
  EXPECT_EQ(given({{&kFast, "7"}, {&kFast, "8"}}), "--fast=7 and --fast=8 cannot both be; leave one out");
  EXPECT_EQ(parsed("mode,mode=slow"), "thing: mode and thing: mode=slow cannot both be; leave one out");
}

TEST(Arguments, TheFileIsTheLastWord) {
  Arguments arguments("thing", kTable);
  ASSERT_TRUE(arguments.parse("loud,out=a"));
  arguments.set_file("/tmp/b,%p");
  EXPECT_EQ(arguments.text(), "loud,out=/tmp/b,%p");
}

}  // namespace
}  // namespace oriel::modules
