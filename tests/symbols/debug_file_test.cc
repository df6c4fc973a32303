// Symbols from separate debug files, made with the system's objcopy.
#include "symbols/symbol_table.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace oriel::symbols {
namespace {

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

TEST_F(DebugFile, IsFoundByItsLink) {
  EXPECT_FALSE(read_symbols(stripped_, {}).is_empty());
  SymbolTable with = read_symbols(stripped_, {});
  EXPECT_TRUE(run("rm " + debug_));
  SymbolTable without = read_symbols(stripped_, {});
  // Only what the dynamic linker must know is left: no function of this program is among it.
  size_t more = 0, fewer = 0;
  for (uint64_t at = 0; at < 0x200000; at += 64) {
    more += with.find(at) != nullptr;
    fewer += without.find(at) != nullptr;
  }
  EXPECT_GT(more, fewer + 100);
}

TEST_F(DebugFile, IsRefusedIfItIsAnothers) {
  std::FILE* file = std::fopen(debug_.c_str(), "ab");
  ASSERT_NE(file, nullptr);
  std::fputc('x', file);
  std::fclose(file);
  SymbolTable table = read_symbols(stripped_, {});
  size_t found = 0;
  for (uint64_t at = 0; at < 0x200000; at += 64) found += table.find(at) != nullptr;
  EXPECT_LT(found, 100u);
}

}  // namespace
}  // namespace oriel::symbols
