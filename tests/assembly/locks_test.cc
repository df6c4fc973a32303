// Locks by their names in code, of the program tests/targets/waits.
#include "assembly/locks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "paths.h"

namespace oriel::assembly {
namespace {

const std::string kWaits = std::string(test_paths::targets) + "/waits/waits.dll";

std::vector<uint8_t> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Locks : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kWaits)) GTEST_SKIP() << "no dotnet";
    Result<Assembly> code = Assembly::open(kWaits);
    ASSERT_TRUE(code) << code.message();
    code_ = std::move(*code);
  }

  // The last row, as what the compiler made of a method is behind it.
  uint32_t row(const std::string& name) const {
    uint32_t found = 0;
    for (uint32_t row = 1; row <= code_->method_count(); ++row)
      if (method_of(*code_, method_token(row)).text() == name) found = row;
    EXPECT_NE(found, 0u) << name;
    return found;
  }

  ValueName taken(const std::string& method, uint32_t il = 0, LockKind kind = LockKind::kMonitor) const {
    return acquired_lock(*code_, {row("Waits." + method), il}, kind);
  }

  std::string made_in(const FieldOrigin& origin) const {
    return method_of(*code_, method_token(origin.place.method)).text();
  }

  std::optional<Assembly> code_;
};

TEST_F(Locks, AreCalledAsTheCodeThatTakesThemCallsThem) {
  EXPECT_EQ(taken("Till.Pay").name, "Waits.Till.Drawer");
  EXPECT_EQ(taken("Vault.Enter").name, "Waits.Vault.Door") << "a System.Threading.Lock";
  EXPECT_EQ(taken("Counter<T>.ByField").name, "Waits.Counter<T>.gate") << "of a generic class";
  EXPECT_EQ(taken("Counter<T>.ByProperty").name, "Waits.Counter<T>.gate");
  EXPECT_EQ(taken("Counter<T>.ByThis").name, "this");
  EXPECT_EQ(taken("Counter<T>.ByType").name, "typeof(Waits.Coins)");
  EXPECT_EQ(taken("Counter<T>.ByArgument").name, "door");
  EXPECT_EQ(taken("Counter<T>.ByCapture.lambda#0").name, "door");
  EXPECT_EQ(taken("Counter<T>.ByAsync").name, "Waits.Counter<T>.gate");
  EXPECT_EQ(taken("Counter<T>.ByCallee").name, "Waits.Counter<T>.gate") << "where the callee is inlined";
  EXPECT_EQ(taken("Counter<T>.BySemaphore", 0, LockKind::kSemaphore).name, "Waits.Counter<T>.turn");
}

TEST_F(Locks, OfAMethodThatTakesSeveralAreToldByThePlace) {
  EXPECT_EQ(taken("Counter<T>.ByTwo").name, "Waits.Counter<T>.gate");
  const std::optional<il::Body> body = decoded_body(*code_, row("Waits.Counter<T>.ByTwo"));
  ASSERT_TRUE(body);
  uint32_t second = 0;
  for (const il::Instruction* one = body->first(); !one->is_end(); one = one->next())
    if (one->opcode() == il::Opcode::Call && method_of(*code_, one->token()).name == "Enter")
      second = one->original_offset();
  EXPECT_EQ(taken("Counter<T>.ByTwo", second).name, "this");
  EXPECT_EQ(taken("Counter<T>.ByTwo", second + 1).name, "this") << "what waits may be told behind its call";
}

TEST_F(Locks, AreToldFromCodeThatTakesNone) {
  EXPECT_EQ(taken("Naps.Take").name, "");
  EXPECT_EQ(taken("Till.Pay", 0, LockKind::kSemaphore).name, "");
  EXPECT_EQ(acquired_lock(*code_, {0, 0}, LockKind::kMonitor).name, "");
  EXPECT_EQ(acquired_lock(*code_, {code_->method_count() + 1, 0}, LockKind::kMonitor).name, "");
}

TEST_F(Locks, AreHeldFromWhereTheyAreTakenToWhereTheyAreGivenBack) {
  for (const char* const method : {"Waits.Till.Pay", "Waits.Counter<T>.ByField"}) {
    const std::vector<HeldCode> held = held_code(*code_, row(method));
    ASSERT_EQ(held.size(), 1u) << method;
    EXPECT_LT(held[0].from_il, held[0].to_il);
    EXPECT_EQ(held[0].name, acquired_lock(*code_, {row(method), 0}, LockKind::kMonitor).name);
  }
  ASSERT_EQ(held_code(*code_, row("Waits.Vault.Enter")).size(), 1u) << "a System.Threading.Lock";
  EXPECT_TRUE(held_code(*code_, row("Waits.Naps.Take")).empty());
  EXPECT_TRUE(held_code(*code_, 0).empty());
}

TEST_F(Locks, AreMadeWhereTheirFieldIsFilled) {
  const std::map<uint32_t, FieldOrigin> origins = field_origins(*code_);
  const FieldOrigin& drawer = origins.at(taken("Till.Pay").field);
  EXPECT_EQ(made_in(drawer), "Waits.Till..cctor");
  EXPECT_TRUE(drawer.is_made);
  EXPECT_EQ(drawer.more, 0u);
  EXPECT_EQ(made_in(origins.at(taken("Counter<T>.ByField").field)), "Waits.Counter<T>..ctor") << "of a generic class";
  EXPECT_EQ(origins.at(taken("Counter<T>.BySemaphore", 0, LockKind::kSemaphore).field).count, 1);
  const FieldOrigin& given = origins.at(taken("Counter<T>.BySetter").field);
  EXPECT_FALSE(given.is_made);
  EXPECT_EQ(given.more, 1u);
}

// Whatever a file has in it, reading it ends, and what it names is text.
TEST_F(Locks, OfDamagedImagesAreNoHarm) {
  const std::vector<uint8_t> whole = bytes_of(kWaits);
  uint32_t random = 1;
  const auto next = [&] { return random = random * 1664525 + 1013904223; };
  size_t refused = 0, locks = 0, origins = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<uint8_t> bytes = whole;
    for (int i = 0; i < 8; ++i) bytes[(next() >> 8) % bytes.size()] = static_cast<uint8_t>(next() >> 24);
    if (round % 3 == 0) bytes.resize((next() >> 8) % bytes.size());
    const Result<Assembly> code = Assembly::parse(std::move(bytes));
    if (!code) {
      EXPECT_FALSE(code.message().empty());
      ++refused;
      continue;
    }
    const uint32_t methods = std::min(code->method_count(), 300u);
    for (uint32_t method = 1; method <= methods; ++method)
      locks += !acquired_lock(*code, {method, 0}, LockKind::kMonitor).name.empty();
    if (methods == code->method_count()) origins += field_origins(*code).size();
  }
  EXPECT_GT(refused, 50u) << "most of those that are cut off";
  EXPECT_LT(refused, 200u);
  EXPECT_GT(locks, 100u) << "what is not damaged is told";
  EXPECT_GT(origins, 100u);
}

}  // namespace
}  // namespace oriel::assembly
