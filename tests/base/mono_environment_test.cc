#include "base/process/mono_environment.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(MonoEnvironment, OptionsOfTheUserStay) {
  EXPECT_EQ(with_oriel_option("", false), "--profile=oriel");
  EXPECT_EQ(with_oriel_option("--debug --profile=log:sample", false), "--debug --profile=log:sample --profile=oriel");
  EXPECT_EQ(with_oriel_option("--profile=oriel --debug", false), "--debug --profile=oriel");
  EXPECT_EQ(without_oriel_option("--debug --profile=oriel"), "--debug");
  EXPECT_EQ(without_oriel_option("--profile=oriel"), "");
  EXPECT_EQ(without_oriel_option("--debug  --profile=orielle "), "--debug  --profile=orielle ");
}

TEST(MonoEnvironment, WhatIsCompiledAheadIsOffOnlyWithOriel) {
  EXPECT_EQ(with_oriel_option("--debug", true), "--debug --profile=oriel --optimize=-aot");
  EXPECT_EQ(with_oriel_option("--full-aot-interp", true), "--full-aot-interp --profile=oriel");
  EXPECT_EQ(with_oriel_option("--optimize=inline,aot", true), "--optimize=inline,aot --profile=oriel");
  EXPECT_EQ(with_oriel_option("-O=-aot,inline", true), "-O=-aot,inline --profile=oriel --optimize=-aot");
  EXPECT_EQ(with_oriel_option("--profile=oriel --optimize=-aot", false), "--profile=oriel");
  EXPECT_EQ(without_oriel_option("--debug --profile=oriel --optimize=-aot -v"), "--debug -v");
  EXPECT_EQ(without_oriel_option("--optimize=-aot --profile=oriel"), "--optimize=-aot") << "the user's own";
}

TEST(MonoEnvironment, FoldersOfTheUserStayAndGoFirst) {
  EXPECT_EQ(with_oriel_folder("", "/opt/oriel/lib"), "/opt/oriel/lib/oriel-mono");
  EXPECT_EQ(with_oriel_folder("/a:/b", "/opt/oriel/lib"), "/a:/b:/opt/oriel/lib/oriel-mono");
  EXPECT_EQ(with_oriel_folder("/a:/old/oriel-mono", "/new"), "/a:/new/oriel-mono");
  EXPECT_EQ(without_oriel_folder("/a::/b:/x/oriel-mono"), "/a::/b");
  EXPECT_EQ(without_oriel_folder("/x/oriel-mono"), "");
  EXPECT_EQ(without_oriel_folder("oriel-mono:/x/my-oriel-mono"), "oriel-mono:/x/my-oriel-mono");
}

}  // namespace
}  // namespace oriel
