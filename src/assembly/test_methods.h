// The tests of an assembly, as frameworks for tests find them: by the attributes of methods.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assembly/assembly.h"

namespace oriel::assembly {

// Whether an assembly is made of tests: it refers to a framework for them.
bool is_of_tests(const Assembly& assembly);

enum class TestRole : uint8_t {
  kTest,       // xunit's facts and theories, tests of NUnit, MSTest and TUnit
  kTestsBody,  // the MoveNext that an async test's code is in
  kBefore,     // runs before a test, for it: the constructor of a class of tests or of a fixture, what sets tests up
};
struct TestMethod {
  uint32_t row = 0;
  TestRole role = TestRole::kTest;
  uint32_t test = 0;        // of a body: the row of its test
  bool ends_later = false;  // of a test: it has such a body
};

// An assembly that another refers to, by its simple name; nullptr where it is not to be had.
using Referred = std::function<const Assembly*(const std::string& name)>;

// By row. `referred` tells what attributes that people derived from the frameworks' are, if those are in other
// assemblies.
std::vector<TestMethod> test_methods(const Assembly& assembly, const Referred& referred);

}  // namespace oriel::assembly
