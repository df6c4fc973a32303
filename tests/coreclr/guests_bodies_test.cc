// Bodies and versions of several profilers, at moments when one interferes with another.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "coreclr/fake_info.h"
#include "runtimes/coreclr/guests/bodies/captured_version.h"
#include "runtimes/coreclr/guests/guest_info.h"
#include "runtimes/coreclr/guests/switchboard.h"

namespace oriel::coreclr {
namespace {

// Tiny bodies: nop, ret, with more nops as the name says.
constexpr uint8_t kPlain[] = {0x06, 0x2a}, kLonger[] = {0x0a, 0x00, 0x2a}, kLongest[] = {0x0e, 0x00, 0x00, 0x2a};
// nop, nop, endfinally, ret; the second is in a try block and the third is its finally.
alignas(4) constexpr uint8_t kWithClause[] = {0x0b, 0x30, 1,    0,    5,    0, 0, 0, 0,    0,  0, 0,
                                              0x00, 0x00, 0xdc, 0x00, 0x2a, 0, 0, 0, 0x01, 16, 0, 0,
                                              2,    0,    1,    0,    1,    2, 0, 1, 0,    0,  0, 0};
constexpr MethodKey kKey = {1, 0x06000001};
constexpr FunctionID kFunction = 7, kOtherInstance = 8;

struct BodyRuntime : FakeInfo<BodyRuntime> {
  const uint8_t* body = kPlain;
  unsigned requests = 0, reverts = 0;
  bool has_code = false;
  std::function<void()> while_asked_for_body, while_reverting;

  using FakeInfo::answer;
  // All functions are instantiations of one method.
  HResult answer(SlotTag<InfoSlot::kGetFunctionInfo>, FunctionID, ClassID*, ModuleID* module, Token* token) {
    *module = kKey.module;
    *token = kKey.token;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetFunctionFromToken>, ModuleID, Token, FunctionID* function) {
    *function = kFunction;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetNativeCodeStartAddresses>, FunctionID, ReJITID, uint32_t room, uint32_t* count,
                 uintptr_t* starts) {
    *count = has_code ? 1 : 0;
    if (has_code && room != 0) *starts = 0x1000;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetModuleMetaData>, ModuleID, uint32_t, const Guid&, IUnknown**) { return kFail; }
  HResult answer(SlotTag<InfoSlot::kGetILFunctionBody>, ModuleID, Token, const uint8_t** at, uint32_t* size) {
    if (while_asked_for_body) std::exchange(while_asked_for_body, {})();
    if (at != nullptr) *at = body;
    if (size != nullptr) *size = 1 + (body[0] >> 2);
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kSetILFunctionBody>, ModuleID, Token, const uint8_t* made) {
    body = made;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kRequestReJIT>, uint32_t, ModuleID*, Token*) {
    ++requests;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kRequestRevert>, uint32_t, ModuleID*, Token*, HResult*) {
    ++reverts;
    if (while_reverting) std::exchange(while_reverting, {})();
    return kOk;
  }
};

struct BodyProfiler {
  const void* const* slots = callback_slots<BodyProfiler>();
  std::function<void(FunctionControl&)> version;
  std::function<void()> compiled, end_of_that;

