#include "profile/trees/oriel_frames.h"

#include <gmock/gmock.h>

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;

Function native(const std::string& name, const std::string& library) {
  Function function;
  function.name = name;
  function.module = library;
  return function;
}

Function managed(const std::string& name) {
  Function function = native(name, "Shop.dll");
  function.managed = true;
  return function;
}

std::string stack(const Profile& profile, uint32_t node) {
  std::string result;
  for (; node != 0; node = profile.nodes[node].parent)
    result = " " + profile.functions[profile.nodes[node].function].name + result;
  return result;
}

TEST(OrielFrames, AreOneWithTheNativeCodeBelow) {
  Profile profile;
  profile.functions = {{},
                       managed("Main()"),
                       native("oriel::enter", "liboriel-log.so"),
                       native("oriel::write", "liboriel.so.1"),
                       native("memcpy", "libc.so.6"),
                       managed("Called()")};
  // Main, enter, write, memcpy; Called below memcpy; memcpy below Main
  profile.nodes = {{}, {0, 1, false}, {1, 2, false}, {2, 3, false}, {3, 4, false}, {4, 5, false}, {1, 4, false}};
  profile.samples = {{0, 0, 2, 1}, {0, 0, 4, 2}, {0, 0, 5, 4}, {0, 0, 6, 8}};
  fold_oriel(profile);
  std::vector<std::string> stacks;
  for (const Sample& sample : profile.samples) stacks.push_back(stack(profile, sample.node));
  EXPECT_THAT(stacks, ElementsAre(" Main() [Oriel]", " Main() [Oriel]", " Main() [Oriel] Called()", " Main() memcpy"));
}

TEST(OrielFrames, WithoutAnyNothingChanges) {
  Profile profile;
  profile.functions = {{}, managed("Main()")};
  profile.nodes = {{}, {0, 1, false}};
  fold_oriel(profile);
  EXPECT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.nodes.size(), 2u);
}

}  // namespace
}  // namespace oriel::profile
