// Where a repository has the files that an assembly was made of (SourceLink).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace oriel::coverage {

class SourceLinks {
 public:
  // JSON as PDBs have it: {"documents": {"/_/src/*": "https://…/*"}}. What is no such means no links.
  explicit SourceLinks(const std::string& json);
  // "" if it is not known.
  std::string url_of(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, std::string>> links_;
};

}  // namespace oriel::coverage
