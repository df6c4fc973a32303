#include "base/process/module_spec.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/process/module_check.h"
#include "base/text/path.h"
#include "base/text/words.h"

namespace oriel {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool is_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string library_name(const std::string& module) { return "liboriel-" + module + ".so"; }

// The end of the path in a description: after the first ".so" that is followed by ':' or nothing.
size_t end_of_path(const std::string& description) {
  for (size_t at = description.find(".so"); at != std::string::npos; at = description.find(".so", at + 1)) {
    if (at + 3 == description.size() || description[at + 3] == ':') return at + 3;
  }
  return std::min(description.find(':'), description.size());
}

// The arguments behind the name or path that ends there.
std::string arguments_behind(const std::string& description, size_t end) {
  return end < description.size() ? description.substr(end + 1) : "";
}

// NAME in "…/PREFIXNAME.so", empty if the name has another form.
std::string name_between(std::string_view path, std::string_view prefix) {
  constexpr std::string_view kSuffix = ".so";
  const std::string file = file_name(path);
  if (file.size() <= prefix.size() + kSuffix.size() || !file.starts_with(prefix) || !file.ends_with(kSuffix)) return "";
  return file.substr(prefix.size(), file.size() - prefix.size() - kSuffix.size());
}

constexpr std::string_view kOfMono = "libmono-profiler-";

// "libmono-profiler-NAME.so:args" for "mono:NAME:args"; other descriptions stay.
std::string by_its_file(const std::string& description) {
  constexpr std::string_view kLoader = "mono:";
  if (!description.starts_with(kLoader)) return description;
  const std::string rest = description.substr(kLoader.size());
  const size_t end = std::min(rest.find(':'), rest.size());
  if (!is_name(rest.substr(0, end))) return rest;
  return std::string(kOfMono) + rest.substr(0, end) + ".so" + rest.substr(end);
}

// Is there only if the description is of a module for Mono.
std::optional<ModuleSpec> parse_mono(const std::string& given) {
  const std::string description = by_its_file(given);
  const std::string name = mono_module(description).name;
  if (name.empty()) return std::nullopt;
  ModuleSpec spec{.name = "mono_", .entry = "mono", .path = "", .args = description};
  for (const unsigned char c : name) spec.name += std::isalnum(c) ? static_cast<char>(c) : '_';
  return spec;
}

Result<ModuleSpec> parse_path(const std::string& description) {
  const size_t end = end_of_path(description);
  ModuleSpec spec;
  spec.path = description.substr(0, end);
  spec.args = arguments_behind(description, end);
  spec.name = spec.entry = module_of_library(spec.path);
  if (!is_name(spec.name)) {
    if (const std::string said = said_of_mono(spec.path); !said.empty())
      return Status::error("cannot load module '" + spec.path + "': " + said);
    return Status::error("cannot load module '" + spec.path +
                         "': the file of a module is called liboriel-NAME.so (letters, digits and '_'); rename it");
  }
  return spec;
}

}  // namespace

std::string module_of_library(std::string_view path) { return name_between(path, "liboriel-"); }

std::string with_arguments(const std::string& name, const std::string& args) {
  return args.empty() ? name : name + ":" + args;
}

MonoModule mono_module(const std::string& description) {
  const size_t end = end_of_path(description);
  const std::string file = description.substr(0, end);
  return {name_between(file, kOfMono), file, arguments_behind(description, end)};
}

Result<ModuleSpec> parse_module(const std::string& description) {
  if (std::optional<ModuleSpec> mono = parse_mono(description)) return std::move(*mono);
  const size_t colon = std::min(description.find(':'), description.size());
  const std::string head = description.substr(0, colon);
  if (head == "mono") {
    return Status::error("cannot load module '" + description +
                         "': it loads a profiler for Mono, and must know which: write mono:NAME:args, or "
                         "/path/libmono-profiler-NAME.so:args");
  }
  if (head.find('/') != std::string::npos) return parse_path(description);
  if (!module_of_library(head).empty()) {
    return Status::error("cannot load module '" + head + "': name a file with its folder, as ./" + head +
                         ", or only the module, as " + module_of_library(head));
  }
  if (!is_name(head)) {
    if (const std::string said = said_of_mono(head); !said.empty())
      return Status::error("cannot load module '" + head + "': " + said);
    return Status::error(
        "cannot load module '" + head +
        "': a module's name is letters, digits and '_'; write NAME:args or /path/liboriel-NAME.so:args");
  }
  ModuleSpec spec;
  spec.name = spec.entry = head;
  spec.args = arguments_behind(description, colon);
  return spec;
}

std::vector<std::string> module_folders(const std::string& engine_folder, std::string_view module_path) {
  std::vector<std::string> folders{engine_folder, engine_folder + "/oriel"};
  for (std::string& folder : split(module_path, ':')) folders.push_back(std::move(folder));
  return folders;
}

Result<std::string> find_module_file(const ModuleSpec& spec, const std::vector<std::string>& folders) {
  if (!spec.path.empty()) {
    if (is_file(spec.path)) return spec.path;
    return Status::error("cannot load module '" + spec.name + "': there is no file " + spec.path + "; check the path");
  }
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + library_name(spec.entry);
    if (is_file(path)) return path;
  }
  return Status::error("cannot find module '" + spec.name + "': no " + library_name(spec.entry) + " in " +
                       join(folders, ", ") +
                       "; check the name, give the path, or name its folder in ORIEL_MODULE_PATH; a profiler for Mono "
                       "is written mono:" +
                       spec.name);
}

}  // namespace oriel
