// Which sessions to event sources the wanted events need, and which events are raised from the runtime's source.
#include "coreclr/fake_info.h"
#include "runtimes/coreclr/callbacks/event_pipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>

#include "engine/engine.h"
#include "engine/followed_objects.h"
#include "runtimes/coreclr/callbacks/event_sources.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Events = std::bitset<oriel_event_number_end>;

Events events(std::initializer_list<uint32_t> numbers) {
  Events all;
  for (const uint32_t number : numbers) all.set(number);
  return all;
}

// Records the open sessions.
struct SessionsRuntime : FakeInfo<SessionsRuntime> {
  struct Provider {
    std::u16string name;
    uint64_t keywords;
    uint32_t level;
  };

  std::map<uint64_t, std::vector<Provider>> sessions;
  uint64_t begun = 0;

  using FakeInfo::answer;
  HResult answer(SlotTag<InfoSlot::kEventPipeStartSession>, uint32_t count, EventPipeProviderConfig* providers, Bool,
                 uint64_t* session) {
    *session = ++begun;
    for (uint32_t i = 0; i < count; ++i)
      sessions[*session].push_back({providers[i].name, providers[i].keywords, providers[i].level});
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kEventPipeStopSession>, uint64_t session) {
    return sessions.erase(session) == 1 ? kOk : kFail;
  }

  // The number of sessions to which it delivers an event.
  size_t deliveries(const std::u16string& source, uint64_t keyword, uint32_t level) const {
    size_t count = 0;
    for (const auto& [id, providers] : sessions)
      for (const Provider& provider : providers)
        count += provider.name == source && (provider.keywords & keyword) != 0 && provider.level >= level ? 1 : 0;
    return count;
  }
};

class Sessions : public testing::Test {
 protected:
  explicit Sessions(uint16_t major = 10)
      : all(*reinterpret_cast<ProfilerInfo*>(&runtime), major, [] { return nullptr; }) {}
  void want(std::initializer_list<uint32_t> numbers) { all.apply(events(numbers), {"A.Meter", "A.Source"}, false); }

  SessionsRuntime runtime;
  RuntimeEvents all;
};

class SessionsOf : public Sessions, public testing::WithParamInterface<uint16_t> {
 protected:
  SessionsOf() : Sessions(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Runtimes, SessionsOf, testing::Values(0, 8, 9, 10, 11));

TEST_F(Sessions, AreThereWhileSomebodyListens) {
  want({});
  EXPECT_THAT(runtime.sessions, IsEmpty());
  want({oriel_event_gc_marked});
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 4), 1u);
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 5), 0u) << "nobody wants what is told at that level";
  want({oriel_event_counter_value, oriel_event_activity_stopped});
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, ~uint64_t{0}, 0), 0u);
  EXPECT_EQ(runtime.deliveries(kMetersSource, 0x2, 4), 1u);
  EXPECT_EQ(runtime.deliveries(kActivitiesSource, 0x2, 4), 1u);
  want({});
  EXPECT_THAT(runtime.sessions, IsEmpty());
}

// Whatever is wanted, each event of the source has at most one session, and has one if any wanted event is made from
// it.
TEST_P(SessionsOf, DeliverNothingTwice) {
  for (uint32_t first = 0; first < oriel_event_number_end; ++first) {
    if (!comes_by_sessions(first)) continue;
    for (uint32_t second = 0; second < oriel_event_number_end; ++second) {
      if (!comes_by_sessions(second)) continue;
      want({first, second});
      for (unsigned bit = 0; bit < 64; ++bit)
        ASSERT_LE(runtime.deliveries(kRuntimeSource, uint64_t{1} << bit, 0), 1u) << first << " with " << second;
      for (const SourceRow& row : source_rows()) {
        if (!is_row_of(row, GetParam())) continue;
        if (!is_for(row, [&](uint32_t ours) { return ours == first || ours == second; })) continue;
        EXPECT_EQ(runtime.deliveries(kRuntimeSource, row.keyword.bit, row.level), 1u) << first << " with " << second;
      }
    }
  }
}

TEST_F(Sessions, OfOneKeywordAreOneAtTheHighestLevelThatIsWanted) {
  want({oriel_event_gc_finalizing, oriel_event_gc_finalizing_object, oriel_event_gc_phases});
  ASSERT_THAT(runtime.sessions, SizeIs(1));
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 5), 1u);
  want({oriel_event_gc_finalizing, oriel_event_gc_phases});
  ASSERT_THAT(runtime.sessions, SizeIs(1));
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 5), 0u) << "nobody wants it any more";
  EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 4), 1u);
}

TEST_F(Sessions, GoOnWhileOthersBeginAndEnd) {
  want({oriel_event_gc_marked});
  const uint64_t collections = runtime.sessions.begin()->first;
  want({oriel_event_gc_marked, oriel_event_monitor_acquired, oriel_event_gc_survived});
  EXPECT_THAT(runtime.sessions, SizeIs(2));
  EXPECT_TRUE(runtime.sessions.contains(collections));
  want({oriel_event_gc_survived});
  EXPECT_TRUE(runtime.sessions.contains(collections));
  EXPECT_EQ(runtime.begun, 2u);
}

