// Source lines beside methods in tables.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "lines/lines.h"
#include "profile/profile.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "report/report.h"

namespace oriel::report {

struct ShownLine {
  std::string text;  // "Cart.cs:42"
  std::string path;
  uint32_t line = 0;
};

// By own function: the line with most of its samples; only functions with known lines.
std::map<uint32_t, ShownLine> hottest_own_lines(const profile::Profile& profile);
// Empty if the options do not ask for lines.
std::map<uint32_t, ShownLine> hottest_own_lines(const profile::Profile& profile, const Options& options);

// Source lines of own nodes of a call tree: where most of the node's samples are, or its calls.
class NodeLines {
 public:
  // Keeps a reference to the profile.
  NodeLines(const profile::Profile& profile, const Options& options);
  // nullopt if not known.
  std::optional<ShownLine> of(const profile::CallNode& node);

 private:
  const profile::Profile& profile_;
  bool wanted_;
  lines::Lines lines_;
};

// By site (profile::allocation_sites) and type: the line of the site that allocates most bytes of the type. Only for
// logged stacks.
std::map<std::pair<uint32_t, uint32_t>, ShownLine> hottest_allocation_lines(const profile::Profile& profile,
                                                                            profile::AttributeTo maker);

// The text of the key's line; "" if there is none.
template <typename Key>
std::string text_of(const std::map<Key, ShownLine>& lines, const Key& key) {
  const auto found = lines.find(key);
  return found == lines.end() ? "" : found->second.text;
}

// Adds "file" and "line" if the key has a line.
template <typename Key>
void add_line(const std::map<Key, ShownLine>& lines, const Key& key, Json& json) {
  const auto found = lines.find(key);
  if (found == lines.end()) return;
  json["file"] = found->second.path;
  json["line"] = found->second.line;
}

}  // namespace oriel::report
