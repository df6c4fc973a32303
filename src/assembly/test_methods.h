// The tests in an assembly, found like test frameworks do: by methods' attributes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assembly/assembly.h"

namespace oriel::assembly {

// Whether an assembly contains tests: it references a test framework.
bool is_of_tests(const Assembly& assembly);

enum class TestRole : uint8_t {
  kTest,       // xunit's facts and theories, tests of NUnit, MSTest and TUnit
  kTestsBody,  // the MoveNext with an async test's code
  kBefore,     // runs before a test: the constructor of a test class or of a fixture, setup methods
};
struct TestMethod {
  uint32_t row = 0;
  TestRole role = TestRole::kTest;
  uint32_t test = 0;        // for a body: the row of its test
  bool ends_later = false;  // for a test: it has such a body
};

// A referenced assembly by its simple name; nullptr if it is not available.
using Referred = std::function<const Assembly*(const std::string& name)>;

// By row. `referred` is used to resolve attributes derived from the frameworks' in other assemblies.
std::vector<TestMethod> test_methods(const Assembly& assembly, const Referred& referred);

}  // namespace oriel::assembly
