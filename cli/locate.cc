#include "locate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <filesystem>
#include <system_error>

#include "oriel/oriel.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEngineFile = "liboriel.so." ORIEL_SOVERSION;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_identifier(const std::string& name) {
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return !name.empty();
}

// "NAME" of ".../liboriel-NAME.so", "" of any other file name.
std::string name_in_file(const std::string& file) {
  const std::string base = fs::path(file).filename().string();
  constexpr std::string_view prefix = "liboriel-";
  constexpr std::string_view suffix = ".so";
  if (base.size() <= prefix.size() + suffix.size() || !base.starts_with(prefix) || !base.ends_with(suffix)) return "";
  return base.substr(prefix.size(), base.size() - prefix.size() - suffix.size());
}

// Ends the file part of a description: after ".so" if it is a path (which may contain colons), else at the first ':',
// behind which there may be slashes too.
size_t end_of_file_part(const std::string& text) {
  const size_t colon = std::min(text.find(':'), text.size());
  if (text.find('/') >= colon) return colon;
  const size_t end = text.find(".so:");
  return end == std::string::npos ? text.size() : end + 3;
}

Result<ModuleRequest> module_at_path(const std::string& path, const std::string& rest) {
  const std::string name = name_in_file(path);
  if (!is_identifier(name)) {
    return Status::error(fmt::format("module '{}': its file must be called liboriel-NAME.so", path));
  }
  std::error_code error;
  const std::string absolute = fs::absolute(path, error).lexically_normal().string();
  if (error || !is_file(absolute)) return Status::error(fmt::format("module '{}': there is no such file", path));
  return ModuleRequest{absolute + rest, name, absolute};
}

}  // namespace

Result<std::string> find_engine_from(const std::string& bin_folder) {
  std::vector<std::string> tried;
  for (const char* relative : {"../lib", "../" ORIEL_LIBDIR}) {
    const fs::path file = (fs::path(bin_folder) / relative / kEngineFile).lexically_normal();
    if (is_file(file)) return file.string();
    if (tried.empty() || tried.back() != file.string()) tried.push_back(file.string());
  }
  return Status::error(fmt::format("the engine is missing: no {}; install Oriel again", fmt::join(tried, ", no ")));
}

Result<std::string> find_engine() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return Status::error("/proc/self/exe cannot be read, so the engine cannot be found; is /proc mounted?");
  return find_engine_from(self.parent_path().string());
}

Result<ModuleRequest> find_module(const std::string& text, const std::string& engine, const std::string& module_path) {
  if (text.find(';') != std::string::npos) {
    return Status::error(fmt::format("module '{}': a ';' cannot be passed to a module; leave it out", text));
  }
  const size_t end = end_of_file_part(text);
  const std::string file = text.substr(0, end);
  if (file.find('/') != std::string::npos) return module_at_path(file, text.substr(end));
  if (!is_identifier(file)) {
    return Status::error(
        fmt::format("module '{}': '{}' is no module's name; use NAME[:ARGS] or the path of a "
                    "liboriel-NAME.so",
                    text, file));
  }
  std::vector<std::string> folders = {fs::path(engine).parent_path().string()};
  for (size_t start = 0; start < module_path.size();) {
    const size_t stop = std::min(module_path.find(':', start), module_path.size());
    if (stop != start) folders.push_back(module_path.substr(start, stop - start));
    start = stop + 1;
  }
  for (const std::string& folder : folders) {
    const std::string path = fmt::format("{}/liboriel-{}.so", folder, file);
    if (is_file(path)) return ModuleRequest{text, file, path};
  }
  return Status::error(fmt::format("module '{0}': no liboriel-{0}.so in {1}; name its folder in ORIEL_MODULE_PATH",
                                   file, fmt::join(folders, ", ")));
}

}  // namespace oriel::cli
