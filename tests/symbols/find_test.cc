// Symbols of this very process.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "symbols/symbols.h"

namespace oriel::symbols {

int an_outer_function(int value, const char* text) { return value + static_cast<int>(std::strlen(text)); }

namespace {

uintptr_t address_of(auto* function) { return reinterpret_cast<uintptr_t>(function); }

TEST(Find, NamesAFunctionOfTheProgramDemangled) {
  Symbol symbol;
  ASSERT_TRUE(find(address_of(&an_outer_function) + 1, symbol));
  ASSERT_NE(symbol.name, nullptr);
  EXPECT_STREQ(symbol.name, "oriel::symbols::an_outer_function(int, char const*)");
  EXPECT_EQ(symbol.start, address_of(&an_outer_function));
  EXPECT_GT(symbol.size, 1u);
  EXPECT_NE(std::string(symbol.library).find("test_symbols"), std::string::npos);
}

TEST(Find, NamesAFunctionOfTheCLibrary) {
  // Asked for by name: a sanitizer may have one of its own.
  void* library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  Symbol symbol;
  ASSERT_TRUE(find(reinterpret_cast<uintptr_t>(dlsym(library, "qsort")) + 4, symbol));
  ASSERT_NE(symbol.name, nullptr);
  EXPECT_NE(std::string(symbol.name).find("qsort"), std::string::npos);
  EXPECT_NE(std::string(symbol.library).find("libc"), std::string::npos);
}

TEST(Find, KnowsTheVdso) {
  const uintptr_t header = getauxval(AT_SYSINFO_EHDR);
  if (header == 0) GTEST_SKIP() << "this system maps no vdso";
  // Somewhere in its code is clock_gettime.
  bool found = false;
  for (uintptr_t at = header; at < header + 0x3000 && !found; at += 16) {
    Symbol symbol;
    if (!find(at, symbol)) continue;
    EXPECT_STREQ(symbol.library, "[vdso]");
    found = symbol.name && std::string(symbol.name).find("clock_gettime") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

TEST(Find, MayBeAskedByManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([] {
      for (uintptr_t at = 0; at < 4000; at += 16) {
        Symbol symbol;
        EXPECT_TRUE(find(address_of(&std::qsort) + at, symbol));
        EXPECT_TRUE(find(address_of(&an_outer_function) + at % 64, symbol));
        refresh();
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

// Addresses are asked about after the library they were in is gone.
TEST(Find, StillKnowsWhatWasUnloaded) {
  void* library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) GTEST_SKIP() << "no libz here";
  const auto address = reinterpret_cast<uintptr_t>(dlsym(library, "crc32"));
  Symbol before, after;
  ASSERT_TRUE(find(address, before));
  dlclose(library);
  refresh();
  ASSERT_TRUE(find(address, after));
  EXPECT_EQ(before.name, after.name);
  EXPECT_NE(after.name, nullptr);
}

TEST(Find, SaysNoForDataAndHeap) {
  Symbol symbol;
  const std::string heap(100, 'x');
  EXPECT_FALSE(find(reinterpret_cast<uintptr_t>(heap.data()), symbol));
  EXPECT_EQ(symbol.library, nullptr);
  EXPECT_FALSE(find(0, symbol));
  EXPECT_FALSE(find(UINTPTR_MAX, symbol));
}

}  // namespace
}  // namespace oriel::symbols
