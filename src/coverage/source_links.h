// URLs of an assembly's source files in their repository (SourceLink).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace oriel::coverage {

class SourceLinks {
 public:
  // JSON from a PDB: {"documents": {"/_/src/*": "https://…/*"}}. Invalid JSON means no links.
  explicit SourceLinks(const std::string& json);
  // "" if not known.
  std::string url_of(const std::string& path) const;

 private:
  std::vector<std::pair<std::string, std::string>> links_;
};

}  // namespace oriel::coverage
