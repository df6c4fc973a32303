// Which plug-ins there are to be: the XML that installers write, and that attaching tools send.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "oriel/com.h"

namespace oriel::plugins {

using com::Guid;

struct PluginSpec {
  std::string name, description;
  std::string path;  // of its library
  Guid class_id{};
  uint32_t priority = 0xffffffff;                             // the lowest number comes first
  std::vector<std::pair<std::string, std::string>> settings;  // of an attach
};

// `folder`: where libraries are whose paths are relative. An error names line and what is wrong there.
Result<std::vector<PluginSpec>> parse_configuration(std::string_view xml, const std::string& folder);
Result<std::vector<PluginSpec>> read_configuration(const std::string& path);

}  // namespace oriel::plugins
