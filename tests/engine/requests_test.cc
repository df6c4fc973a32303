// Single methods that profilers want made anew, or without their changes: filters are asked again, and what is unloaded
// is forgotten.
#include "engine/code/requests.h"

#include <gtest/gtest.h>

#include <atomic>

#include "engine/engine.h"
#include "engine/profilers.h"
#include "engine/running_engine.h"
#include "runtimes/scripted/scripted_runtime.h"

namespace oriel {
namespace {

std::atomic<unsigned> asked{0};
bool ask(oriel_profiler*, oriel_method*) { return ++asked, true; }

class Requests : public testing::Test {
 protected:
  void SetUp() override {
    test::play(
        "assembly Req\nimage Req.dll assembly=Req\nclass Req.C image=Req.dll\nmethod ReqM class=Req.C\njit ReqM\n");
    method_ = scripted::method_of(*test::running_engine().world().find(scripted::Kind::kMethod, "ReqM"));
    oriel_profiler_set_rewriter_callbacks(profiler_, ask, [](oriel_profiler*, oriel_method*, oriel_method_body*) {});
  }
  void TearDown() override {
    oriel_profiler_set_rewriter_callbacks(profiler_, nullptr, nullptr);
    if (!method_->unloaded.load()) test::play("unload image Req.dll\n");
    test::play("unload assembly Req\n");
  }

  oriel_profiler_handle profiler_ = oriel_profiler_create(nullptr);
  oriel_method* method_ = nullptr;
};

TEST_F(Requests, HaveTheFilterAskedAgain) {
  const unsigned before = asked.load();
  EXPECT_TRUE(oriel_method_rejit(profiler_, method_));
  EXPECT_TRUE(test::eventually([&] { return asked.load() > before; }));
}

TEST_F(Requests, ARevertHoldsUntilTheProfilerWantsTheMethodAnew) {
  EXPECT_FALSE(is_reverted(*profiler_, method_));
  EXPECT_TRUE(oriel_method_revert(profiler_, method_));
  EXPECT_TRUE(is_reverted(*profiler_, method_));
  EXPECT_FALSE(is_reverted(*oriel_profiler_create(nullptr), method_));
  EXPECT_TRUE(oriel_method_rejit(profiler_, method_));
  EXPECT_FALSE(is_reverted(*profiler_, method_));
}

TEST_F(Requests, AreForgottenWithTheImage) {
  EXPECT_TRUE(oriel_method_revert(profiler_, method_));
  test::play("unload image Req.dll\n");
  EXPECT_FALSE(is_reverted(*profiler_, method_));
  EXPECT_FALSE(oriel_method_revert(profiler_, method_));
  EXPECT_FALSE(is_reverted(*profiler_, method_));
  EXPECT_FALSE(oriel_method_rejit(profiler_, method_));
}

TEST_F(Requests, NobodyAsksForNothing) {
  EXPECT_FALSE(oriel_method_rejit(nullptr, method_));
  EXPECT_FALSE(oriel_method_rejit(profiler_, nullptr));
  uint32_t unknown = 0;
  EXPECT_EQ(oriel_method_inliners(nullptr, nullptr, 0, &unknown), 0u);
  EXPECT_NE(unknown, 0u);
}

}  // namespace
}  // namespace oriel
