// Symbols from separate debug files, made with the system's objcopy.
#include "symbols/symbol_table.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

extern "C" const char __executable_start, etext;  // the linker's

namespace oriel::symbols {
namespace {

// Link-time address at which this program's code ends.
const uint64_t kCodeEnd = static_cast<uint64_t>(&etext - &__executable_start);

bool run(const std::string& command) { return system((command + " >/dev/null 2>&1").c_str()) == 0; }

class DebugFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/oriel-debug-XXXXXX";
    folder_ = mkdtemp(name);
    stripped_ = folder_ + "/program";
    debug_ = folder_ + "/program.debug";
    const bool made = run("objcopy --only-keep-debug /proc/" + std::to_string(getpid()) + "/exe " + debug_) &&
                      run("objcopy --strip-all --add-gnu-debuglink=" + debug_ + " /proc/" + std::to_string(getpid()) +
                          "/exe " + stripped_);
    if (!made) GTEST_SKIP() << "no objcopy here: install binutils";
  }
  void TearDown() override { run("rm -r " + folder_); }

  std::string folder_, stripped_, debug_;
};

size_t count_named(SymbolTable& table) {
  size_t named = 0;
  for (uint64_t at = 0; at < kCodeEnd; at += 64) {
    const auto function = table.find(at);
    named += function && function->name;
  }
  return named;
}

TEST_F(DebugFile, IsFoundByItsLink) {
  EXPECT_FALSE(read_symbols(stripped_, {}).is_empty());
  SymbolTable with = read_symbols(stripped_, {});
  EXPECT_TRUE(run("rm " + debug_));
  SymbolTable without = read_symbols(stripped_, {});
  // Only what the dynamic linker must know is left: no function of this program is among it.
  EXPECT_GT(count_named(with), count_named(without) + 100);
}

TEST_F(DebugFile, IsRefusedIfItIsAnothers) {
  std::FILE* file = std::fopen(debug_.c_str(), "ab");
  ASSERT_NE(file, nullptr);
  std::fputc('x', file);
  std::fclose(file);
  SymbolTable table = read_symbols(stripped_, {});
  EXPECT_LT(count_named(table), 100u);
}

TEST_F(DebugFile, IsNotNeededToTellFunctionsApart) {
  SymbolTable with = read_symbols(stripped_, {});
  ASSERT_TRUE(run("rm " + debug_));
  SymbolTable without = read_symbols(stripped_, {});
  size_t same = 0, named = 0;
  for (uint64_t at = 0; at < kCodeEnd; at += 64) {
    const auto known = with.find(at);
    if (!known) continue;
    named++;
    const auto nameless = without.find(at);
    same += nameless && nameless->start == known->start;
  }
  EXPECT_GT(same * 100, named * 95) << same << " of " << named;
}

TEST_F(DebugFile, DoesNotMatterForCode) {
  uint8_t code[16], again[16];
  SymbolTable table = read_symbols(stripped_, {});
  for (uint64_t at = 0; at < kCodeEnd; at += 64) {
    const auto function = table.find(at);
    if (!function || !function->name) continue;
    ASSERT_TRUE(read_code(stripped_, function->start, code, sizeof(code)));
    ASSERT_TRUE(read_code("/proc/self/exe", function->start, again, sizeof(again)));
    EXPECT_TRUE(std::equal(code, code + sizeof(code), again));
    EXPECT_FALSE(read_code(stripped_, UINT64_MAX - 8, code, sizeof(code)));
    return;
  }
  FAIL() << "no function found";
}

}  // namespace
}  // namespace oriel::symbols