// Each supported version of the runtime reports allocations, and each in only one way.
TEST_P(SessionsOf, SampleAllocations) {
  for (const uint32_t number : {oriel_event_gc_allocation_sampled, oriel_event_gc_allocation_followed}) {
    want({number});
    ASSERT_THAT(runtime.sessions, SizeIs(1));
    const bool ticks = GetParam() == 8 || GetParam() == 9;
    EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x1, 5), ticks ? 1u : 0u);
    EXPECT_EQ(runtime.deliveries(kRuntimeSource, 0x80000000000, 4), ticks ? 0u : 1u);
    EXPECT_EQ(all.obstacle(number), nullptr);
    want({});
  }
}

TEST(RuntimeEvents, OfManagedSourcesDoNotBeginWhereThatWouldHarm) {
  SessionsRuntime runtime;
  RuntimeEvents events_of_it(*reinterpret_cast<ProfilerInfo*>(&runtime), 10, [] { return "it would hang"; });
  testing::internal::CaptureStderr();
  events_of_it.apply(events({oriel_event_counter_value, oriel_event_gc_finalizing_object}), {"A.Meter", ""}, false);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("it would hang"));
  EXPECT_THAT(runtime.sessions, testing::SizeIs(1)) << "the runtime's own source";
}

TEST(RuntimeEvents, OfARuntimeThatIsTooOldAreToldAsSuch) {
  SessionsRuntime runtime;
  RuntimeEvents old(*reinterpret_cast<ProfilerInfo*>(&runtime), 7, [] { return nullptr; });
  testing::internal::CaptureStderr();
  old.apply(events({oriel_event_counter_value}), {"A.Meter", ""}, false);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("does not report counters (.NET 8 and later do)"));
  EXPECT_THAT(runtime.sessions, IsEmpty());
  EXPECT_THAT(old.obstacle(oriel_event_counter_value), HasSubstr(".NET 8 and later do"));
  EXPECT_EQ(old.obstacle(oriel_event_gc_finalizing_object), nullptr);
  RuntimeEvents later(*reinterpret_cast<ProfilerInfo*>(&runtime), 8, [] { return nullptr; });
  EXPECT_EQ(later.obstacle(oriel_event_counter_value), nullptr);
}

TEST(EventMask, HearsOfUnloadsWithWhatCanBeUnloaded) {
  const auto mask = [](uint32_t number) {
    RuntimeNeeds needs;
    needs.events.set(number);
    return event_mask(needs);
  };
  EXPECT_EQ(mask(oriel_event_gc_finalizing_object), (EventMask{0, kHighMonitorEventPipe} | unload_mask()));
  EXPECT_EQ(mask(oriel_event_gc_finalizing), (EventMask{0, kHighMonitorEventPipe}));
}

TEST(EventMask, TellsWhatIsToBeAskedForAtTheStart) {
  for (uint32_t number = 0; number < oriel_event_number_end; ++number) {
    const bool is_one = number == oriel_event_gc_root || number == oriel_event_gc_handle_created ||
                        number == oriel_event_gc_handle_deleted || number == oriel_event_gc_finalize_queued;
    EXPECT_EQ(needs_startup_request(number), is_one) << number;
  }
}

// Payloads of the runtime's source.
class NoHandles final : public WeakHandles {
  uintptr_t make(ObjectID) override { return 0; }
  bool is_empty(uintptr_t) override { return true; }
  void free(uintptr_t) override {}
};

template <typename... Numbers>
std::vector<uint8_t> fields_of(Numbers... numbers) {
  std::vector<uint8_t> bytes;
  const auto add = [&](const auto& number) {
    bytes.resize(bytes.size() + sizeof number);
    std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
  };
  (add(numbers), ...);
  return bytes;
}

class SourceEvents : public testing::Test {
 protected:
  void SetUp() override {
    heard.clear();
    oriel_profiler_set_gc_finalizing_object_callback(
        profiler, [](oriel_profiler*, oriel_class* klass) { heard.push_back(oriel_class_id(klass)); });
    oriel_profiler_set_gc_finalized_callback(profiler, [](oriel_profiler*, uint32_t count) { heard.push_back(count); });
    allocations.clear();
    oriel_profiler_set_gc_allocation_sampled_callback(
        profiler, [](oriel_profiler*, oriel_class* klass, uint64_t size, uint64_t represented) {
          allocations.push_back({oriel_class_id(klass), size, represented});
        });
  }
  void TearDown() override {
    oriel_profiler_set_gc_finalizing_object_callback(profiler, nullptr);
    oriel_profiler_set_gc_finalized_callback(profiler, nullptr);
    oriel_profiler_set_gc_allocation_sampled_callback(profiler, nullptr);
  }
  void tell(uint32_t number, uint32_t version, std::span<const uint8_t> fields, uint16_t major = 10) {
    deliver_source_event(major, number, version, {fields, followed});
  }

  static inline std::vector<std::array<uint64_t, 3>> allocations;  // class, size, represented bytes
  static inline std::vector<uint32_t> heard;
  static inline const oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  NoHandles handles;
  FollowedObjects followed{handles};
};

