// Which of several symbols names an address.
#include <gtest/gtest.h>

#include <string>

#include "symbols/symbol_table.h"

namespace oriel::symbols {
namespace {

class Symbols {
 public:
  Symbols& add(uint64_t start, uint64_t size, const std::string& name, uint8_t rank = 6) {
    symbols_.symbols.push_back({start, size, static_cast<uint32_t>(symbols_.names.size()), rank});
    symbols_.names.insert(symbols_.names.end(), name.begin(), name.end());
    symbols_.names.push_back('\0');
    return *this;
  }
  SymbolTable table(bool whole = true) { return SymbolTable(symbols_, whole); }

 private:
  ElfSymbols symbols_;
};

std::string name_at(SymbolTable& table, uint64_t address) {
  const auto function = table.find(address);
  return function ? function->name ? function->name : "nameless" : "";
}

TEST(Table, NamesOnlyWhatASymbolCovers) {
  SymbolTable table = Symbols().add(100, 10, "a").add(200, 10, "b").table();
  EXPECT_EQ(name_at(table, 99), "");
  EXPECT_EQ(name_at(table, 100), "a");
  EXPECT_EQ(name_at(table, 109), "a");
  EXPECT_EQ(name_at(table, 110), "");
  EXPECT_EQ(name_at(table, 205), "b");
  EXPECT_EQ(name_at(table, UINT64_MAX), "");
}

TEST(Table, PrefersGlobalAndLongNames) {
  SymbolTable table = Symbols().add(100, 10, "local", 4).add(100, 10, "global", 6).add(100, 10, "weak", 5).table();
  EXPECT_EQ(name_at(table, 105), "global");
  SymbolTable lengths = Symbols().add(100, 10, "short").add(100, 20, "long").table();
  EXPECT_EQ(name_at(lengths, 115), "long");
}

TEST(Table, NamesHaveNoVersions) {
  SymbolTable table = Symbols()
                          .add(100, 10, "pthread_cond_wait@@GLIBC_2.3.2")
                          .add(200, 10, "memcpy@GLIBC_2.2.5")
                          .add(300, 10, "_ZNSt8ios_base4InitC1Ev@@GLIBCXX_3.4")
                          .add(400, 10, "@odd")
                          .table();
  EXPECT_EQ(name_at(table, 100), "pthread_cond_wait");
  EXPECT_EQ(name_at(table, 100), "pthread_cond_wait");
  EXPECT_EQ(name_at(table, 200), "memcpy");
  EXPECT_EQ(name_at(table, 300), "std::ios_base::Init::Init()");
  EXPECT_EQ(name_at(table, 400), "@odd");
}

TEST(Table, FindsTheFunctionAroundAnother) {
  SymbolTable table = Symbols().add(100, 100, "outer").add(120, 10, "inner").table();
  EXPECT_EQ(name_at(table, 125), "inner");
  EXPECT_EQ(name_at(table, 150), "outer");
}

TEST(Table, LetsUnsizedSymbolsReachToTheNextIfItHasAll) {
  Symbols symbols;
  symbols.add(100, 0, "entry", 0).add(200, 10, "next");
  SymbolTable whole = symbols.table(true);
  EXPECT_EQ(name_at(whole, 150), "entry");
  SymbolTable some = symbols.table(false);
  EXPECT_EQ(name_at(some, 100), "entry");
  EXPECT_EQ(name_at(some, 150), "");
}

TEST(Table, HasFunctionsWithoutNamesWhereNoSymbolIs) {
  SymbolTable table = Symbols().add(100, 50, "named").add(300, 10, "last").table(false);
  table.add_nameless({50, 100, 120, 150, 200, 400});
  EXPECT_EQ(name_at(table, 49), "");
  EXPECT_EQ(name_at(table, 99), "nameless");
  EXPECT_EQ(name_at(table, 100), "named");
  EXPECT_EQ(name_at(table, 149), "named") << "a piece of it that has call-frame information of its own";
  EXPECT_EQ(table.find(199)->start, 150u);
  EXPECT_EQ(table.find(200)->start, 200u);
  EXPECT_EQ(name_at(table, 299), "nameless");
  EXPECT_EQ(name_at(table, 305), "last");
  EXPECT_EQ(name_at(table, 320), "");
  EXPECT_EQ(table.find(401)->start, 400u);
}

TEST(Table, Demangles) {
  SymbolTable table = Symbols().add(100, 10, "_ZN5oriel3runEi").add(200, 10, "_Zbroken").table();
  EXPECT_EQ(name_at(table, 100), "oriel::run(int)");
  EXPECT_EQ(name_at(table, 200), "_Zbroken");
}

}  // namespace
}  // namespace oriel::symbols
