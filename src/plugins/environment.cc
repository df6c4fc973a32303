#include "plugins/environment.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace oriel::plugins {
namespace {

constexpr std::string_view kPrefix = "MicrosoftInstrumentationEngine_";

}  // namespace

std::string environment(const std::string& name) {
  const char* value = std::getenv((std::string(kPrefix) + name).c_str());
  return value == nullptr ? "" : value;
}

std::string environment_of_class(const std::string& name, const std::string& class_id) {
  const std::string wanted = std::string(kPrefix) + name + class_id + "=";
  for (char** at = environ; *at != nullptr; ++at)
    if (strncasecmp(*at, wanted.c_str(), wanted.size()) == 0) return *at + wanted.size();
  return "";
}

std::vector<std::string> paths_beginning(const std::string& name) {
  const std::string wanted = std::string(kPrefix) + name;
  std::vector<std::string> paths;
  for (char** at = environ; *at != nullptr; ++at) {
    std::string_view entry = *at;
    const size_t equals = entry.find('=');
    if (!entry.starts_with(wanted) || equals == std::string_view::npos) continue;
    for (entry.remove_prefix(equals + 1); !entry.empty();) {
      const size_t colon = std::min(entry.find(':'), entry.size());
      if (colon > 0) paths.emplace_back(entry.substr(0, colon));
      entry.remove_prefix(std::min(colon + 1, entry.size()));
    }
  }
  return paths;
}

}  // namespace oriel::plugins
