// Rules out of arm64's call-frame information: of hand-made entries and of this process's libraries, and what the code
// itself tells of the same frames.
#include "sampling/walk/frame_rule.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "sampling/cfi/frame_tables.h"
#include "sampling/sampling.h"

namespace oriel::sampling {
namespace {

// A table of one CIE and one FDE with these instructions, for the code at 0x1000 to 0x1100.
class OneEntry {
 public:
  explicit OneEntry(std::vector<uint8_t> program) {
    // Units of 4 for code, -8 for data; the return address is in x30; def_cfa sp+0
    append_record(0, {1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x00, 0x0c, 31, 0});
    fde_ = bytes_.size();
    std::vector<uint8_t> body(16);
    const uint64_t low = 0x1000, size = 0x100;
    std::memcpy(body.data(), &low, 8);
    std::memcpy(body.data() + 8, &size, 8);
    body.push_back(0);
    body.insert(body.end(), program.begin(), program.end());
    append_record(static_cast<uint32_t>(fde_ + 4), body);
    table_.frames = bytes_.data();
    table_.frames_size = bytes_.size();
  }

  FrameRule rule_at(uintptr_t pc) const { return read_rule(table_, fde_, pc); }

 private:
  void append_record(uint32_t id, const std::vector<uint8_t>& body) {
    const auto length = static_cast<uint32_t>(body.size() + 4);
    const size_t at = bytes_.size();
    bytes_.resize(at + 8);
    std::memcpy(&bytes_[at], &length, 4);
    std::memcpy(&bytes_[at + 4], &id, 4);
    bytes_.insert(bytes_.end(), body.begin(), body.end());
  }

  std::vector<uint8_t> bytes_;
  size_t fde_ = 0;
  FrameTable table_;
};

TEST(FrameRule, FollowsAFunctionsInstructions) {
  // stp x29, x30, [sp, #-32]! at 0, mov x29, sp at 4, ret at 0x40
  const OneEntry entry({0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x41, 0x0d, 29, 0x4e, 0x0c, 31, 0, 0xdd, 0xde});
  FrameRule rule = entry.rule_at(0x1000);
  EXPECT_EQ(rule.kind, RuleKind::kFrameAt);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.cfa_offset, 0);
  EXPECT_EQ(rule.fp_slot, 0);
  EXPECT_EQ(rule.base_slot, 0);
  rule = entry.rule_at(0x1004);
  EXPECT_EQ(rule.cfa_offset, 32);
  EXPECT_EQ(rule.fp_slot, -4);
  EXPECT_EQ(rule.base_slot, -3);
  rule = entry.rule_at(0x103c);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kFramePointer);
  rule = entry.rule_at(0x1040);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.base_slot, 0);
}

TEST(FrameRule, KnowsAThreadsStart) {
  const OneEntry entry({0x07, 30});
  EXPECT_EQ(entry.rule_at(0x1000).kind, RuleKind::kThreadStart);
}

// paciasp at 0 changes how the return address is signed, and nothing else.
TEST(FrameRule, ReadsOverSignatures) {
  const OneEntry entry({0x41, 0x2d, 0x41, 0x0e, 16, 0x9d, 2, 0x9e, 1});
  EXPECT_EQ(entry.rule_at(0x1004).cfa_offset, 0);
  EXPECT_EQ(entry.rule_at(0x1008).base_slot, -1);
}

struct Agreement {
  size_t functions = 0;
  size_t instructions = 0;
  size_t unknown = 0;
  size_t agree = 0;
};

// Between a register's save and its next use, and after it is restored, the caller's value is in both places.
bool agree_on(int32_t slot, int32_t other) { return slot == other || slot == 0 || other == 0; }

bool agree(const FrameRule& table, const FrameRule& code) {
  const bool same_end = table.cfa_register != code.cfa_register || table.cfa_offset == code.cfa_offset;
  return same_end && agree_on(table.base_slot, code.base_slot) && agree_on(table.fp_slot, code.fp_slot);
}

// Of one function in some.
Agreement compare(const FrameTable& table) {
  constexpr size_t kStep = 23;
  Agreement all;
  for (size_t i = 0; i < table.index_size; i += kStep) {
    const uintptr_t low = table.index_base + static_cast<uintptr_t>(intptr_t{table.index[i].code});
    size_t offset = 0;
    FrameEntry entry;
    if (!find_frame_entry(table, low, offset) || !read_frame_entry(table, offset, entry)) continue;
    all.functions++;
    for (uintptr_t pc = entry.code_low; pc < entry.code_high; pc += 4) {
      const FrameRule known = read_rule(table, offset, pc);
      if (known.kind != RuleKind::kFrameAt) continue;
      const FrameRule found = read_code_rule(pc, true);
      all.instructions++;
      if (found.kind == RuleKind::kNoReturnFound) all.unknown++;
      if (found.kind == RuleKind::kCode && agree(known, found)) all.agree++;
    }
  }
  return all;
}

// ORIEL_LIBRARY names one more to look at.
TEST(FrameRule, IsWhatTheCodeItselfTells) {
  if (const char* library = std::getenv("ORIEL_LIBRARY")) ASSERT_NE(dlopen(library, RTLD_LAZY), nullptr) << dlerror();
  refresh_frame_tables();
  const FrameTables* tables = frame_tables.load();
  ASSERT_NE(tables, nullptr);
  Agreement sum;
  for (size_t i = 0; i < tables->count; i++) {
    const Agreement of = compare(tables->tables[i]);
    sum.functions += of.functions;
    sum.instructions += of.instructions;
    sum.unknown += of.unknown;
    sum.agree += of.agree;
  }
  EXPECT_GT(sum.functions, 100u);
  EXPECT_GT(sum.agree, (sum.instructions - sum.unknown) * 95 / 100);
#ifdef __GLIBC__
  EXPECT_LT(sum.unknown, sum.instructions / 10);
#else  // with musl there is nearly nothing but this program, which has many paths that end in a throw or an abort
  EXPECT_LT(sum.unknown, sum.instructions / 8);
#endif
}

}  // namespace
}  // namespace oriel::sampling