  HResult query(const Guid&, void** object) {
    *object = this;
    return kOk;
  }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <CallbackSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    return kOk;
  }
  HResult answer(SlotTag<CallbackSlot::kJITCompilationStarted>, FunctionID, Bool) {
    if (compiled) compiled();
    return kOk;
  }
  HResult answer(SlotTag<CallbackSlot::kJITCompilationFinished>, FunctionID, HResult, Bool) {
    if (end_of_that) end_of_that();
    return kOk;
  }
  HResult answer(SlotTag<CallbackSlot::kGetReJITParameters>, ModuleID, Token, void* control) {
    if (version) version(*static_cast<FunctionControl*>(control));
    return kOk;
  }
};

class GuestsBodies : public ::testing::Test {
 protected:
  GuestsBodies() {
    for (uint32_t i = 0; i < 3; ++i) {
      auto* callback = reinterpret_cast<ProfilerCallback*>(&profilers[i]);
      guests[i] = std::make_unique<Guest>("guest", i, LoadedGuest{ComPtr<ProfilerCallback>(callback), 11},
                                          i == 2 ? Guest::Kind::kOwn : Guest::Kind::kAtStart);
      guest_host.add(*guests[i]);
      guests[i]->set_mask({kEnableReJit, 0});
      infos[i] = std::make_unique<GuestInfo>(guest_host, *guests[i]);
    }
  }
  UngatedProfilerInfo& info(uint32_t guest) { return *infos[guest]->interface(); }
  const uint8_t* shown_to(uint32_t guest) {
    const uint8_t* body = nullptr;
    uint32_t size = 0;
    info(guest).GetILFunctionBody(kKey.module, kKey.token, &body, &size);
    return body;
  }
  void request(uint32_t guest) {
    ModuleID module = kKey.module;
    Token token = kKey.token;
    info(guest).RequestReJIT(1, &module, &token);
  }
  bool may_inline() {
    Bool may = 1;
    board.interface()->JITInlining(kOtherInstance, kFunction, &may);
    return may != 0;
  }
  // The body that the runtime gets as the new version.
  std::vector<uint8_t> made_version() {
    ComPtr<CapturedVersion> version(new CapturedVersion);
    board.interface()->GetReJITParameters(kKey.module, kKey.token, static_cast<FunctionControl*>(version.get()));
    return version.get()->body();
  }

