#include "base/process/foreign_library.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(LoadFault, NamesTheOtherCLibrary) {
  const char* const message = "libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory";
  EXPECT_NE(load_fault("/proc/self/exe", message).find("is made for musl"), std::string::npos);
}

TEST(LoadFault, IsTheLoadersElse) {
  EXPECT_EQ(load_fault("/nowhere.so", "cannot open"), "cannot open");
  EXPECT_EQ(load_fault("/dev/null", nullptr), "unknown error");
}

}  // namespace
}  // namespace oriel
