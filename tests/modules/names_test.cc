#include "modules/names.h"

#include <gtest/gtest.h>

#include "fake_engine.h"

namespace oriel::modules {
namespace {

class NativeNames : public testing::Test {
 protected:
  NativeNames() {
    fake::engine() = {};
    fake::engine().frames[0x7110] = {ORIEL_FRAME_NATIVE, nullptr, "/net/libcoreclr.so", nullptr, 0x7100};
    fake::engine().frames[0x7120] = fake::engine().frames[0x7110];
    fake::engine().frames[0x7210] = {ORIEL_FRAME_NATIVE, nullptr, "/net/libcoreclr.so", nullptr, 0x7200};
    fake::engine().frames[0x9007] = {ORIEL_FRAME_NATIVE, nullptr, "/lib/libc.so.6", "write", 0x9000};
    static constexpr uint8_t kBuild[] = {0x0a, 0xff};
    fake::engine().natives[0x7100] = {"/net/libcoreclr.so", 0x7000, kBuild, 2, 0x7100, 0x100};
    fake::engine().natives[0x7200] = {"/net/libcoreclr.so", 0x7000, kBuild, 2, 0x7200, 0x100};
    fake::engine().natives[0x9000] = {"/lib/libc.so.6", 0x8000, nullptr, 0, 0x9000, 0x100};
  }
  ~NativeNames() override { fake::engine() = {}; }

  NameTable names_;
};

TEST_F(NativeNames, AreToldApartByWhereTheFunctionBegins) {
  const NameTable::Frame one = names_.frame_at(0x7110, 1), same = names_.frame_at(0x7120, 1),
                         other = names_.frame_at(0x7210, 1);
  EXPECT_EQ(one.id, same.id);
  EXPECT_NE(one.id, other.id);
  const log::Mapping mapping = names_.take();
  ASSERT_EQ(mapping.natives.size(), 2u);
  EXPECT_EQ(mapping.natives[0].name, "");
  ASSERT_EQ(mapping.addresses.size(), 2u);
  EXPECT_EQ(mapping.addresses[0].native, one.id);
  EXPECT_EQ(mapping.addresses[0].address, 0x100u);
  EXPECT_EQ(mapping.addresses[1].address, 0x200u);
  ASSERT_EQ(mapping.builds.size(), 1u);
  EXPECT_EQ(mapping.builds[0].build_id, "0aff");
}

TEST_F(NativeNames, HaveTheirAddressBesideTheName) {
  names_.frame_at(0x9007, 1);
  const log::Mapping mapping = names_.take();
  ASSERT_EQ(mapping.addresses.size(), 1u);
  EXPECT_EQ(mapping.addresses[0].address, 0x1000u);
  EXPECT_TRUE(mapping.builds.empty());
}

TEST_F(NativeNames, TellOfTheKernelBelowASystemCall) {
  fake::engine().code = {{0x9000, {0xb8, 1, 0, 0, 0, 0x0f, 0x05, 0x48, 0x3d, 0, 0xf0}}};
  const auto below = names_.kernel_below(0x9007, 1);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->kind, log::FrameKind::kNative);
  const log::Mapping mapping = names_.take();
  ASSERT_EQ(mapping.natives.size(), 1u);
  EXPECT_EQ(mapping.natives[0].name, "[kernel]");
  EXPECT_EQ(mapping.natives[0].library, 0u);
  EXPECT_FALSE(names_.kernel_below(0x7110, 1));
}

TEST_F(NativeNames, HaveOneForPageFaultsAndOneForWaits) {
  EXPECT_EQ(names_.page_fault().id, names_.page_fault().id);
  EXPECT_EQ(names_.waiting().id, names_.waiting().id);
  const log::Mapping mapping = names_.take();
  ASSERT_EQ(mapping.natives.size(), 2u);
  EXPECT_EQ(mapping.natives[0].name, "[page fault]");
  EXPECT_EQ(mapping.natives[1].name, "[waiting]");
  EXPECT_TRUE(mapping.addresses.empty());
}

}  // namespace
}  // namespace oriel::modules
