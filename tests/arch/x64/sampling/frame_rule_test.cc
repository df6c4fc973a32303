// Rules out of call-frame information: of this process's libraries, of hand-made entries, of damaged ones.
#include "sampling/walk/frame_rule.h"

#include <gtest/gtest.h>
#include <link.h>

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
    // def_cfa rsp+8; return address at cfa-8
    append_record(0, {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x00, 0x0c, 7, 8, 0x90, 1});
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
  std::vector<uint8_t>& bytes() { return bytes_; }
  size_t fde() const { return fde_; }
  const FrameTable& table() const { return table_; }

 private:
  void append_record(uint32_t id, const std::vector<uint8_t>& body) {
    const uint32_t length = static_cast<uint32_t>(body.size() + 4);
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
  // push rbp at 0, mov rbp, rsp at 1, ret at 0x41
  const OneEntry entry({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x3d, 0x0c, 7, 8});
  FrameRule rule = entry.rule_at(0x1000);
  EXPECT_EQ(rule.kind, RuleKind::kFrameAt);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.cfa_offset, 8);
  EXPECT_EQ(rule.fp_slot, 0);
  rule = entry.rule_at(0x1001);
  EXPECT_EQ(rule.cfa_offset, 16);
  EXPECT_EQ(rule.fp_slot, -2);
  rule = entry.rule_at(0x1040);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kFramePointer);
  rule = entry.rule_at(0x1041);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.cfa_offset, 8);
}

TEST(FrameRule, IsNoneOutsideOfTheFunction) {
  const OneEntry entry({});
  EXPECT_EQ(entry.rule_at(0xfff).kind, RuleKind::kNone);
  EXPECT_EQ(entry.rule_at(0x1100).kind, RuleKind::kNone);
  EXPECT_EQ(entry.rule_at(0x10ff).kind, RuleKind::kFrameAt);
}

TEST(FrameRule, KnowsAThreadsStart) {
  const OneEntry entry({0x07, 16});
  EXPECT_EQ(entry.rule_at(0x1000).kind, RuleKind::kThreadStart);
}

TEST(FrameRule, KnowsLinkageTables) {
  // rsp + 8 + ((rip & 15) >= 11) * 8
  const OneEntry entry({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22});
  EXPECT_EQ(entry.rule_at(0x1006).cfa_offset, 8);
  EXPECT_EQ(entry.rule_at(0x100b).cfa_offset, 16);
}

TEST(FrameRule, KnowsRealignedStacks) {
  // rbp at [rbp+0]; frame ends where the word at rbp-8 says
  const OneEntry entry({0x10, 6, 2, 0x76, 0, 0x0f, 3, 0x76, 0x78, 0x06});
  const FrameRule rule = entry.rule_at(0x1000);
  EXPECT_EQ(rule.kind, RuleKind::kFrameFrom);
  EXPECT_EQ(rule.cfa_offset, -8);
  EXPECT_EQ(rule.fp_slot_from_fp, 1u);
}

TEST(FrameRule, KnowsWhatLooksLikeACallFromCodeThatHasFaulted) {
  // CoreCLR's: the frame ends at rsp+136, with the return address below the red zone; push rbp at 0
  const OneEntry entry({0x0e, 0x88, 0x01, 0x90, 17, 0x41, 0x0e, 0x90, 0x01, 0x86, 18});
  const FrameRule rule = entry.rule_at(0x1006);
  EXPECT_EQ(rule.kind, RuleKind::kFaultAt);
  EXPECT_EQ(rule.cfa_register, RuleRegister::kStackPointer);
  EXPECT_EQ(rule.cfa_offset, 144);
  EXPECT_EQ(rule.base_slot, -17);
  EXPECT_EQ(rule.fp_slot, -18);
}

TEST(FrameRule, RemembersAndRestores) {
  const OneEntry entry({0x0a, 0x41, 0x0e, 64, 0x41, 0x0b});
  EXPECT_EQ(entry.rule_at(0x1001).cfa_offset, 64);
  EXPECT_EQ(entry.rule_at(0x1002).cfa_offset, 8);
}

// Whatever stands there, nothing outside of the table is read (the address sanitizer watches) and the reader ends.
TEST(FrameRule, SurvivesDamage) {
  uint64_t seed = 7;
  const auto random = [&seed] { return seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33; };
  constexpr int kRounds = 200'000;
  int none = 0, whole = 0, outside = 0;
  for (int round = 0; round < kRounds; round++) {
    OneEntry entry({0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0f, 3, 0x76, 0x78, 0x06, 0x02, 0x3d, 0x0c, 7, 8});
    for (int i = 0; i < 3; i++) entry.bytes()[random() % entry.bytes().size()] = static_cast<uint8_t>(random());
    const FrameRule rule = read_rule(entry.table(), entry.fde(), 0x1000 + random() % 0x100);
    none += rule.kind == RuleKind::kNone;
    whole += rule.kind == RuleKind::kFrameAt || rule.kind == RuleKind::kFrameFrom;
    outside += read_rule(entry.table(), random() % (entry.bytes().size() + 4), 0x1010).kind == RuleKind::kNone;
  }
  EXPECT_GT(none, kRounds / 100) << "damage to what tells how long a record is, or what it means, is noticed";
  EXPECT_GT(whole, kRounds / 50) << "damage elsewhere leaves a rule";
  EXPECT_GT(outside, kRounds / 2) << "where no record begins there is no rule";
}

// Of a whole C library, nearly every function's first instruction has a rule, and it is that of a function's entry.
TEST(FrameRule, ReadsTheLoadedLibraries) {
  refresh_frame_tables();
  const FrameTables* all = frame_tables.load();
  ASSERT_NE(all, nullptr);
  ASSERT_GT(all->count, 2u);
  size_t functions = 0, entries = 0;
  for (size_t t = 0; t < all->count; t++) {
    const FrameTable& table = all->tables[t];
    for (size_t i = 0; i < table.index_size; i++) {
      const uintptr_t pc = table.index_base + static_cast<uintptr_t>(intptr_t{table.index[i].code});
      EXPECT_EQ(find_frame_table(*all, pc), &table);
      size_t offset = 0;
      ASSERT_TRUE(find_frame_entry(table, pc, offset));
      const FrameRule rule = read_rule(table, offset, pc);
      functions++;
      entries += rule.kind == RuleKind::kFrameAt && rule.cfa_register == RuleRegister::kStackPointer &&
                 rule.cfa_offset == 8 && rule.fp_slot == 0;
    }
  }
  EXPECT_GT(functions, 3000u);
  EXPECT_GT(entries, functions * 9 / 10);
}

}  // namespace
}  // namespace oriel::sampling
