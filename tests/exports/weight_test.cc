// Exports of weighed profiles: units, and figures beside the weight.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "exports/build_profile.h"
#include "exports/export.h"
#include "exports/frames.h"
#include "pprof.pb.h"
#include "profile/trees/weight.h"

namespace oriel::exports {
namespace {

namespace pprof = ::oriel::testing::pprof;  // as protobuf reads it

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ProfileBuilder;

// Main calls Add twice; Add allocates three strings of 40 bytes and, inlined from elsewhere, an Item of 24.
profile::Profile logged() {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  profile.sampling_mode = "none";
  profile.sampling_hz = 0;
  const uint32_t thread = builder.thread("Main", 100);
  const uint32_t main = builder.function("Main"), add = builder.function("Add"), make = builder.function("Make");
  const uint32_t text = builder.function("System.String"), item = builder.function("Item");
  profile.functions[text].type = profile.functions[item].type = true;
  profile.call_nodes = {{}, {0, main, false}, {1, add, false}};
  profile.call_figures = {{}, {thread, 1, 1, 0, 0, 30, 100}, {thread, 2, 2, 1, 0, 70, 50}};
  profile.allocations = {{thread, 2, text, add, 3, 120}, {thread, 2, item, make, 1, 24}};
  profile.call_totals = {{.enters = 3, .allocated = 4}};
  return profile;
}

std::string exported(std::string_view format, profile::WeightKind weight) {
  const Result<profile::Profile> weighed = profile::by_weight(weight, logged());
  EXPECT_TRUE(weighed) << weighed.message();
  std::ostringstream out;
  const Status status = write_export(**find_export(format), *weighed, out);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

pprof::Profile decode(const std::string& packed) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(plain.size() - stream.avail_out);
  inflateEnd(&stream);
  pprof::Profile profile;
  EXPECT_TRUE(profile.ParseFromString(plain));
  return profile;
}

TEST(Weights, NamesLeadBackToTheirWeight) {
  for (const profile::WeightInfo& info : profile::weights()) {
    const Result<profile::WeightKind> parsed = profile::parse_weight(info.name);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, info.weight);
  }
  EXPECT_EQ(profile::parse_weight("kg").message(),
            "there is no weight \"kg\"; choose one of samples, calls-time, bytes, objects, alive, alive-2, alive-10");
}

TEST(Weights, CollapsedStacksEndWithTheType) {
  EXPECT_EQ(exported("collapsed", profile::WeightKind::kCallsTime), "Main 30\nMain;Add 70\n");
  EXPECT_EQ(exported("collapsed", profile::WeightKind::kBytes), "Main;Add;Make;Item 24\nMain;Add;System.String 120\n");
  EXPECT_EQ(exported("collapsed", profile::WeightKind::kObjects), "Main;Add;Make;Item 1\nMain;Add;System.String 3\n");
}

TEST(Weights, WithoutCallsSitesLeadToTypes) {
  profile::Profile profile = logged();
  profile.call_nodes.resize(1);
  profile.call_figures.resize(1);
  for (profile::Allocations& entry : profile.allocations) entry.node = 0;
  std::ostringstream out;
  ASSERT_TRUE(write_export(**find_export("collapsed"), *profile::by_weight(profile::WeightKind::kBytes, profile), out));
  EXPECT_EQ(out.str(), "Add;System.String 120\nMake;Item 24\n");
}

TEST(Weights, SpeedscopeHasTheirUnits) {
  const auto unit = [](profile::WeightKind weight) {
    return json::parse(exported("speedscope", weight))["profiles"][0]["unit"].get<std::string>();
  };
  EXPECT_EQ(unit(profile::WeightKind::kCallsTime), "nanoseconds");
  EXPECT_EQ(unit(profile::WeightKind::kBytes), "bytes");
  EXPECT_EQ(unit(profile::WeightKind::kObjects), "none");
  const json file = json::parse(exported("speedscope", profile::WeightKind::kBytes));
  EXPECT_EQ(file["profiles"][0]["endValue"], 144);
}

TEST(Weights, PprofNamesItsSampleTypes) {
  const auto types = [](const pprof::Profile& profile) {
    std::vector<std::string> names;
    for (const auto& type : profile.sample_type())
      names.push_back(profile.string_table(static_cast<int>(type.type())) + "/" +
                      profile.string_table(static_cast<int>(type.unit())));
    return names;
  };
  const pprof::Profile time = decode(exported("pprof", profile::WeightKind::kCallsTime));
  EXPECT_THAT(types(time), ElementsAre("calls/count", "time/nanoseconds"));
  ASSERT_EQ(time.sample_size(), 2);
  EXPECT_THAT(time.sample(1).value(), ElementsAre(2, 70));
  const pprof::Profile bytes = decode(exported("pprof", profile::WeightKind::kBytes));
  EXPECT_THAT(types(bytes), ElementsAre("alloc_objects/count", "alloc_space/bytes"));
  EXPECT_THAT(bytes.sample(0).value(), ElementsAre(3, 120));
  EXPECT_EQ(bytes.string_table(static_cast<int>(bytes.default_sample_type())), "alloc_space");
  const pprof::Profile objects = decode(exported("pprof", profile::WeightKind::kObjects));
  EXPECT_THAT(types(objects), ElementsAre("alloc_space/bytes", "alloc_objects/count"));
  EXPECT_THAT(objects.sample(0).value(), ElementsAre(120, 3));
}

TEST(Weights, TypesAreAKindOfFrame) {
  profile::Function type;
  type.managed = type.type = true;
  EXPECT_EQ(kind_of(type), FrameKind::kType);
}

}  // namespace
}  // namespace oriel::exports
