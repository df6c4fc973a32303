#include "runtimes/coreclr/guests/child_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/process/coreclr_clsid.h"

namespace oriel::coreclr {
namespace {

using Entries = std::vector<std::string>;
using ::testing::ElementsAreArray;
using ::testing::UnorderedElementsAreArray;

constexpr const char* kOne = "{00000000-0000-4000-8000-00000000000A}";
constexpr const char* kTwo = "{00000000-0000-4000-8000-00000000000B}";
constexpr const char* kEngine = "/opt/oriel/liboriel.so.1";

std::string text(const Entries& parts) {
  std::string result;
  for (const std::string& part : parts) result += part;
  return result;
}

Entries naming(const std::string& clsid, const std::string& path) {
  return {"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" + clsid, "CORECLR_PROFILER_PATH=" + path};
}

Entries operator+(Entries first, const Entries& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Entries kOriel = naming(ORIEL_CORECLR_CLSID, kEngine);
const Entries kRest = {"PATH=/bin", "ORIEL_CHILDREN=1", "ORIEL_PROFILERS=log", "CORECLR_OTHER=1", "nonsense"};

// The result with a buffer of `room` bytes. `changed`: whether it differs from `given`.
Entries composed(Entries given, bool* changed = nullptr, size_t room = 4096) {
  std::vector<char*> pointers;
  for (std::string& entry : given) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  const size_t size = child_environment_size(pointers.data(), kEngine);
  std::vector<char> scratch(room + 1);
  char* const* result = child_environment(pointers.data(), kEngine, std::span(scratch).subspan(1));
  if (changed != nullptr) *changed = result != pointers.data();
  if (size == 0) {
    EXPECT_EQ(result, pointers.data());
  } else if (size <= room) {
    EXPECT_NE(result, pointers.data());
  }
  Entries entries;
  for (; *result != nullptr; ++result) entries.emplace_back(*result);
  return entries;
}

void expect_as_given(const Entries& given) {
  bool changed = true;
  EXPECT_THAT(composed(given, &changed), ElementsAreArray(given));
  EXPECT_FALSE(changed);
}

TEST(ChildEnvironment, TheProfilerThatIsNamedBecomesAGuest) {
  const Entries taken = {text({"ORIEL_TAKEN_CORECLR_PROFILER=", kOne}), "ORIEL_TAKEN_CORECLR_PROFILER_PATH=/one.so",
                         "ORIEL_TAKEN_CORECLR_ENABLE_PROFILING=1", text({"ORIEL_GUESTS=", kOne, "=/one.so\n"})};
  EXPECT_THAT(composed(kRest + naming(kOne, "/one.so")), UnorderedElementsAreArray(kRest + kOriel + taken));
}

TEST(ChildEnvironment, WhatWasTakenOverBeforeIsReplaced) {
  const Entries before = {text({"ORIEL_TAKEN_CORECLR_PROFILER=", kTwo}), "ORIEL_TAKEN_CORECLR_PROFILER_PATH=/two.so",
                          text({"ORIEL_GUESTS=", kTwo, "=/two.so\n"})};
  EXPECT_EQ(composed(kRest + before + naming(kOne, "/one.so")), composed(kRest + naming(kOne, "/one.so")));
}

TEST(ChildEnvironment, GuestsThatWereGivenStayBehindIt) {
  const std::string given = text({"ORIEL_GUESTS=", kTwo, "=/two.so\n"});
  EXPECT_THAT(composed(kRest + Entries{given} + naming(kOne, "/one.so")),
              ::testing::Contains(text({"ORIEL_GUESTS=", kOne, "=/one.so\n", kTwo, "=/two.so\n"})));
  EXPECT_THAT(composed(kRest + Entries{given} + naming(kTwo, "/new.so")),
              ::testing::Contains(text({"ORIEL_GUESTS=", kTwo, "=/new.so\n"})));
  // Guests of `oriel run` are in the environment as if they had been there, but are not taken over.
  EXPECT_THAT(composed(kRest + Entries{given} + naming(kTwo, "/two.so")),
              UnorderedElementsAreArray(kRest + kOriel + Entries{given}));
}

TEST(ChildEnvironment, AProfilerThatIsTurnedOffIsNoGuest) {
  Entries off = naming(kOne, "/one.so");
  off[0] = "CORECLR_ENABLE_PROFILING=0";
  const Entries before = {text({"ORIEL_TAKEN_CORECLR_PROFILER=", kOne}), text({"ORIEL_GUESTS=", kOne, "=/one.so\n"})};
  EXPECT_THAT(composed(kRest + before + off), UnorderedElementsAreArray(kRest + kOriel));
  EXPECT_THAT(composed(kRest + before), UnorderedElementsAreArray(kRest + kOriel)) << "nor one that is removed";
  off[0] = "CORECLR_ENABLE_PROFILING=yes";
  EXPECT_THAT(composed(kRest + before + off), UnorderedElementsAreArray(kRest + kOriel)) << "no number";
  Entries on = naming(kOne, "/one.so"), counted = on;
  counted[0] = "CORECLR_ENABLE_PROFILING=0x10";
  EXPECT_EQ(composed(kRest + counted).size(), composed(kRest + on).size()) << "on";
  EXPECT_THAT(composed(kRest + counted), ::testing::Contains(text({"ORIEL_GUESTS=", kOne, "=/one.so\n"})));
}

TEST(ChildEnvironment, WhatTheRuntimeCouldNotLoadIsNoGuest) {
  EXPECT_THAT(composed(kRest + naming("{nonsense}", "/one.so")), UnorderedElementsAreArray(kRest + kOriel));
  EXPECT_THAT(composed(kRest + naming("", "/one.so")), UnorderedElementsAreArray(kRest + kOriel));
  EXPECT_THAT(composed(kRest + naming(kOne, "")), UnorderedElementsAreArray(kRest + kOriel));
  EXPECT_THAT(composed(kRest + naming(kOne, "/a\n/b")), UnorderedElementsAreArray(kRest + kOriel));
}

TEST(ChildEnvironment, ClassIdsAreWrittenAsGuestsAre) {
  const std::string line = text({"ORIEL_GUESTS=", kOne, "=/one.so\n"});
  EXPECT_THAT(composed(kRest + naming("{00000000-0000-4000-8000-00000000000a}", "/one.so")), ::testing::Contains(line));
  EXPECT_THAT(composed(kRest + naming("00000000-0000-4000-8000-00000000000A", "/one.so")), ::testing::Contains(line));
}

TEST(ChildEnvironment, ThePathForThisProcessorGoesFirst) {
  // The other path is still Oriel's, set only in this process.
  const Entries result = composed(kRest + naming(kOne, kEngine) + Entries{"CORECLR_PROFILER_PATH_64=/wide.so"});
  EXPECT_THAT(result, ::testing::Contains(text({"ORIEL_GUESTS=", kOne, "=/wide.so\n"})));
  EXPECT_THAT(result, ::testing::Contains("ORIEL_TAKEN_CORECLR_PROFILER_PATH_64=/wide.so"));
  EXPECT_THAT(result, ::testing::Not(::testing::Contains(text({"ORIEL_TAKEN_CORECLR_PROFILER_PATH=", kEngine}))));
  EXPECT_THAT(result, ::testing::Not(::testing::Contains("CORECLR_PROFILER_PATH_64=/wide.so")));
}

TEST(ChildEnvironment, NoneIsTakenWhereGuestsAreNotWanted) {
  const Entries rest = kRest + Entries{"ORIEL_NO_GUESTS=1"};
  EXPECT_THAT(composed(rest + naming(kOne, "/one.so")), UnorderedElementsAreArray(rest + kOriel));
}

TEST(ChildEnvironment, StaysAsItIsWhereThereIsNothingToDo) {
  expect_as_given({});
  expect_as_given(naming(kOne, "/one.so"));  // built from nothing
  expect_as_given(naming(kOne, "/one.so") + Entries{"ORIEL_CHILDREN=0"});
  expect_as_given(kRest + kOriel + Entries{text({"ORIEL_GUESTS=", kTwo, "=/two.so\n"})});
}

TEST(ChildEnvironment, StaysAsItIsWhereThereIsNoRoom) {
  const Entries given = kRest + naming(kOne, "/one.so");
  const Entries whole = composed(given);
  bool changed = false;
  for (size_t room = 0; !changed; ++room) {
    ASSERT_LT(room, 1024U);
    const Entries result = composed(given, &changed, room);
    EXPECT_EQ(result, changed ? whole : given);
  }
}

}  // namespace
}  // namespace oriel::coreclr
