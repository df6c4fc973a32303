// Lines of source beside methods in tables.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

struct ShownLine {
  std::string text;  // "Cart.cs:42"
  std::string path;
  uint32_t line = 0;
};

// By own function, where the most of it is; without those whose lines are not known.
std::map<uint32_t, ShownLine> hottest_own_lines(const profile::Profile& profile);

// By site and type: where in the site the most bytes of that type are allocated, where stacks were logged.
std::map<std::pair<uint32_t, uint32_t>, ShownLine> hottest_allocation_lines(const profile::Profile& profile);

// The text of the key's line; "" if there is none.
template <typename Key>
std::string text_of(const std::map<Key, ShownLine>& lines, const Key& key) {
  const auto found = lines.find(key);
  return found == lines.end() ? "" : found->second.text;
}

// Adds "file" and "line", if there is one.
template <typename Key>
void add_line(const std::map<Key, ShownLine>& lines, const Key& key, Json& json) {
  const auto found = lines.find(key);
  if (found == lines.end()) return;
  json["file"] = found->second.path;
  json["line"] = found->second.line;
}

}  // namespace oriel::report
