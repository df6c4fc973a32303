#include "coverage/source_links.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace oriel::coverage {

// Larger than any build writes, and longer than any real URL; a malicious PDB could map all files to one long URL.
constexpr size_t kMostJson = 64 * 1024, kLongestUrl = 2048;

SourceLinks::SourceLinks(const std::string& json) {
  if (json.size() > kMostJson) return;
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("documents") || !parsed["documents"].is_object()) return;
  for (const auto& [path, url] : parsed["documents"].items())
    if (url.is_string() && url.get_ref<const std::string&>().size() <= kLongestUrl)
      links_.emplace_back(path, url.get<std::string>());
  // The longest match wins.
  std::ranges::stable_sort(links_, std::greater<>(), [](const auto& link) { return link.first.size(); });
}

std::string SourceLinks::url_of(const std::string& path) const {
  for (const auto& [from, to] : links_) {
    if (from == path) return to;
    if (!from.ends_with('*') || !path.starts_with(from.substr(0, from.size() - 1))) continue;
    const size_t star = to.find('*');
    if (star == std::string::npos) continue;
    std::string rest = path.substr(from.size() - 1);
    std::ranges::replace(rest, '\\', '/');
    return to.substr(0, star) + rest + to.substr(star + 1);
  }
  return {};
}

}  // namespace oriel::coverage
