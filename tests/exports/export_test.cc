#include "exports/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "exports/build_profile.h"
#include "exports/frames.h"

namespace oriel::exports {
namespace {

using ::testing::HasSubstr;
using testing::ProfileBuilder;

TEST(Formats, NamesLeadBackToTheirFormat) {
  ASSERT_EQ(all_exports().size(), 15u);
  for (const Export* format : all_exports()) {
    const Result<const Export*> found = find_export(format->name);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, format);
    EXPECT_EQ(format->extension[0], '.');
  }
}

TEST(Formats, AnUnknownNameIsToldWhatThereIs) {
  const Result<const Export*> parsed = find_export("svg");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.message(),
            "there is no format \"svg\"; choose one of collapsed, speedscope, pprof, otlp, html, perfetto, "
            "firefox, chrome-trace, perf-script, perf-map, gcdump, heapsnapshot, sqlite, csv, parquet");
}

TEST(Export, AFullDiskIsAnError) {
  std::ofstream full("/dev/full", std::ios::binary);
  if (!full) GTEST_SKIP() << "this system has no /dev/full";
  ProfileBuilder builder;
  builder.sample(builder.thread("T", 1), builder.named_stack({"Main"}));
  for (const Export* format : all_exports()) {
    if (format->of_heap || format->of_code || format->write_tables) continue;
    std::ofstream out("/dev/full", std::ios::binary);
    const Status status = write_export(*format, builder.profile(), out);
    ASSERT_FALSE(status) << format->name;
    EXPECT_THAT(status.message(), HasSubstr("disk full"));
  }
}

TEST(Export, AProfileThatContradictsItselfIsAnError) {
  const auto fails = [](const std::function<void(profile::Profile&)>& spoil) {
    ProfileBuilder builder;
    builder.sample(builder.thread("T", 1), builder.named_stack({"Main", "A"}));
    spoil(builder.profile());
    for (const Export* format : all_exports()) {
      std::ostringstream out;
      const Status status = write_export(*format, builder.profile(), out);
      ASSERT_FALSE(status) << format->name;
      EXPECT_THAT(status.message(), HasSubstr("contradicts itself"));
      EXPECT_EQ(out.str(), "");
    }
  };
  fails([](profile::Profile& p) { p.nodes[1].parent = 2; });
  fails([](profile::Profile& p) { p.nodes[2].function = 99; });
  fails([](profile::Profile& p) { p.samples.change()[0].node = 99; });
  fails([](profile::Profile& p) { p.samples.change()[0].thread = 99; });
  fails([](profile::Profile& p) { p.nodes.clear(); });
}

TEST(FrameKinds, TellTheRuntimeFromOtherNativeCode) {
  const auto kind = [](const char* module, bool managed) { return kind_of({"f", "", module, managed}); };
  EXPECT_EQ(kind("libcoreclr.so", true), FrameKind::kManaged);
  EXPECT_EQ(kind("libcoreclr.so", false), FrameKind::kRuntime);
  EXPECT_EQ(kind("/usr/share/dotnet/libclrjit.so", false), FrameKind::kRuntime);
  EXPECT_EQ(kind("libSystem.Native.so", false), FrameKind::kRuntime);
  EXPECT_EQ(kind("dotnet", false), FrameKind::kRuntime);
  EXPECT_EQ(kind("libc.so.6", false), FrameKind::kNative);
  EXPECT_EQ(kind("libmylibcoreclr.so", false), FrameKind::kNative);
  EXPECT_EQ(kind("", false), FrameKind::kNative);
}

TEST(Period, IsTheRoundedPartOfASecond) {
  profile::Profile profile;
  EXPECT_EQ(period_ns(profile), 0u);
  profile.sampling_hz = 1000;
  EXPECT_EQ(period_ns(profile), 1'000'000u);
  profile.sampling_hz = 999;
  EXPECT_EQ(period_ns(profile), 1'001'001u);
}

}  // namespace
}  // namespace oriel::exports
