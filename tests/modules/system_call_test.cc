#include "modules/system_call.h"

#include <gtest/gtest.h>

#include "fake_engine.h"

namespace oriel::modules {
namespace {

constexpr uintptr_t kAt = 0x1000;

TEST(SystemCall, IsToldByTheInstruction) {
  fake::engine() = {};
  EXPECT_FALSE(is_system_call("libc.so.6", kAt)) << "the code has gone";
  fake::engine().code = {{kAt, {0xb8, 1, 0, 0, 0, 0x0f, 0x05, 0x48, 0x3d, 0, 0xf0, 0xff, 0xff}}};
  EXPECT_TRUE(is_system_call("/lib/libc.so.6", kAt + 7)) << "after it";
  EXPECT_TRUE(is_system_call("/lib/libc.so.6", kAt + 5)) << "before one that is made again";
  EXPECT_FALSE(is_system_call("/lib/libc.so.6", kAt + 9));
  EXPECT_FALSE(is_system_call("/lib/libcoreclr.so", kAt + 7));
  fake::engine() = {};
}

}  // namespace
}  // namespace oriel::modules
