#include "locate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <system_error>

#include "base/process/module_spec.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEngineFile = "liboriel.so." ORIEL_SOVERSION;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
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
  Result<ModuleSpec> spec = parse_module(text);
  if (!spec) return spec.status();
  std::error_code error;
  if (spec->is_of_mono()) {
    MonoModule module = mono_module(spec->args);
    if (module.file.find('/') != std::string::npos)
      module.file = fs::absolute(module.file, error).lexically_normal().string();
    spec->args = with_arguments(module.file, module.args);
  }
  if (!spec->path.empty()) spec->path = fs::absolute(spec->path, error).lexically_normal().string();
  if (error) return Status::error("the working directory is gone; change to another, or give the module's full path");
  const Result<std::string> file =
      find_module_file(*spec, module_folders(fs::path(engine).parent_path().string(), module_path));
  if (!file) return file.status();
  const std::string description =
      spec->is_of_mono() ? spec->args : with_arguments(spec->path.empty() ? spec->name : spec->path, spec->args);
  return ModuleRequest{description, spec->name, spec->entry, spec->args, *file};
}

}  // namespace oriel::cli
