#include "base/process/import_slot.h"

#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace oriel {
namespace {

pid_t nobody() { return -7; }

TEST(ReplaceImport, CallsOfOneLibraryGoElsewhere) {
  const auto program = static_cast<uintptr_t>(getauxval(AT_ENTRY));
  const pid_t parent = static_cast<pid_t>(syscall(SYS_getppid));
  void* const before = replace_import(program, "getppid", reinterpret_cast<void*>(&nobody));
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(getppid(), -7);
  EXPECT_EQ(reinterpret_cast<pid_t (*)()>(before)(), parent);
  replace_import(program, "getppid", before);
  EXPECT_EQ(getppid(), parent);
}

TEST(ReplaceImport, WhatIsNotImportedStays) {
  const auto program = static_cast<uintptr_t>(getauxval(AT_ENTRY));
  EXPECT_EQ(replace_import(program, "nobody_has_this", reinterpret_cast<void*>(&nobody)), nullptr);
  EXPECT_EQ(replace_import(8, "getppid", reinterpret_cast<void*>(&nobody)), nullptr);
}

}  // namespace
}  // namespace oriel
