// Which clause of a method's table the runtime reports.
#include "runtimes/coreclr/callbacks/exception_clauses.h"

#include <gtest/gtest.h>

#include "runtimes/coreclr/instrument/rewrite.h"

namespace oriel::coreclr {
namespace {

using il::ClauseKind;
using Offset = std::optional<uint32_t>;

std::string clause_of(const std::vector<ClausePlace>& places, oriel_clause_kind kind, bool wrapped, Offset offset) {
  const auto found = find_clause(places, kind, wrapped, [&] { return offset; });
  if (!found) return "of probes";
  static constexpr const char* kKinds[] = {"catch", "filter", "finally", "fault"};
  return std::string(kKinds[found->kind]) + " " +
         (found->index == ORIEL_NO_CLAUSE_INDEX ? "?" : std::to_string(found->index));
}

const ClausePlace kCatch{ClauseKind::kCatch, 0, 10, 20}, kFilter{ClauseKind::kFilter, 20, 30, 40},
    kInner{ClauseKind::kFinally, 0, 55, 58}, kFinally{ClauseKind::kFinally, 0, 50, 60},
    kFault{ClauseKind::kFault, 0, 70, il::kNoOffset};

TEST(ExceptionClauses, TheOnlyOneOfItsKindNeedsNoOffset) {
  EXPECT_EQ(clause_of({kCatch, kFinally}, ORIEL_CLAUSE_CATCH, false, std::nullopt), "catch 0");
  EXPECT_EQ(clause_of({kCatch, kFinally}, ORIEL_CLAUSE_FINALLY, false, std::nullopt), "finally 1");
  EXPECT_EQ(clause_of({kCatch, kFault}, ORIEL_CLAUSE_FINALLY, false, std::nullopt), "fault 1");
  EXPECT_EQ(clause_of({kFilter}, ORIEL_CLAUSE_FILTER, false, std::nullopt), "filter 0");
  EXPECT_EQ(clause_of({kFilter}, ORIEL_CLAUSE_CATCH, false, std::nullopt), "catch 0");
}

TEST(ExceptionClauses, OfSeveralTheOffsetTells) {
  const std::vector<ClausePlace> all = {kCatch, kFilter, kInner, kFinally, kFault};
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_CATCH, false, 10), "catch 0");
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_CATCH, false, 31), "catch 1") << "the first instruction has no code of its own";
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_FINALLY, false, 56), "finally 2") << "the inner one";
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_FINALLY, false, 50), "finally 3");
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_FINALLY, false, 71), "fault 4");
  EXPECT_EQ(clause_of(all, ORIEL_CLAUSE_FINALLY, false, std::nullopt), "finally ?");
  EXPECT_EQ(clause_of({}, ORIEL_CLAUSE_FINALLY, false, 50), "finally ?");
}

TEST(ExceptionClauses, OneOfProbesIsNoneOfTheMethods) {
  EXPECT_EQ(clause_of({kCatch}, ORIEL_CLAUSE_FINALLY, true, std::nullopt), "of probes");
  EXPECT_EQ(clause_of({kCatch}, ORIEL_CLAUSE_CATCH, true, std::nullopt), "catch 0");
  EXPECT_EQ(clause_of({kFault}, ORIEL_CLAUSE_FINALLY, true, kClauseOfProbes), "of probes");
  EXPECT_EQ(clause_of({kFault}, ORIEL_CLAUSE_FINALLY, true, 70), "fault 0");
}

TEST(ExceptionClauses, AreReadOffTheBody) {
  // A fat header; try { nop; leave } finally { endfinally }; ret; and a small table with one clause.
  const std::vector<uint8_t> body = {0x0b, 0x30, 8,    0,  5, 0, 0, 0, 0,    0, 0, 0, 0x00, 0xde, 0x01, 0xdc, 0x2a, 0,
                                     0,    0,    0x01, 16, 0, 0, 2, 0, 0x00, 0, 3, 3, 0,    1,    0,    0,    0,    0};
  const std::vector<ClausePlace> places = clause_places(body);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].kind, ClauseKind::kFinally);
  EXPECT_EQ(places[0].handler, 3u);
  EXPECT_EQ(places[0].end, 4u);
}

}  // namespace
}  // namespace oriel::coreclr
