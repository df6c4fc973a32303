// Addresses: managed by time, native, generated stubs, nothing.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

oriel_frame resolve(uintptr_t address, uint64_t when = oriel_clock()) {
  oriel_frame frame;
  oriel_resolve_address(address, when, &frame);
  return frame;
}

uintptr_t code_of(const char* method) {
  auto& world = test::running_engine().world();
  return world.code_of(*world.find(scripted::Kind::kMethod, method));
}

void want_code_map() {
  oriel_profiler_create(nullptr);
  resolve(1);
  ASSERT_TRUE(test::eventually([] { return test::running_engine().needs().code_map; }));
}

TEST(Resolve, CodeAtOneAddressByTime) {
  test::running_engine();
  want_code_map();
  test::play(
      "assembly T\nimage T.dll assembly=T\nclass T.C image=T.dll\nmethod First class=T.C\nmethod Next class=T.C\n"
      "jit First");
  const uintptr_t address = code_of("First");
  const uint64_t then = oriel_clock();
  test::play("free First\njit Next");
  ASSERT_EQ(code_of("Next"), address) << "the scripted runtime gives freed addresses out again";
  EXPECT_STREQ(oriel_method_name(resolve(address + 5, then).method), "T.C.First()");
  const oriel_frame now = resolve(address + 5);
  EXPECT_EQ(now.kind, ORIEL_FRAME_MANAGED);
  EXPECT_STREQ(oriel_method_name(now.method), "T.C.Next()");
  EXPECT_EQ(now.start, address);
}

TEST(Resolve, CodeOfAnUnloadedImageKeepsItsName) {
  test::running_engine();
  want_code_map();
  test::play("assembly G\nimage G.dll assembly=G\nclass G.C image=G.dll\nmethod Gone class=G.C\njit Gone");
  const uintptr_t address = code_of("Gone");
  const uint64_t then = oriel_clock();
  test::play("unload image G.dll");
  EXPECT_STREQ(oriel_method_name(resolve(address, then).method), "G.C.Gone()");
  EXPECT_NE(resolve(address).kind, ORIEL_FRAME_MANAGED);
}

TEST(Resolve, PrecompiledCodeIsAskedOfTheRuntimeOnce) {
  test::play(
      "assembly R\nimage R.dll assembly=R\nclass R.C image=R.dll\nmethod Ready class=R.C\n"
      "precompiled Ready at=0x123450000 size=0x80");
  EXPECT_STREQ(oriel_method_name(resolve(0x123450040).method), "R.C.Ready()");
  EXPECT_EQ(resolve(0x123450080).kind, ORIEL_FRAME_UNKNOWN);
  test::play("free Ready");
  EXPECT_NE(resolve(0x123450040).kind, ORIEL_FRAME_MANAGED);
}

TEST(Resolve, AddressesHaveTheirPlaceInTheIlAlsoAfterTheirCodeIsFreed) {
  test::running_engine();
  want_code_map();
  test::play("assembly I\nimage I.dll assembly=I\nclass I.C image=I.dll\nmethod Lines class=I.C\njit Lines");
  const uintptr_t start = code_of("Lines");
  const uint64_t then = oriel_clock();
  EXPECT_EQ(oriel_il_offset(start + 3, then), 0u) << "a prolog is where the first instruction is";
  EXPECT_EQ(oriel_il_offset(start + 8, then), 0u);
  EXPECT_EQ(oriel_il_offset(start + 31, then), 2u);
  EXPECT_EQ(oriel_il_offset(start + 31, 1), ORIEL_NO_IL_OFFSET) << "nothing was there then";
  EXPECT_EQ(oriel_il_offset(1, then), ORIEL_NO_IL_OFFSET);
  test::play("method Asked class=I.C\nmethod Late class=I.C\njit Asked\njit Late");
  const uintptr_t late = code_of("Late");
  const uint64_t alive = oriel_clock();
  test::play("free Lines\nfree Late");
  EXPECT_EQ(oriel_il_offset(start + 31, then), 2u) << "known from before";
  EXPECT_EQ(oriel_il_offset(late + 31, alive), ORIEL_NO_IL_OFFSET) << "the runtime cannot be asked any more";
}

TEST(Resolve, NativeFunctionsHaveTheirLibrary) {
  test::running_engine();
  const oriel_frame frame = resolve(reinterpret_cast<uintptr_t>(&strtoul) + 1);
  EXPECT_EQ(frame.kind, ORIEL_FRAME_NATIVE);
  ASSERT_NE(frame.library, nullptr);
  EXPECT_NE(strstr(frame.library, "libc"), nullptr) << frame.library;
}

TEST(Resolve, GeneratedCodeThatIsNoMethodIsAStub) {
  test::running_engine();
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_EQ(resolve(reinterpret_cast<uintptr_t>(page) + 100).kind, ORIEL_FRAME_STUB);
  int on_stack = 0;
  EXPECT_EQ(resolve(reinterpret_cast<uintptr_t>(&on_stack)).kind, ORIEL_FRAME_UNKNOWN);
  EXPECT_EQ(resolve(0).kind, ORIEL_FRAME_UNKNOWN);
  EXPECT_EQ(resolve(UINTPTR_MAX).kind, ORIEL_FRAME_UNKNOWN);
  munmap(page, 4096);
}

}  // namespace
}  // namespace oriel