TEST_F(SourceEvents, AnObjectBeforeItsFinalizerIsToldByItsClass) {
  constexpr uint64_t kClass = 0x7f0000001000, kObject = 1;  // must not be read
  tell(29, 0, fields_of(kClass, kObject, uint16_t{9}));
  tell(29, 0, fields_of(kClass, kObject, uint16_t{9}));
  tell(29, 0, fields_of(kClass + 8, kObject, uint16_t{9}));
  ASSERT_THAT(heard, SizeIs(3));
  EXPECT_EQ(heard[0], oriel_class_id(find_class(kClass)));
  EXPECT_EQ(heard[1], heard[0]);
  EXPECT_NE(heard[2], heard[0]);
}

std::vector<uint8_t> tick(uint64_t amount, uint64_t klass, uint64_t size) {
  std::vector<uint8_t> bytes = fields_of(static_cast<uint32_t>(amount), uint32_t{0}, uint16_t{9}, amount, klass);
  for (const char16_t unit : u"A.Class")
    for (const uint8_t byte : fields_of(unit)) bytes.push_back(byte);  // with the terminator
  for (const uint8_t byte : fields_of(uint32_t{0}, uint64_t{0x1000}, size)) bytes.push_back(byte);
  return bytes;
}

TEST_F(SourceEvents, AnAllocationTickStandsForWhatWasAllocatedSinceTheLast) {
  constexpr uint64_t kClass = 0x7f0000002000, kLarge = uint64_t{6} << 30;
  for (const uint16_t major : {8, 9}) {
    allocations.clear();
    tell(10, 4, tick(106'496, kClass, 72), major);
    tell(10, 4, tick(kLarge + 100, kClass, kLarge), major);
    tell(10, 4, tick(100, kClass, kLarge), major);  // an object represents at least its own size
    const uint64_t id = oriel_class_id(find_class(kClass));
    EXPECT_THAT(allocations, ElementsAre(std::array<uint64_t, 3>{id, 72, 106'496}, std::array{id, kLarge, kLarge + 100},
                                         std::array{id, kLarge, kLarge}));
  }
}

TEST_F(SourceEvents, AtASlowerPaceFewerAllocationsStandForTheSame) {
  constexpr uint64_t kClass = 0x7f0000002000, kLarge = uint64_t{1} << 40, kAmount = 106'496;
  constexpr size_t kTicks = 20'000;
  ASSERT_TRUE(oriel_enable_sampling(profiler));
  for (const uint32_t pace : {500u, 100u}) {
    allocations.clear();
    const oriel_pace slow{pace, 0, 10'000}, full{1000, 0, 0};
    ASSERT_TRUE(oriel_set_sampling_pace(profiler, &slow));
    for (size_t i = 0; i < kTicks; ++i) tell(10, 4, tick(kAmount, kClass, 72), 8);
    const double stayed = static_cast<double>(allocations.size()) / kTicks;
    EXPECT_NEAR(stayed, pace / 1000.0, 0.1 * pace / 1000);
    uint64_t represented = 0;
    for (const auto& one : allocations) represented += one[2];
    EXPECT_NEAR(static_cast<double>(represented) / (kAmount * kTicks), 1, 0.1);
    // What is so large that it is sampled anyway stays, as it is.
    allocations.clear();
    tell(10, 4, tick(kLarge, kClass, kLarge), 8);
    EXPECT_THAT(allocations, ElementsAre(std::array{oriel_class_id(find_class(kClass)) + uint64_t{0}, kLarge, kLarge}));
    ASSERT_TRUE(oriel_set_sampling_pace(profiler, &full));
  }
}

TEST_F(SourceEvents, AnAllocationTickOfOtherFieldsOrRuntimesIsNone) {
  constexpr uint64_t kClass = 0x7f0000002000;
  tell(10, 3, tick(106'496, kClass, 72), 8);
  tell(10, 4, tick(106'496, 0, 72), 8);
  tell(10, 4, tick(106'496, kClass, 0), 8);
  const std::vector<uint8_t> whole = tick(106'496, kClass, 72);
  for (size_t size = 0; size < whole.size(); ++size) tell(10, 4, std::span(whole).first(size), 8);
  // These runtimes sample at random, and the allocation would be reported twice.
  for (const uint16_t major : {0, 10, 11}) tell(10, 4, whole, major);
  EXPECT_THAT(allocations, IsEmpty());
}

TEST_F(SourceEvents, OfOtherFieldsNothingIsTold) {
  tell(29, 0, fields_of(uint32_t{1}));
  tell(29, 0, fields_of(uint64_t{0}, uint64_t{0}, uint16_t{0}));
  tell(13, 0, {});
  tell(9999, 0, fields_of(uint64_t{1}, uint64_t{1}, uint64_t{1}));
  EXPECT_THAT(heard, IsEmpty());
  tell(13, 1, fields_of(uint32_t{7}, uint16_t{9}));
  EXPECT_THAT(heard, ElementsAre(7));
}

}  // namespace
}  // namespace oriel::coreclr
