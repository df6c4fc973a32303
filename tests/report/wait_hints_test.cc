// Hints about waiting threads.
#include "report/hints/wait_hints.h"

#include <gmock/gmock.h>

#include "report/waiting/sampled_locks.h"

namespace oriel::report {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

class StuckHint : public ::testing::Test {
 protected:
  StuckHint() {
    profile_.functions = {{},
                          {"Bank.First(object, object)", "", "Bank.dll", true},
                          {"Bank.Second(object, object)", "", "Bank.dll", true},
                          {"System.Threading.Monitor.Enter(object)", "", "System.Private.CoreLib.dll", true}};
    profile_.nodes = {{}, {0, 1, false}, {1, 3, false}, {0, 2, false}, {3, 3, false}};
    profile_.threads.resize(2);
    profile_.sampling_mode = "process";
    profile_.sampling_hz = 1000;
    profile_.wall_ns = 3000 * kMs;
  }
  static constexpr uint32_t kFirst = 2, kSecond = 4;  // nodes

  void wait(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t node) {
    profile_.waits.push_back({to_ms * kMs, thread, node, static_cast<uint64_t>(to_ms - from_ms)});
  }
  std::vector<Hint> hints() const {
    std::vector<Hint> all;
    add_wait_hints(profile_, all);
    return all;
  }

  profile::Profile profile_;
};

TEST_F(StuckHint, TellsOfThreadsThatNeverGetALock) {
  profile_.samples.push_back({100 * kMs, 0, 1, 1});
  wait(0, 100, 1000, kFirst);
  wait(0, 1000, 2900, kFirst);
  wait(1, 100, 2900, kSecond);
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "stuck");
  EXPECT_THAT(all[0].text, HasSubstr("2 threads waited for locks until the program ended and never got them: in "));
  EXPECT_THAT(all[0].text, HasSubstr("Bank.First(object, object)"));
  EXPECT_THAT(all[0].text, HasSubstr("Bank.Second(object, object)"));
}

TEST_F(StuckHint, IsNoneOfThreadsThatWaitAgainAndAgain) {
  for (int64_t ms = 100; ms < 2900; ms += 100) {
    wait(0, ms, ms + 90, kFirst);
    profile_.samples.push_back({(ms + 95) * kMs, 0, 1, 1});
    wait(1, ms, ms + 90, kSecond);
    profile_.samples.push_back({(ms + 95) * kMs, 1, 3, 1});
  }
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

TEST_F(StuckHint, IsNoneOfWaitsThatEnded) {
  wait(0, 100, 2000, kFirst);
  wait(1, 100, 2000, kSecond);
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

TEST(LockName, AVariableIsToldAsOne) {
  const auto text = [](const char* name) { return LockName{name, {}, {}, false, 0, {}}.text(); };
  EXPECT_EQ(text("it"), "in the variable it");
  EXPECT_EQ(text("this"), "this");
  EXPECT_EQ(text("Shop.Till._gate"), "Shop.Till._gate");
  EXPECT_EQ(text("typeof(Till)"), "typeof(Till)");
  EXPECT_EQ(lock_text("object", {"gate", {}, {}, false, 0, {}}), "the lock in the variable gate");
}

}  // namespace
}  // namespace oriel::report
