#include "push/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "push/percent.h"

namespace oriel::push {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Labels, AreNamesAndValues) {
  const Result<Label> label = parse_label("service.version=1.4=beta");
  ASSERT_TRUE(label) << label.message();
  EXPECT_EQ(*label, (Label{"service.version", "1.4=beta"}));
}

TEST(Labels, NamesHaveASyntax) {
  for (const char* wrong :
       {"", "novalue", "=x", "1st=x", "__reserved=x", "with blank=x", "Ä=x", "a=", "a=b\nc", "a=\xff"})
    EXPECT_FALSE(parse_label(wrong)) << wrong;
  EXPECT_THAT(parse_label("novalue").message(), HasSubstr("--label novalue: write NAME=VALUE"));
}

TEST(Labels, OfTheEnvironmentAreDecodedAndWhatIsNoneIsLeftOut) {
  EXPECT_THAT(labels_of_list("service.version=1.4, k8s.pod.name = shop%2D7 ,bad,=x,team=a%2Cb,team=c"),
              ElementsAre(Label{"service.version", "1.4"}, Label{"k8s.pod.name", "shop-7"}, Label{"team", "c"}));
  EXPECT_THAT(labels_of_list(""), IsEmpty());
}

TEST(Identity, WhatIsGivenCountsMostAndTheProgramLeast) {
  const FromEnvironment own{"", "service.name=listed,a=own,b=own"},
      of_process{"named", "a=process,b=process,c=process"};
  EXPECT_EQ(identity_of("", {}, {}, "Shop").service, "Shop");
  EXPECT_EQ(identity_of("", {}, {of_process}, "Shop").service, "named");
  EXPECT_EQ(identity_of("", {}, {own, of_process}, "Shop").service, "listed");
  EXPECT_EQ(identity_of("", {{"service.name", "label"}}, {own, of_process}, "Shop").service, "label");
  const Identity identity = identity_of("given", {{"a", "given"}}, {own, of_process}, "Shop");
  EXPECT_EQ(identity.service, "given");
  EXPECT_THAT(identity.labels, ElementsAre(Label{"a", "given"}, Label{"b", "own"}, Label{"c", "process"}));
}

TEST(Identity, TheServiceIsUtf8) { EXPECT_EQ(identity_of("a\xff", {}, {}, "Shop").service, "a\uFFFD"); }

TEST(Identity, TheNameOfTheServiceCountsMoreThanTheListOfItsEnvironment) {
  EXPECT_EQ(identity_of("", {}, {{"named", "service.name=listed"}}, "Shop").service, "named");
}

TEST(Percent, EncodesAndDecodes) {
  EXPECT_EQ(percent_encoded("shop{a=b c}"), "shop%7Ba%3Db%20c%7D");
  EXPECT_EQ(percent_decoded("a%20b%2c%7E"), "a b,~");
  EXPECT_EQ(percent_decoded("100% %2 %zz %"), "100% %2 %zz %");
}

}  // namespace
}  // namespace oriel::push