  BodyRuntime runtime;
  GuestHost guest_host{ComPtr<ProfilerInfo>(reinterpret_cast<ProfilerInfo*>(&runtime))};
  std::array<BodyProfiler, 3> profilers;
  std::array<std::unique_ptr<Guest>, 3> guests;
  std::array<std::unique_ptr<GuestInfo>, 3> infos;
  Switchboard board{guest_host};
};

TEST_F(GuestsBodies, OrielsAreNotShownEvenIfTheyComeWhileTheRuntimeAnswers) {
  runtime.while_asked_for_body = [&] { info(2).SetILFunctionBody(kKey.module, kKey.token, kLonger); };
  EXPECT_EQ(shown_to(0), kPlain);
  EXPECT_EQ(runtime.body, kLonger);
}

TEST_F(GuestsBodies, WithClausesAreNotInlinedWhereAnotherMayTakeTheseAway) {
  const auto set = [&](uint32_t guest, const uint8_t* body) {
    info(guest).SetILFunctionBody(kKey.module, kKey.token, body);
  };
  for (const uint32_t guest : {0u, 2u}) guests[guest]->set_mask({kMonitorJitCompilation, 0});
  EXPECT_TRUE(may_inline());
  set(2, kLonger);
  EXPECT_TRUE(may_inline()) << "there are none";
  set(2, kWithClause);
  EXPECT_FALSE(may_inline());
  set(0, kLonger);
  EXPECT_FALSE(may_inline()) << "the compiler may have read that there is one";
  guests[0]->set_mask({0, 0});
  EXPECT_TRUE(may_inline()) << "one alone replaces its own as it always did";
}

TEST_F(GuestsBodies, ADefaultBodyMadeWhileAVersionIsMadeIsThatVersion) {
  for (const uint32_t guest : {0u, 1u}) request(guest);
  const uint8_t* seen = nullptr;
  profilers[0].version = [&](FunctionControl&) { info(0).SetILFunctionBody(kKey.module, kKey.token, kLonger); };
  profilers[1].version = [&](FunctionControl&) { seen = shown_to(1); };
  EXPECT_EQ(made_version(), std::vector<uint8_t>(std::begin(kLonger), std::end(kLonger)));
  EXPECT_EQ(seen, kLonger);
  profilers[0].version = {};
  profilers[1].version = [&](FunctionControl& control) { control.SetILFunctionBody(sizeof kLongest, kLongest); };
  EXPECT_EQ(made_version(), std::vector<uint8_t>(std::begin(kLongest), std::end(kLongest)));
  EXPECT_EQ(shown_to(0), kLonger) << "the default stays";
}

TEST_F(GuestsBodies, AVersionThatAnotherWasShownStaysThere) {
  for (const uint32_t guest : {0u, 1u}) request(guest);
  const uint8_t* seen = nullptr;
  profilers[0].version = [&](FunctionControl& control) { control.SetILFunctionBody(sizeof kLonger, kLonger); };
  profilers[1].version = [&](FunctionControl& control) {
    seen = shown_to(1);
    control.SetILFunctionBody(sizeof kLongest, kLongest);
  };
  EXPECT_EQ(made_version(), std::vector<uint8_t>(std::begin(kLongest), std::end(kLongest)));
  ASSERT_NE(seen, nullptr);
  EXPECT_TRUE(std::equal(std::begin(kLonger), std::end(kLonger), seen));
}

TEST_F(GuestsBodies, OrielTakesNoVersionOfAnotherForTheMethodsOwn) {
  request(0);
  const uint8_t* seen = nullptr;
  profilers[0].version = [&](FunctionControl& control) { control.SetILFunctionBody(sizeof kLonger, kLonger); };
  profilers[2].version = [&](FunctionControl&) { seen = shown_to(2); };
  EXPECT_EQ(made_version(), std::vector<uint8_t>(std::begin(kLonger), std::end(kLonger)));
  EXPECT_EQ(seen, kPlain);
}

TEST_F(GuestsBodies, OfOneThatIsOutAreMadeWithoutIt) {
  for (const uint32_t guest : {0u, 1u}) request(guest);
  EXPECT_TRUE(guest_host.rejits.has_any_of(*guests[0]));
  guest_host.rejits.leave_out(*guests[0]);
  EXPECT_FALSE(guest_host.rejits.has_any_of(*guests[0]));
  EXPECT_EQ(guest_host.rejits.requesters(kKey), guests[1]->bit());
  EXPECT_EQ(runtime.requests, 3u) << "made again without the first's";
  EXPECT_EQ(runtime.reverts, 0u);
  guest_host.rejits.leave_out(*guests[1]);
  EXPECT_EQ(runtime.requests, 3u);
  EXPECT_EQ(runtime.reverts, 1u) << "nobody remains";
}

// The first guest changes methods when they are first compiled, the second by versions.
class FirstVersions : public GuestsBodies {
 protected:
  FirstVersions() {
    guests[0]->set_mask({kMonitorJitCompilation, 0});
    request(1);
    profilers[0].compiled = [&] {
      ++told;
      info(0).SetILFunctionBody(kKey.module, kKey.token, kLonger);
    };
    profilers[0].end_of_that = [&] { ++ends; };
    profilers[1].version = [&](FunctionControl& control) {
      seen = shown_to(1);
      control.SetILFunctionBody(sizeof kLongest, kLongest);
    };
  }
  void compile(FunctionID function) {
    board.interface()->JITCompilationStarted(function, 1);
    board.interface()->JITCompilationFinished(function, kOk, 1);
  }

