// A process without memory: the engine's functions give what oriel.h says, and let no exception out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace {

thread_local bool refuse = false;

// While one exists, the calling thread gets no memory.
struct NoMemory {
  NoMemory() { refuse = true; }
  ~NoMemory() { refuse = false; }
};

}  // namespace

void* operator new(size_t size, const std::nothrow_t&) noexcept { return refuse ? nullptr : malloc(size ? size : 1); }
void* operator new(size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (!memory) throw std::bad_alloc();
  return memory;
}
// Not inlined: beside `new` the compiler would take free() for the wrong one.
[[gnu::noinline]] void operator delete(void* memory) noexcept { free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { free(memory); }

namespace oriel {
namespace {

TEST(NoMemory, AThreadIsKnownOnceThereIsMemory) {
  std::thread([] {
    oriel_thread* without = nullptr;
    {
      const NoMemory none;
      without = oriel_thread_current();
      oriel_thread_attach_tools();
    }
    EXPECT_EQ(without, nullptr);
    EXPECT_NE(oriel_thread_current(), nullptr);
  }).join();
}

TEST(NoMemory, AnUnknownOsIdHasNoThread) {
  constexpr uint32_t kOsId = 3'999'999;
  oriel_thread* without = nullptr;
  {
    const NoMemory none;
    without = oriel_thread_by_os_id(kOsId);
  }
  EXPECT_EQ(without, nullptr);
  EXPECT_NE(oriel_thread_by_os_id(kOsId), nullptr);
}

TEST(NoMemory, AThreadKeepsTheNameThatIsKnown) {
  std::thread([] {
    oriel_thread* const self = oriel_thread_current();
    pthread_setname_np(pthread_self(), "never-seen-name");
    {
      const NoMemory none;
      EXPECT_STREQ(oriel_thread_get_name(self), "");
    }
    EXPECT_STREQ(oriel_thread_get_name(self), "never-seen-name");
  }).join();
}

TEST(NoMemory, AThreadsEndIsNoted) {
  oriel_thread* thread = nullptr;
  std::thread([&] {
    thread = oriel_thread_current();
    pthread_setname_np(pthread_self(), "ends-without");
    refuse = true;  // to its end
  }).join();
  EXPECT_TRUE(thread->unloaded.load());
  EXPECT_STREQ(oriel_thread_get_name(thread), "");
}

TEST(NoMemory, AMethodsNamesSayIt) {
  oriel_method* const method = intern_method(0x7e57'0001);
  const NoMemory none;
  EXPECT_STREQ(oriel_method_name(method), "[out of memory]");
  EXPECT_STREQ(oriel_method_short_name(method), "[out of memory]");
  EXPECT_STREQ(oriel_method_raw_name(method), "[out of memory]");
}

TEST(NoMemory, LoadingSaysIt) {
  char message[200] = "";
  int result = 0;
  {
    const NoMemory none;
    result = oriel_load("a_module_with_a_long_name:and=arguments", message, sizeof message);
  }
  EXPECT_NE(result, 0);
  EXPECT_NE(std::string(message).find("out of memory"), std::string::npos) << message;
}

TEST(NoMemory, AWarningIsSaid) {
  const std::string said = test::said_by([] {
    const NoMemory none;
    oriel_warn("something that a user must know");
  });
  EXPECT_EQ(said, "oriel: something that a user must know\n");
}

TEST(NoMemory, AnAddressIsUnknownOrNative) {
  oriel_frame frame{};
  {
    const NoMemory none;
    oriel_resolve_address(reinterpret_cast<uintptr_t>(&oriel_resolve_address), oriel_clock(), &frame);
  }
  EXPECT_EQ(frame.method, nullptr);
  EXPECT_TRUE(frame.kind == ORIEL_FRAME_UNKNOWN || frame.kind == ORIEL_FRAME_NATIVE);
}

}  // namespace
}  // namespace oriel
