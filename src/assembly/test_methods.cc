#include "assembly/test_methods.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace oriel::assembly {
namespace {

struct Known {
  std::string_view attribute;
  TestRole role;
};
constexpr Known kKnown[] = {
    {"Xunit.FactAttribute", TestRole::kTest},
    {"NUnit.Framework.TestAttribute", TestRole::kTest},
    {"NUnit.Framework.TestCaseAttribute", TestRole::kTest},
    {"NUnit.Framework.TestCaseSourceAttribute", TestRole::kTest},
    {"NUnit.Framework.TheoryAttribute", TestRole::kTest},
    {"NUnit.Framework.CombiningStrategyAttribute", TestRole::kTest},
    {"Microsoft.VisualStudio.TestTools.UnitTesting.TestMethodAttribute", TestRole::kTest},
    {"TUnit.Core.TestAttribute", TestRole::kTest},
    {"NUnit.Framework.OneTimeSetUpAttribute", TestRole::kBefore},
    {"NUnit.Framework.SetUpAttribute", TestRole::kBefore},
    {"Microsoft.VisualStudio.TestTools.UnitTesting.ClassInitializeAttribute", TestRole::kBefore},
    {"Microsoft.VisualStudio.TestTools.UnitTesting.TestInitializeAttribute", TestRole::kBefore},
};
// xunit's generic interfaces whose argument is created for the tests of one or several classes.
constexpr std::array<std::string_view, 2> kFixtures = {"Xunit.IClassFixture`1", "Xunit.ICollectionFixture`1"};

std::optional<TestRole> role_of(std::string_view attribute) {
  const auto known = std::ranges::find(kKnown, attribute, &Known::attribute);
  return known == std::end(kKnown) ? std::nullopt : std::optional(known->role);
}

class Tests {
 public:
  Tests(const Assembly& assembly, const Referred& referred) : assembly_(assembly), referred_(referred) {
    for (uint32_t row = 1; row <= assembly.type_count(); ++row)
      if (assembly.type(row).outer != 0) nested_[assembly.full_name(token_in(Table::kTypeDef, row))] = row;
  }

  std::vector<TestMethod> all() {
    for (uint32_t row = 1; row <= assembly_.method_count(); ++row)
      for (const Attribute& attribute : assembly_.attributes(token_in(Table::kMethodDef, row)))
        if (const auto role = role_of_type(attribute.type_token))
          *role == TestRole::kTest ? add_test(row) : add(row, *role);
    add_fixtures();
    std::vector<TestMethod> list;
    for (const auto& [row, method] : found_) list.push_back(method);
    return list;
  }

 private:
  void add(uint32_t row, TestRole role) { found_.try_emplace(row, TestMethod{row, role}); }

  void add_test(uint32_t row) {
    const uint32_t body = body_of(row);
    found_[row] = {row, TestRole::kTest, 0, body != 0};
    if (body != 0) found_[body] = {body, TestRole::kTestsBody, row};
    add_constructors(assembly_.method(row).type);
  }

  void add_constructors(uint32_t type) {
    const Metadata::Range methods = assembly_.type(type).methods;
    for (uint32_t row = methods.begin; row < methods.end; ++row)
      if (assembly_.method(row).name == ".ctor") add(row, TestRole::kBefore);
  }

  void add_fixtures() {
    const Metadata& metadata = assembly_.metadata();
    for (uint32_t row = 1; row <= metadata.rows(Table::kInterfaceImpl); ++row) {
      const uint32_t token = metadata.token(Table::kInterfaceImpl, row, 1);
      if (table_of(token) != Table::kTypeSpec) continue;
      if (std::ranges::find(kFixtures, assembly_.full_name(token)) == kFixtures.end()) continue;
      const auto type = metadata::decode_type_signature(assembly_.type_spec(token));
      if (type && !type->children.empty() && table_of(type->children.front().token) == Table::kTypeDef)
        add_constructors(row_of(type->children.front().token));
    }
  }

