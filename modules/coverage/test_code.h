// Which of the program's methods are tests, their bodies, or run before them: read from its assemblies' files.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "assembly/test_methods.h"
#include "oriel/oriel.h"
#include "test_periods.h"

namespace oriel::coverage_module {

class TestCode {
 public:
  // Whether the image has tests. Reads it and what it references, once. Any thread; may throw std::bad_alloc.
  bool has_tests(oriel_image* image);

  struct Role {
    assembly::TestRole role = assembly::TestRole::kBefore;
    Test* test = nullptr;     // lives as long as this; nullptr for code that runs before a test
    bool ends_later = false;  // for a test: its body reports its end
  };
  // Remembers a method that a filter is asked about; nullptr: it is not part of tests. Threads as for has_tests.
  const Role* find(oriel_method* method);
  // For a method that `find` returned. Any thread; waits only for other callers.
  const Role* known(const oriel_method* method);

 private:
  using Methods = std::map<uint32_t, assembly::TestMethod>;  // by row
  const Methods& methods_of(oriel_image* image);
  Test& test_at(oriel_image* image, uint32_t row);

  std::mutex reading_;  // the next two
  std::map<oriel_image*, Methods> images_;
  std::map<std::pair<oriel_image*, uint32_t>, std::unique_ptr<Test>> tests_;  // by the row of the test
  std::mutex lock_;                                                           // the next
  std::unordered_map<const oriel_method*, Role> roles_;
};

}  // namespace oriel::coverage_module
