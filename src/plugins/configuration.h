// Which plug-ins to load: the XML that installers write, and that attaching tools send.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "oriel/com.h"

namespace oriel::plugins {

using com::Guid;

using Settings = std::vector<std::pair<std::string, std::string>>;

struct PluginSpec {
  std::string name, description;
  std::string path;  // the library's path
  Guid class_id{};
  uint32_t priority = 0xffffffff;  // the lowest number comes first
  Settings settings;               // its own, then those of an attach request
};

// An attaching tool's request.
struct AttachRequest {
  struct Method {
    std::string path;  // a configuration's path
    Settings settings;
  };
  std::vector<Method> methods;
  std::string log_level, log_file_level, log_path;  // "": not given
};

// `folder` is the base of libraries' relative paths. An error contains the line and the reason.
Result<std::vector<PluginSpec>> parse_configuration(std::string_view xml, const std::string& folder);
Result<AttachRequest> parse_attach(std::string_view xml);
Result<std::vector<PluginSpec>> read_configuration(const std::string& path);

}  // namespace oriel::plugins
