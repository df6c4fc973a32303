#include "runtimes/coreclr/callbacks/contention.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace oriel::coreclr {
namespace {

template <typename... Fields>
std::vector<uint8_t> event(Fields... fields) {
  std::vector<uint8_t> bytes;
  const auto add = [&](const auto& field) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&field);
    bytes.insert(bytes.end(), begin, begin + sizeof field);
  };
  (add(fields), ...);
  return bytes;
}

TEST(Contention, IsReadFromTheRuntimesFields) {
  const auto fields = event(uint8_t{0}, uint16_t{9}, uint64_t{0x7f01}, uint64_t{0x7f02}, uint64_t{4711});
  const auto start = read_contention_start(fields);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->lock, 0x7f01u);
  EXPECT_EQ(start->object, 0x7f02u);
  EXPECT_EQ(start->owner, 4711u);
  EXPECT_EQ(read_contention_stop(event(uint8_t{0}, uint16_t{9}, 1234.4)), 1234u);
}

TEST(Contention, OfOtherFieldsIsNone) {
  auto fields = event(uint8_t{0}, uint16_t{9}, uint64_t{1}, uint64_t{2}, uint64_t{3});
  fields.pop_back();
  EXPECT_FALSE(read_contention_start(fields));
  EXPECT_FALSE(read_contention_start({}));
  EXPECT_FALSE(read_contention_stop(event(uint8_t{0}, uint16_t{9}, 1.0f)));
  EXPECT_EQ(read_contention_stop(event(uint8_t{0}, uint16_t{9}, -1.0)), 0u);
  EXPECT_EQ(read_contention_stop(event(uint8_t{0}, uint16_t{9}, 1e300)), 0u);
}

TEST(Contention, OfAMonitorIsToldByTheWordBeforeTheObject) {
  struct {
    uint32_t padding = 0;
    uint32_t header = 0;
    uint64_t object = 0;
  } memory;
  constexpr uint64_t kAddress = 0x7f0000001000, kEvent = 0x128;
  const auto object = reinterpret_cast<uintptr_t>(&memory.object);
  EXPECT_FALSE(is_monitor({kAddress, object})) << "nothing is known of its lock";
  memory.header = 0x08000005;
  EXPECT_TRUE(is_monitor({kAddress, object}));
  EXPECT_FALSE(is_monitor({kEvent, object})) << "a Lock, which may have moved: something else may be there";
  memory.header = 0x0c000005;
  EXPECT_FALSE(is_monitor({kAddress, object})) << "a hash code";
  EXPECT_FALSE(is_monitor({kAddress, 0}));
  EXPECT_FALSE(is_monitor({kAddress, 0x1000})) << "nothing is mapped there";
}

}  // namespace
}  // namespace oriel::coreclr
