// What the summary and the heap report say about objects that stay in the heap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/properties.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using oriel::testing::json_of;
using oriel::testing::options_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMs = 1'000'000;
constexpr uint64_t kMega = 1'000'000;

profile::Function function(const std::string& name, uint32_t origin) {
  profile::Function made;
  made.name = name;
  made.managed = true;
  made.module = "Shop.dll";
  made.origin = origin;
  return made;
}

// A heap that grows from 20 MB to 160 MB in a second, in eight full collections. 80 MB are carts, allocated in
// Shop.Carts.Open, which adds them to a dictionary.
Profile leaking() {
  Profile profile;
  profile.nodes.resize(1);
  profile.threads.resize(1);
  profile.processes.resize(1);
  profile.wall_ns = 1000 * kMs;
  profile.sampling_mode = "none";
  profile.intro.properties = {{log::property::kEvents, "runtime+gc"}, {log::property::kFollowed, "grown"}};
  profile.origins.push_back({log::Origin::kProject, "Shop"});
  profile.functions = {{},
                       function("Shop.Carts.Open(string)", 1),
                       function("Shop.Cart", 0),
                       function("System.Collections.Generic.Dictionary<string, Shop.Cart>.Entry[]", 0)};
  profile.nodes.push_back({0, 1, false});
  for (uint32_t i = 0; i < 8; ++i) {
    profile::Collection collection;
    collection.number = i + 1;
    collection.generation = 2;
    collection.start_ns = (50 + 120 * i) * kMs;
    collection.end_ns = collection.start_ns + kMs;
    collection.heap.emplace();
    collection.heap->bytes[profile::HeapSizes::kGeneration2] = (i + 1) * 20 * kMega;
    profile.collections.push_back(collection);
  }
  for (int i = 0; i < 40; ++i) {
    profile::FollowedObject cart;
    cart.ns = (100 + 20 * i) * kMs;
    cart.full = 2;
    cart.type = 2;
    cart.node = 1;
    cart.bytes = 2 * kMega;
    cart.objects = 500;
    profile.followed.push_back(cart);
  }
  profile::FollowedObject entries = profile.followed.back();
  entries.type = 3;
  entries.objects = 1;
  profile.followed.push_back(entries);
  profile.following = {{.from_ns = 100 * kMs, .samples = 500, .bytes = 900 * kMega}};
  return profile;
}

TEST(Heap, TheHintSaysWhatStaysAndWhatItIsPutInto) {
  const std::string text = json_of("summary", leaking())["hints"][0]["text"];
  EXPECT_THAT(text, HasSubstr("The heap grew from 20.0 MB to 160 MB over 8 full collections"));
  EXPECT_THAT(text, HasSubstr("What stays: 80.0 MB of Shop.Cart allocated in Shop.Carts.Open(string), still "
                              "alive after up to 2 full collections. System.Collections.Generic.Dictionary<string, "
                              "Shop.Cart>, which Shop.Carts.Open(string) adds to, has grown meanwhile"));
  EXPECT_EQ(json_of("summary", leaking())["hints"][0]["command"], "oriel report heap");
}

// Compilers grow until they end, and so do sets of what was seen: only long-running programs can run out of memory.
TEST(Heap, GrowthIsNoHintWhereNothingOfOwnCodeIsKnownToStay) {
  Profile profile = leaking();
  profile.followed.resize(5);
  EXPECT_THAT(text_of("summary", profile), Not(HasSubstr("kept growing")));
  EXPECT_THAT(text_of("heap", profile), HasSubstr("kept growing"));
  profile.wall_ns = 100'000'000'000;
  profile.collections.back().start_ns = profile.wall_ns;
  EXPECT_THAT(text_of("summary", profile), Not(HasSubstr("What stays: ")));
}

TEST(Heap, IsShownOverTimeWithWhatStays) {
  const std::string text = text_of("heap", leaking());
  EXPECT_THAT(text, HasSubstr("Heap after collections, over 1.00 s: peak 160 MB, last 160 MB."));
  EXPECT_THAT(text, HasSubstr("Allocated since 0.100 s, when the heap had grown,"));
  EXPECT_THAT(text, HasSubstr("97.6 %  80.0 MB   20,000     2"));
  const auto json = json_of("heap", leaking());
  EXPECT_EQ(json["sizes"].size(), 8u);
  EXPECT_EQ(json["following"]["samples"], 500);
  EXPECT_EQ(json["stays"][0]["type"], "Shop.Cart");
  EXPECT_EQ(json["stays"][0]["bytes"], 80 * kMega);
  EXPECT_EQ(json["stays"][0]["full_collections"], 2);
  EXPECT_EQ(json["keepers"][0]["kind"], "collection");
  EXPECT_EQ(json["keepers"][0]["name"], "System.Collections.Generic.Dictionary<string, Shop.Cart>");
}

TEST(Heap, SaysWhyNothingIsKnownToStay) {
  Profile profile = leaking();
  profile.followed.clear();
  EXPECT_THAT(text_of("heap", profile), HasSubstr("None of the tracked objects survived a full collection"));
  profile.following = {};
  EXPECT_THAT(text_of("heap", profile), HasSubstr("The heap did not grow for long"));
  profile.intro.properties.back().second = "start";
  EXPECT_THAT(text_of("heap", profile), HasSubstr("No objects were tracked: roots"));
  profile.intro.properties.pop_back();
  EXPECT_THAT(text_of("heap", profile), HasSubstr("oriel run --alloc=sampled"));
  EXPECT_TRUE(json_of("heap", profile)["following"].is_null());
}

TEST(Heap, ShowsWhatIsAliveByAgeAndAsATree) {
  const std::string text = text_of("heap", leaking(), *options_of("heap", {{"--alive", ""}}));
  EXPECT_THAT(text, HasSubstr("Still alive after at least 1 full collection: 82.0 MB, an estimate"));
  EXPECT_THAT(text, HasSubstr("2 to 9"));
  EXPECT_THAT(text, HasSubstr("Shop.Carts.Open(string)"));
  const auto json = json_of("heap", leaking(), *options_of("heap", {{"--alive", ""}, {"--survived", "2"}}));
  EXPECT_EQ(json["survived"], 2);
  EXPECT_EQ(json["ages"].size(), 3u);
  EXPECT_EQ(json["total"], 82 * kMega);
}

}  // namespace
}  // namespace oriel::report
