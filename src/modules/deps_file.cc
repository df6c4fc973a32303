#include "modules/deps_file.h"

#include <nlohmann/json.hpp>

#include "base/text/path.h"

namespace oriel::modules {
namespace {

using nlohmann::json;

// "Newtonsoft.Json/13.0.3". No package has a longer name; each of its files gets a copy.
std::string name_with_version(const std::string& library) {
  constexpr size_t kLongest = 512;
  std::string text = library.substr(0, kLongest);
  if (const size_t slash = text.find('/'); slash != std::string::npos) text[slash] = ' ';
  return text;
}

// "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/10.0.0": people know the framework's name.
std::string framework_of(const std::string& library) {
  std::string text = name_with_version(library);
  constexpr std::string_view kBefore = "runtimepack.";
  if (text.starts_with(kBefore)) text.erase(0, kBefore.size());
  const size_t end = text.find(".Runtime."), version = text.find(' ');
  if (end != std::string::npos && version != std::string::npos && end < version) text.erase(end, version - end);
  return text;
}

Origin origin_of_library(const std::string& library, const std::string& type) {
  if (type == "package") return {log::Origin::kPackage, name_with_version(library)};
  if (type == "runtimepack") return {log::Origin::kFramework, framework_of(library)};
  return {log::Origin::kProject, name_with_version(library.substr(0, library.find('/')))};
}

const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

// A property of a library: "type", "path".
std::string text_of(const json& libraries, const std::string& library, const char* name) {
  const json* entry = member(libraries, library.c_str());
  const json* text = entry ? member(*entry, name) : nullptr;
  return text && text->is_string() ? text->get<std::string>() : "";
}

// "lib/net10.0/Shop.dll": as it is called where the program stands.

// Returns whether there are any.
bool add_files(const json& parts, const Origin& origin, std::map<std::string, Origin>& origins) {
  bool any = false;
  for (const char* part : {"runtime", "runtimeTargets"}) {
    const json* files = member(parts, part);
    if (!files || !files->is_object()) continue;
    for (const auto& [path, about] : files->items()) origins.emplace(file_name(path), origin);
    any = any || !files->empty();
  }
  return any;
}

}  // namespace

Deps read_deps(std::string_view text) {
  Deps origins;
  const json deps = json::parse(text, nullptr, /* throws if it is no JSON */ false);
  const json* targets = member(deps, "targets");
  const json* libraries = member(deps, "libraries");
  if (!targets || !targets->is_object() || !libraries) return origins;
  for (const auto& target : *targets) {
    if (!target.is_object()) continue;
    for (const auto& [library, parts] : target.items()) {
      const std::string type = text_of(*libraries, library, "type");
      if (type == "reference") {
        std::map<std::string, Origin> files;
        add_files(parts, {}, files);
        for (const auto& [file, origin] : files) origins.references.emplace(file, name_with_version(library));
        continue;
      }
      const Origin origin = origin_of_library(library, type);
      if (add_files(parts, origin, origins.files) || origin.kind != log::Origin::kPackage) continue;
      const std::string path = text_of(*libraries, library, "path");
      if (!path.empty() && path[0] != '/' && path.find("..") == std::string::npos)
        origins.without_files.emplace(path, origin);
    }
  }
  return origins;
}

}  // namespace oriel::modules
