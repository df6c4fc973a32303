// The lines and branches that tests ran, of all assemblies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/coverage.h"

namespace oriel::coverage {

class TestLines {
 public:
  // `names`: of tests that ran at the same time, joined by '\n'. `ran`: the method's lines and branches with the tests'
  // counts.
  void add(std::string_view names, uint32_t method, const Method& ran);
  // Call it after join_lines, which may have given lines to other methods. `joined` maps old methods to their index in
  // `methods`.
  std::vector<Test> finish(const std::vector<Method>& methods, const std::vector<uint32_t>& joined) const;

 private:
  using Place = std::pair<uint32_t, uint32_t>;  // file and line number
  struct Found {
    bool shared = false;
    std::vector<std::pair<uint32_t, Place>> lines;                  // by method
    std::map<std::pair<uint32_t, uint32_t>, Branch> branches = {};  // by method and branch
  };
  static void add_branches(uint32_t method, const std::vector<Branch>& branches, Found& found);
  static bool has_line(const Method& method, const Place& place);

  std::map<std::string, Found> by_name_;
};

}  // namespace oriel::coverage
