// Which of a thread's exceptions the runtime means, by the stack address from which it calls. Stacks grow down: code in
// a clause runs at lower addresses.
#include "runtimes/coreclr/exceptions_in_flight.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "runtimes/coreclr/guests/slots.h"
#include "runtimes/coreclr/object_pins.h"

namespace oriel::coreclr {
namespace {

std::vector<uintptr_t> released;
void release(ExceptionStack::Handle handle) { released.push_back(handle); }

class InFlight : public ::testing::Test {
 protected:
  void SetUp() override { released.clear(); }
  // A throw is reported from a slightly higher address than later calls.
  void thrown(uintptr_t exception, uintptr_t place) { stack_.thrown(exception, place + 0x800, release); }
  uintptr_t called_from(uintptr_t place) { return stack_.called_from(place, release); }
  void caught_from(uintptr_t place) { stack_.caught_from(place, release); }

  static constexpr uintptr_t kOuter = 0x1000000, kInner = 0xffd000, kInnermost = 0xffa000;
  ExceptionStack stack_{};
};

TEST_F(InFlight, OneIsMeantUntilItIsCaught) {
  EXPECT_EQ(called_from(kOuter), 0u);
  thrown(1, kOuter);
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(called_from(kOuter - 200), 1u) << "the dispatcher calls by functions with frames of different sizes";
  EXPECT_EQ(called_from(kOuter + 100), 1u);
  EXPECT_EQ(stack_.innermost(), 1u);
  caught_from(kOuter);
  EXPECT_EQ(called_from(kOuter), 0u);
  EXPECT_EQ(released, std::vector<uintptr_t>{1});
}

TEST_F(InFlight, OneThrownInAClauseIsMeantWithinItOnly) {
  thrown(1, kOuter);
  thrown(2, kInner);
  EXPECT_EQ(called_from(kInner), 2u);
  caught_from(kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
}

TEST_F(InFlight, OneThatTookAnothersPlaceEndsBoth) {
  thrown(1, kOuter);
  thrown(2, kInner);
  thrown(3, kInnermost);
  EXPECT_EQ(called_from(kInnermost), 3u);
  caught_from(kInnermost);  // where the second would have been caught
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(released, (std::vector<uintptr_t>{3, 2}));
}

TEST_F(InFlight, OneThatNativeCodeCaughtIsForgottenWhenAnOuterOneGoesOn) {
  thrown(1, kOuter);
  thrown(2, kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(released, std::vector<uintptr_t>{2});
}

TEST_F(InFlight, OneWhoseThrowWasNotHeardIsNoOther) {
  thrown(1, kOuter);
  EXPECT_EQ(called_from(kInner), 0u);
  caught_from(kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
}

TEST_F(InFlight, OneFromTheSamePlaceTookTheOthers) {
  thrown(1, kOuter);
  for (uintptr_t i = 2; i <= 5; ++i) thrown(i, kInner + i);  // each thrown by native code that caught the one before
  EXPECT_EQ(released, (std::vector<uintptr_t>{2, 3, 4}));
  EXPECT_EQ(called_from(kInner), 5u);
  EXPECT_EQ(called_from(kOuter), 1u);
}

TEST_F(InFlight, TheOldestGoWhereThereAreTooMany) {
  constexpr uintptr_t kAll = ExceptionStack::kMost + 2;
  for (uintptr_t i = 1; i <= kAll; ++i) thrown(i, (kAll - i) * 0x3000);
  EXPECT_EQ(released, (std::vector<uintptr_t>{1, 2}));
}

TEST_F(InFlight, AreNotKeptForEver) {
  for (uintptr_t i = 1; i <= 1000; ++i) {
    thrown(i, kOuter - i * 0x3000);
    EXPECT_EQ(called_from(kOuter - i * 0x3000), i);
  }
  stack_.clear(release);
  EXPECT_EQ(released.size(), 1000u);
  EXPECT_EQ(stack_.innermost(), 0u);
}

// Creates handles, and knows which exist.
struct PinningRuntime {
  const void* const* slots = info_slots<PinningRuntime>();
  std::set<ObjectID*> handles;
  unsigned refused = 0;  // not the address of an existing one
  bool told_of_own = false;

  ProfilerInfo& info() { return *reinterpret_cast<ProfilerInfo*>(this); }
  HResult query(const Guid&, void**) { return kNoInterface; }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <InfoSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kCreateHandle>, ObjectID object, uint32_t kind, uintptr_t* handle) {
    EXPECT_EQ(kind, 3u) << "pinned";
    told_of_own |= !is_pinning();
    auto* const made = new ObjectID(object);
    handles.insert(made);
    *handle = reinterpret_cast<uintptr_t>(made);
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kDestroyHandle>, uintptr_t handle) {
    told_of_own |= !is_pinning();
    auto* const made = reinterpret_cast<ObjectID*>(handle);
    if (handles.erase(made) == 0) ++refused;
    delete made;
    return kOk;
  }
};

// On a new thread, because each thread has its own stack of exceptions.
void on_a_thread(auto body) { std::thread(body).join(); }

TEST(PinnedExceptions, AreFreedWhenTheyAreCaught) {
  PinningRuntime runtime;
  on_a_thread([&] {
    constexpr uintptr_t kPlace = 0x1000000;
    for (ObjectID i = 1; i <= 100; ++i) {
      exception_thrown(runtime.info(), i, kPlace);
      exception_thrown(runtime.info(), i, kPlace - 300);  // the same throw, reported twice
      EXPECT_EQ(runtime.handles.size(), 1u);
      EXPECT_EQ(exception_called_from(kPlace - 2000), i);
      EXPECT_EQ(innermost_exception(), reinterpret_cast<oriel_object*>(i));
      exception_caught_from(kPlace - 300);
      exception_caught_from(kPlace);
      EXPECT_TRUE(runtime.handles.empty());
      EXPECT_EQ(innermost_exception(), nullptr);
    }
  });
  EXPECT_EQ(runtime.refused, 0u);
  EXPECT_FALSE(runtime.told_of_own);
  EXPECT_FALSE(is_pinning());
}

TEST(PinnedExceptions, EndWithTheirThread) {
  PinningRuntime runtime;
  on_a_thread([&] {
    exception_thrown(runtime.info(), 1, 0x1000000);
    exception_thrown(runtime.info(), 2, 0xff0000);
    EXPECT_EQ(runtime.handles.size(), 2u);
  });
  EXPECT_TRUE(runtime.handles.empty());
  EXPECT_EQ(runtime.refused, 0u);
}

TEST(PinnedExceptions, OfATimeBeforeNobodyListenedAreForgotten) {
  PinningRuntime runtime;
  on_a_thread([&] {
    exception_thrown(runtime.info(), 1, 0x1000000);
    forget_exceptions_in_flight();
    EXPECT_EQ(innermost_exception(), nullptr);
    EXPECT_EQ(exception_called_from(0x1000000), 0u);
    EXPECT_TRUE(runtime.handles.empty());
  });
}

}  // namespace
}  // namespace oriel::coreclr
