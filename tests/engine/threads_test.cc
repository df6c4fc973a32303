#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

uint32_t own_os_id() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

TEST(Threads, KnowThemselves) {
  test::running_engine();
  std::thread([] {
    oriel_thread* const self = oriel_thread_current();
    ASSERT_NE(self, nullptr);
    EXPECT_EQ(oriel_thread_current(), self);
    EXPECT_EQ(oriel_thread_os_id(self), own_os_id());
    EXPECT_EQ(oriel_thread_by_os_id(own_os_id()), self);
    EXPECT_EQ(oriel_thread_by_id(oriel_thread_id(self)), self);
    EXPECT_FALSE(oriel_thread_is_managed(self));
  }).join();
}

TEST(Threads, NativeOnesHaveTheSystemsNameAlsoAfterTheirEnd) {
  test::running_engine();
  oriel_thread* thread = nullptr;
  std::thread([&] {
    thread = oriel_thread_current();
    pthread_setname_np(pthread_self(), "first-name");
    EXPECT_STREQ(oriel_thread_get_name(thread), "first-name");
    pthread_setname_np(pthread_self(), "last-name");
  }).join();
  EXPECT_TRUE(thread->unloaded);
  EXPECT_STREQ(oriel_thread_get_name(thread), "last-name");
}

TEST(Threads, ANativeRecordBecomesManagedWhenTheRuntimeMeetsIt) {
  test::running_engine();
  std::thread([] {
    oriel_thread* const native = oriel_thread_current();
    oriel_thread* const managed = thread_attached(0x7001, own_os_id());
    EXPECT_EQ(native, managed);
    EXPECT_TRUE(oriel_thread_is_managed(managed));
    EXPECT_EQ(find_thread(0x7001), managed);
    thread_renamed(managed, "Worker \xc3\xa9");
    EXPECT_STREQ(oriel_thread_get_name(managed), "Worker \xc3\xa9");
    thread_detached(managed);
    EXPECT_EQ(find_thread(0x7001), nullptr);
  }).join();
}

TEST(Threads, AnIdOfTheSystemUsedAgainIsAnotherThread) {
  test::running_engine();
  oriel_thread* const first = thread_attached(0x7100, 4'000'001);
  thread_detached(first);
  oriel_thread* const second = thread_attached(0x7101, 4'000'001);
  EXPECT_NE(first, second);
  EXPECT_EQ(oriel_thread_by_os_id(4'000'001), second);
  // One whose end nobody told of.
  oriel_thread* const third = thread_attached(0x7102, 4'000'001);
  EXPECT_NE(second, third);
  EXPECT_EQ(find_thread(0x7102), third);
  EXPECT_EQ(find_thread(0x7101), nullptr);
  thread_detached(third);
}

TEST(Threads, OfTheScriptComeAndGo) {
  test::running_engine();
  const uint32_t before = oriel_thread_count();
  test::play("repeat 20\nparallel 4\nend\nend\nthread lonely native\nend\njoin");
  EXPECT_GE(oriel_thread_count(), before + 80);
  for (uint32_t id = before + 1; id <= oriel_thread_count(); ++id) {
    oriel_thread* const thread = oriel_thread_by_id(id);
    if (oriel_thread_is_managed(thread)) {
      EXPECT_EQ(std::string(oriel_thread_get_name(thread)).substr(0, 7), "worker ");
    }
  }
}

}  // namespace
}  // namespace oriel
