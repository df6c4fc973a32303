#include "base/process/loaded_library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "base/process/module_check.h"

namespace oriel {
namespace {

TEST(LoadedLibrary, IsFoundByItsFileName) {
  void* const library = loaded_library("libc.so.6");
  ASSERT_NE(library, nullptr);
  EXPECT_NE(dlsym(library, "getpid"), nullptr);
  dlclose(library);
  EXPECT_EQ(loaded_library("c.so.6"), nullptr);
  EXPECT_EQ(loaded_library("libnothing.so"), nullptr);
}

TEST(MissingSymbol, IsNamedByEitherLoader) {
  EXPECT_EQ(missing_symbol("./libx.so: undefined symbol: mono_jit_exec"), "mono_jit_exec");
  EXPECT_EQ(missing_symbol("Error relocating ./libx.so: mono_jit_exec: symbol not found"), "mono_jit_exec");
  EXPECT_EQ(missing_symbol("./libx.so: cannot open shared object file"), "");
  EXPECT_EQ(missing_symbol(": symbol not found"), "");
}

}  // namespace
}  // namespace oriel
