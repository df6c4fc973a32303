#include "plugins/environment.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

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

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t colon = std::min(text.find(':'), text.size());
    if (colon > 0) parts.emplace_back(text.substr(0, colon));
    text.remove_prefix(std::min(colon + 1, text.size()));
  }
  return parts;
}

std::vector<std::string> paths_beginning(const std::string& name) {
  const std::string wanted = std::string(kPrefix) + name;
  std::vector<std::string> paths;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const size_t equals = entry.find('=');
    if (!entry.starts_with(wanted) || equals == std::string_view::npos) continue;
    for (std::string& path : parts_of(entry.substr(equals + 1))) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace oriel::plugins