  int told = 0, ends = 0;
  const uint8_t* seen = nullptr;
};

TEST_F(FirstVersions, AreOnTopOfWhatOthersMakeAsTheMethodIsCompiled) {
  EXPECT_EQ(made_version(), std::vector<uint8_t>(std::begin(kLongest), std::end(kLongest)));
  EXPECT_EQ(told, 1);
  EXPECT_EQ(seen, kLonger);
  EXPECT_EQ(runtime.body, kLonger);
  EXPECT_EQ(ends, 0);
  board.interface()->ReJITCompilationFinished(kFunction, 1, kOk, 1);
  board.interface()->ReJITCompilationFinished(kFunction, 1, kOk, 1);
  EXPECT_EQ(ends, 1) << "of the first tier's";
  made_version();
  EXPECT_EQ(told, 1) << "once a method";
}

TEST_F(FirstVersions, AreTheFirstCompilationForWhomItWasToldOf) {
  made_version();
  board.interface()->ReJITCompilationFinished(kFunction, 1, kOk, 1);
  compile(kFunction);
  EXPECT_EQ(told, 1) << "taken back: the default version's first";
  EXPECT_EQ(ends, 1);
  compile(kFunction);
  compile(kOtherInstance);
  EXPECT_EQ(told, 3);
  EXPECT_EQ(ends, 3);
}

TEST_F(FirstVersions, EndWithTheDefaultVersionsIfTheyCannotBeCompiled) {
  made_version();
  compile(kFunction);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(ends, 1);
  board.interface()->ReJITError(kKey.module, kKey.token, kFunction, kFail);
  EXPECT_EQ(ends, 1);
}

TEST_F(FirstVersions, AreNotFirstOfWhatHasCode) {
  compile(kFunction);
  made_version();
  EXPECT_EQ(told, 1);
  EXPECT_EQ(seen, kLonger);
}

TEST_F(FirstVersions, AreNotFirstOfWhatHasCodeThatNobodyHeardOf) {
  runtime.has_code = true;
  made_version();
  EXPECT_EQ(told, 0);
  EXPECT_EQ(seen, kPlain);
}

TEST_F(FirstVersions, AreNotToldToWhoAskedForThem) {
  guests[0]->set_mask({kMonitorJitCompilation | kEnableReJit, 0});
  request(0);
  made_version();
  EXPECT_EQ(told, 0);
}

TEST_F(FirstVersions, AreNotTakenForThoseOfCallers) {
  guests[0]->set_mask({kMonitorJitCompilation | kEnableReJit, 0});
  ModuleID module = kKey.module;
  Token another = kKey.token + 1;
  info(0).RequestReJITWithInliners(kReJitBlockInlining | kReJitInliningCallbacks, 1, &module, &another);
  made_version();
  EXPECT_EQ(told, 1) << "it did not ask for this one";
  EXPECT_EQ(guest_host.rejits.requesters(kKey), guests[1]->bit());
}

TEST(MethodTurns, AreOneThreadsAtATime) {
  MethodTurns turns;
  constexpr MethodKey kOther = {1, 0x06000002};
  int in_it = 0, most = 0, rounds = 0;
  const auto take_turns = [&] {
    for (int i = 0; i < 2000; ++i) {
      const MethodTurns::Turn turn(turns, kKey);
      const MethodTurns::Turn again(turns, kKey);
      EXPECT_TRUE(turns.is_mine(kKey));
      EXPECT_FALSE(turns.is_mine(kOther));
      most = std::max(most, ++in_it);
      ++rounds;
      --in_it;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(take_turns);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(rounds, 8000);
  EXPECT_FALSE(turns.is_mine(kKey));
}

TEST_F(GuestsBodies, TwoCompilationsOfOneMethodAreToldOneAfterTheOther) {
  std::atomic<int> told{0};
  std::atomic<bool> overlapped{false};
  const auto compiled = [&] {
    if (++told > 1) overlapped = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --told;
  };
  profilers[0].compiled = compiled;
  guests[0]->set_mask({kMonitorJitCompilation, 0});
  std::thread other([&] { board.interface()->JITCompilationStarted(2, 1); });
  board.interface()->JITCompilationStarted(1, 1);
  other.join();
  EXPECT_FALSE(overlapped);
}

TEST_F(GuestsBodies, ARequestThatARevertOfAnotherOvertakesIsMadeAgain) {
  request(0);
  runtime.while_reverting = [&] { request(1); };
  ModuleID module = kKey.module;
  Token token = kKey.token;
  HResult result = kFail;
  EXPECT_EQ(info(0).RequestRevert(1, &module, &token, &result), kOk);
  EXPECT_EQ(result, kOk);
  EXPECT_EQ(guest_host.rejits.requesters(kKey), guests[1]->bit());
  EXPECT_EQ(runtime.requests, 3u) << "the first's, the second's, and the second's again after the revert";
}

}  // namespace
}  // namespace oriel::coreclr