  // The row of an async method's body; 0 for other methods.
  uint32_t body_of(uint32_t row) const {
    for (const Attribute& attribute : assembly_.attributes(token_in(Table::kMethodDef, row))) {
      if (attribute.type != "System.Runtime.CompilerServices.AsyncStateMachineAttribute") continue;
      const auto machine = nested_.find(metadata::attribute_string(attribute.value));
      if (machine == nested_.end()) return 0;
      const Metadata::Range methods = assembly_.type(machine->second).methods;
      for (uint32_t method = methods.begin; method < methods.end; ++method)
        if (assembly_.method(method).name == "MoveNext") return method;
    }
    return 0;
  }

  // The role by an attribute's type, or by its base classes.
  std::optional<TestRole> role_of_type(uint32_t token) {
    const auto [known, is_new] = roles_.try_emplace(token);
    if (is_new) known->second = find_role(token);
    return known->second;
  }

  std::optional<TestRole> find_role(uint32_t token) const {
    constexpr int kMostBases = 32;
    const Assembly* where = &assembly_;
    for (int depth = 0; depth < kMostBases && token != 0; ++depth) {
      const std::string name = where->full_name(token);
      if (const auto role = role_of(name)) return role;
      if (table_of(token) == Table::kTypeSpec) token = generic_type(*where, token);
      if (table_of(token) == Table::kTypeRef) {
        where = assembly_of(*where, token);
        token = where ? type_named(*where, name) : 0;
      }
      if (where == nullptr || table_of(token) != Table::kTypeDef) return std::nullopt;
      token = where->metadata().token(Table::kTypeDef, row_of(token), 3);
    }
    return std::nullopt;
  }

  static uint32_t type_named(const Assembly& assembly, const std::string& name) {
    for (uint32_t row = 1; row <= assembly.type_count(); ++row)
      if (const uint32_t token = token_in(Table::kTypeDef, row); assembly.full_name(token) == name) return token;
    return 0;
  }

  static uint32_t generic_type(const Assembly& assembly, uint32_t token) {
    const auto type = metadata::decode_type_signature(assembly.type_spec(token));
    return type ? type->token : 0;
  }

  // The runtime's own assemblies have no test attributes.
  const Assembly* assembly_of(const Assembly& assembly, uint32_t type) const {
    const Metadata& metadata = assembly.metadata();
    const uint32_t scope = metadata.token(Table::kTypeRef, row_of(type), 0);
    if (table_of(scope) != Table::kAssemblyRef) return nullptr;
    const std::string name = metadata.string(Table::kAssemblyRef, row_of(scope), 6);
    return name == "System.Runtime" || name == "netstandard" || name == "mscorlib" ? nullptr : referred_(name);
  }

  const Assembly& assembly_;
  const Referred& referred_;
  std::map<std::string, uint32_t> nested_;             // rows of types by name
  std::map<uint32_t, std::optional<TestRole>> roles_;  // of attribute types, by token
  std::map<uint32_t, TestMethod> found_;               // by row
};

}  // namespace

bool is_of_tests(const Assembly& assembly) {
  constexpr std::array<std::string_view, 7> kFrameworks = {"xunit.core",
                                                           "xunit.v3.core",
                                                           "nunit.framework",
                                                           "Microsoft.VisualStudio.TestPlatform.TestFramework",
                                                           "MSTest.TestFramework",
                                                           "TUnit.Core",
                                                           "Microsoft.VisualStudio.QualityTools.UnitTestFramework"};
  return std::ranges::any_of(assembly.references(), [&](const std::string& name) {
    return std::ranges::find(kFrameworks, name) != kFrameworks.end();
  });
}

std::vector<TestMethod> test_methods(const Assembly& assembly, const Referred& referred) {
  return Tests(assembly, referred).all();
}

}  // namespace oriel::assembly
