// What code pins, and where it writes one element over and over, of the programs tests/targets/stalls and waits.
#include <gtest/gtest.h>

#include <filesystem>

#include "assembly/boxing.h"
#include "assembly/pins.h"
#include "assembly/shared_elements.h"
#include "paths.h"

namespace oriel::assembly {
namespace {

std::optional<Assembly> code_of(const std::string& name) {
  Result<Assembly> code = Assembly::open(std::string(test_paths::targets) + "/" + name + "/" + name + ".dll");
  if (!code) return std::nullopt;
  return std::move(*code);
}

std::vector<std::string> pinning(const Assembly& code) {
  std::vector<std::string> names;
  for (const CodePlace at : pins(code)) names.push_back(method_of(code, method_token(at.method)).text());
  return names;
}

std::vector<std::string> writing(const Assembly& code) {
  std::vector<std::string> names;
  for (uint32_t method = 1; method <= code.method_count(); ++method)
    if (const auto write = element_written_in_loop(code, method))
      names.push_back(method_of(code, method_token(method)).text() + ": " + write->array);
  return names;
}

TEST(Code, IsNamedWherePinsOrWritesAnElementInALoop) {
  const std::optional<Assembly> code = code_of("stalls");
  if (!code) GTEST_SKIP() << "no dotnet";
  EXPECT_EQ(pinning(*code), std::vector<std::string>{"Stalls.Buffers.Send"});
  EXPECT_EQ(writing(*code), std::vector<std::string>{"Stalls.Tally.Count: Stalls.Tally.Counts"});
}

// Of the statements that box, those that make larger arrays.
TEST(Code, OfStatementsThatBoxTellsTheArrays) {
  const std::optional<Assembly> steady = code_of("steady"), answers = code_of("answers");
  if (!steady || !answers) GTEST_SKIP() << "no dotnet";
  const auto statements_of = [](const Assembly& code, const std::string& name) {
    for (uint32_t method = 1; method <= code.method_count(); ++method)
      if (method_of(code, method_token(method)).text() == name) return boxing_statements(code, method);
    return std::vector<BoxingStatement>();
  };
  const std::vector<BoxingStatement> sums = statements_of(*answers, "Scores.Sum");
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].box_bytes, 24u);
  EXPECT_EQ(sums[0].array_bytes, 0u);
  EXPECT_LT(sums[0].begin, sums[0].end);
  const std::vector<BoxingStatement> notes = statements_of(*steady, "Notes.Visit");
  ASSERT_EQ(notes.size(), 1u) << "the other makes an array of texts";
  EXPECT_EQ(notes[0].box_bytes, 24u);
  EXPECT_EQ(notes[0].array_bytes, 24u + 8 * 6);
}

// Loops over an array write each element once.
TEST(Code, IsNotNamedWhereItDoesNeither) {
  for (const char* name : {"waits", "answers", "costs"}) {
    const std::optional<Assembly> code = code_of(name);
    if (!code) GTEST_SKIP() << "no dotnet";
    EXPECT_EQ(pinning(*code), std::vector<std::string>()) << name;
    EXPECT_EQ(writing(*code), std::vector<std::string>()) << name;
  }
}

}  // namespace
}  // namespace oriel::assembly
