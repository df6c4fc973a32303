// Questions to the runtime and unloads: a question's subject exists, and neither waits for the other for ever.
#include "runtimes/coreclr/unload_gate.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <optional>
#include <thread>
#include <type_traits>
#include <vector>

#include "runtimes/coreclr/guests/slots.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {
namespace {

constexpr uintptr_t kId = 0x1000;

// Clears the mark that a test set.
struct Back {
  ~Back() { unload::back(kId); }
};

void unload_now(uintptr_t id) {
  unload::gone(id);
  EXPECT_TRUE(unload::wait_for_questions());
}

TEST(UnloadGate, KeepsWhatIsGoneFromThoseWhoAskLater) {
  const Back back;
  EXPECT_FALSE(Held().is_gone(kId));
  unload_now(kId);
  EXPECT_TRUE(Held().is_gone(kId));
  EXPECT_FALSE(Held().is_gone(kId + 8));
  unload::back(kId);
  EXPECT_FALSE(Held().is_gone(kId)) << "another has the id";
}

TEST(UnloadGate, AnUnloadWaitsForWhatWasAskedBefore) {
  const Back back;
  std::atomic<bool> asks{false}, answered{false};
  std::thread asker([&] {
    const Held held;
    EXPECT_FALSE(held.is_gone(kId));
    asks.store(true);
    while (!Held().is_gone(kId)) std::this_thread::yield();  // a nested question, which does not wait
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    answered.store(true);
  });
  while (!asks.load()) std::this_thread::yield();
  unload_now(kId);
  EXPECT_TRUE(answered.load());
  asker.join();
}

// A collection waits for the unloading thread, and the asker for the collection.
TEST(UnloadGate, AnUnloadInCooperativeModeDoesNotWaitForLong) {
  std::atomic<bool> asks{false}, unloaded{false};
  std::thread asker([&] {
    const Held held;
    asks.store(true);
    while (!unloaded.load()) std::this_thread::yield();
  });
  while (!asks.load()) std::this_thread::yield();
  EXPECT_FALSE(unload::wait_for_questions_in_cooperative_mode());
  EXPECT_FALSE(unload::wait_for_questions_in_cooperative_mode()) << "it still asks";
  unloaded.store(true);
  asker.join();
  EXPECT_TRUE(unload::wait_for_questions_in_cooperative_mode());
}

// Questions never stop.
TEST(UnloadGate, AnUnloadWaitsNeitherForWhatIsAskedLaterNorForItself) {
  const Back back;
  std::atomic<bool> over{false};
  std::optional<Held> one, other(std::in_place);
  std::thread unloader([&] {
    const Held own;
    unload_now(kId);
    over.store(true);
  });
  while (!over.load()) {
    one.emplace();
    other.reset();
    other.emplace();
    one.reset();
  }
  unloader.join();
}

TEST(UnloadGate, WhoUnloadsMayAskUntilItIsOver) {
  const Back back;
  unload::unloads_here(kId);
  unload_now(kId);
  EXPECT_FALSE(Held().is_gone(kId));
  EXPECT_TRUE(Held().is_gone_for_others(kId));
  std::thread([] { EXPECT_TRUE(Held().is_gone(kId)); }).join();
  unload::unloads_here(0);
  EXPECT_TRUE(Held().is_gone(kId));
}

TEST(UnloadGate, CodeIsNotLookedForByAddressWhileAnAssemblyGoes) {
  EXPECT_FALSE(Held().unload_is_under_way());
  unload::is_over();  // its begin was not reported
  unload::begins();
  EXPECT_FALSE(Held().unload_is_under_way()) << "the thread that unloads";
  std::thread([] {
    EXPECT_TRUE(Held().unload_is_under_way());
    unload::wait_for_unloads();  // times out
  }).join();
  unload::is_over();
  std::thread([] { EXPECT_FALSE(Held().unload_is_under_way()); }).join();
}

// Things are created and destroyed under a few ids. A thing that is not marked as gone while the gate is held stays
// whole until the gate is released.
TEST(UnloadGate, NoQuestionMeetsWhatIsGone) {
  constexpr size_t kThings = 4;
  std::array<std::atomic<int>, kThings> things{};  // 1: whole
  std::atomic<bool> over{false};
  std::atomic<uint64_t> met{0}, missed{0};
  const auto id_of = [](size_t i) { return kId + 8 * i; };
  for (auto& thing : things) thing.store(1);
  std::vector<std::thread> requesters;
  for (int t = 0; t < 3; ++t)
    requesters.emplace_back([&] {
      for (size_t i = 0; !over.load(); i = (i + 1) % kThings) {
        const Held held;
        if (held.is_gone(id_of(i))) continue;
        const Held within;
        for (int look = 0; look < 20; ++look) things[i].load() == 1 ? ++met : ++missed;
      }
    });
  for (size_t round = 0; round < 300; ++round) {
    const size_t i = round % kThings;
    unload_now(id_of(i));
    things[i].store(0);
    std::this_thread::yield();
    things[i].store(1);
    unload::back(id_of(i));
  }
  over.store(true);
  for (std::thread& asker : requesters) asker.join();
  EXPECT_GT(met.load(), 0u);
  EXPECT_EQ(missed.load(), 0u);
}

struct CountingRuntime {
  const void* const* slots = info_slots<CountingRuntime>();
  int asked = 0;

  HResult query(const Guid&, void**) { return kNoInterface; }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <InfoSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    ++asked;
    return kFalse;
  }
  ProfilerInfo& info() { return *reinterpret_cast<ProfilerInfo*>(this); }
};

TEST(UnloadGate, TheRuntimeIsNotAskedAboutAModuleThatIsGone) {
  const Back back;
  CountingRuntime runtime;
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  EXPECT_EQ(runtime.info().GetILFunctionBody(Held(), kId, 0x06000001u, &body, &size), kFalse);
  EXPECT_EQ(runtime.asked, 1);
  unload_now(kId);
  EXPECT_TRUE(failed(runtime.info().GetILFunctionBody(Held(), kId, 0x06000001u, &body, &size)));
  EXPECT_EQ(runtime.asked, 1);
}

// A ProfilerInfo accepts no such question without the gate.
template <typename Info>
concept AsksWithoutGate = requires(Info& info, const uint8_t** body, uint32_t* size) {
  info.GetILFunctionBody(kId, 0x06000001u, body, size);
};
static_assert(AsksWithoutGate<UngatedProfilerInfo> && !AsksWithoutGate<ProfilerInfo>);
static_assert(!std::is_convertible_v<ProfilerInfo*, UngatedProfilerInfo*>);

TEST(UnloadGate, MetadataIsForThoseWhomAnUnloadWaitsFor) {
  CountingRuntime runtime;
  LoadedModules modules(runtime.info());
  modules.metadata(kId);
  EXPECT_EQ(runtime.asked, 0);
  {
    const Held held;
    modules.metadata(kId);
    EXPECT_EQ(runtime.asked, 1);
  }
  {
    const InCallback here;
    modules.metadata(kId);
    EXPECT_EQ(runtime.asked, 1) << "it is kept";
  }
  modules.close(kId);
  {
    const Back back;
    unload::unloads_here(kId);
    unload_now(kId);
    const InCallback here;
    modules.metadata(kId);
    modules.metadata(kId);
    EXPECT_EQ(runtime.asked, 3) << "what goes is not kept";
    unload::unloads_here(0);
    modules.metadata(kId);
    EXPECT_EQ(runtime.asked, 3);
  }
}

}  // namespace
}  // namespace oriel::coreclr
