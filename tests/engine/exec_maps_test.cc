// Executable memory: what is generated and what comes from a file, also where one takes the other's place.
#include "engine/things/code_map.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace oriel {
namespace {

constexpr size_t kSize = 64 * 1024;
constexpr int kProtection = PROT_READ | PROT_EXEC;

TEST(ExecutableMappings, TellGeneratedCodeFromFiles) {
  void* const generated = mmap(nullptr, kSize, kProtection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(generated, MAP_FAILED);
  const ExecutableMapping found = executable_mapping(reinterpret_cast<uintptr_t>(generated) + 10);
  EXPECT_TRUE(found.generated);
  EXPECT_LE(found.start, reinterpret_cast<uintptr_t>(generated));
  EXPECT_GE(found.end, reinterpret_cast<uintptr_t>(generated) + kSize);
  munmap(generated, kSize);
  EXPECT_FALSE(executable_mapping(reinterpret_cast<uintptr_t>(&executable_mapping)).generated);
  int on_stack = 0;
  EXPECT_EQ(executable_mapping(reinterpret_cast<uintptr_t>(&on_stack)).end, 0u);
}

TEST(ExecutableMappings, AreFoundAnewWhereAnImageTookThePlaceOfGeneratedCode) {
  void* const place = mmap(nullptr, kSize, kProtection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  const uintptr_t inside = reinterpret_cast<uintptr_t>(place) + kSize / 2;
  EXPECT_TRUE(executable_mapping(inside).generated);
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(mmap(place, kSize, kProtection, MAP_PRIVATE | MAP_FIXED, file, 0), place);
  close(file);
  forget_executable_mappings();
  EXPECT_NE(executable_mapping(inside).end, 0u);
  EXPECT_FALSE(executable_mapping(inside).generated);
  munmap(place, kSize);
  forget_executable_mappings();
  EXPECT_EQ(executable_mapping(inside).end, 0u);
}

}  // namespace
}  // namespace oriel
