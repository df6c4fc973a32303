// Whose a place is in which Mono's collector looks for references.
#include "runtimes/mono/heap/root_register.h"

#include <gtest/gtest.h>

namespace oriel::mono {
namespace {

TEST(RootRegister, HasTheMemoryAroundAnAddress) {
  const RootRegister all = {{1, {1, RootSource::kFinalizerQueue, 0, "Finalizer Queue"}},
                            {0x1000, {0x20, RootSource::kStatic, 7, "Static Fields"}},
                            {0x1020, {8, RootSource::kDomain, 0, "Domain"}}};
  const auto name_at = [&](uintptr_t address) {
    const RegisteredRoot* const root = root_at(all, address);
    return root == nullptr ? "" : root->name;
  };
  EXPECT_EQ(name_at(0), "");
  EXPECT_EQ(name_at(1), "Finalizer Queue");
  EXPECT_EQ(name_at(2), "");
  EXPECT_EQ(name_at(0xfff), "");
  EXPECT_EQ(name_at(0x1000), "Static Fields");
  EXPECT_EQ(name_at(0x101f), "Static Fields");
  EXPECT_EQ(name_at(0x1020), "Domain");
  EXPECT_EQ(name_at(0x1028), "");
  EXPECT_EQ(root_at({}, 1), nullptr);
}

}  // namespace
}  // namespace oriel::mono
