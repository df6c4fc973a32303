// Which of the program's methods are tests, run for them, or before them: read from its assemblies' files.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "assembly/test_methods.h"
#include "oriel/oriel.h"
#include "test_periods.h"

namespace oriel::covering {

class TestCode {
 public:
  // Whether the image has tests. Reads it and what it refers to, once. Any thread; may throw std::bad_alloc.
  bool has_tests(oriel_image* image);

  struct Role {
    assembly::TestRole role = assembly::TestRole::kBefore;
    Test* test = nullptr;     // lives as long as this; nullptr of what runs before
    bool ends_later = false;  // of a test: its body tells when it has ended
  };
  // Remembers a method that a filter asks about, if its image has it; nullptr: it is not of tests. As has_tests.
  const Role* find(oriel_method* method);
  // Of a method that find knew. Any thread; waits for no more than another that asks the same.
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

}  // namespace oriel::covering
