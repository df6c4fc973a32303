#include "run/log_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files/file_template.h"
#include "base/text/whole_number.h"
#include "log/place.h"
#include "log/stream.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

Status check_folder(const std::string& folder) {
  struct stat status;
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return Status::error(
        fmt::format("the log's folder '{}' does not exist; create it, or name another file with -o", folder));
  }
  // Checks by trying: permissions say little for root, and on read-only and special file systems.
  const std::string probe = fmt::format("{}/.oriel-{}", folder, getpid());
  const int fd = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno != EEXIST) {
    return Status::error(
        fmt::format("the log cannot be written to '{}': {}; name another file with -o", folder, std::strerror(errno)));
  }
  if (fd >= 0) {
    close(fd);
    unlink(probe.c_str());
  }
  return Status::ok();
}

// "Shop-42.oriel" of "Shop-42-2.oriel"; "" of a name without a number.
std::string without_number(const fs::path& name) {
  const std::string stem = name.stem().string();
  const size_t dash = stem.rfind('-');
  if (dash == std::string::npos || !whole_number(stem.substr(dash + 1))) return "";
  return stem.substr(0, dash) + name.extension().string();
}

bool matches(const LogTemplate& pattern, const fs::path& name) {
  if (matches_template(pattern.name, name.string())) return true;
  const std::string first = without_number(name);
  return !first.empty() && matches_template(pattern.name, first);
}

}  // namespace

std::string LogTemplate::argument() const { return template_of(folder) + "/" + name; }

Result<LogTemplate> log_template(const std::string& output, bool children, const std::string& several) {
  std::error_code error;
  const fs::path path = fs::absolute(output.empty() ? "%n-%p.oriel" : output, error);
  if (error) return Status::error("the working directory is gone; change to another, or name a full path with -o");
  LogTemplate result{path.parent_path().lexically_normal().string(), path.filename().string()};
  if (result.name.empty()) return Status::error(fmt::format("-o '{}' names a folder; name a file in it", output));
  if (path.string().find(';') != std::string::npos) {
    return Status::error(
        fmt::format("the log's path '{}' has a ';', which cannot be passed on; name another with -o", path.string()));
  }
  const Result<std::string> place = log::log_place(path.string());
  if (!place) return place.status();
  if (*place != path.string()) {
    const fs::path end = *place;
    result = {end.parent_path().string(), template_of(end.filename().string())};
  }
  const bool streams = log::is_stream(result.folder + "/" + result.name);  // its reader may come later
  if (Status status = streams ? Status::ok() : check_place(result); !status) return status;
  if (children && expand_template(result.name, "n", 1) == expand_template(result.name, "n", 2)) {
    const std::string name = fs::path(result.name).stem().string();
    if (several.empty())
      return Status::error(
          fmt::format("with --children each process needs a log of its own; put %p, the process id, into the name: -o "
                      "{}-%p.oriel",
                      name));
    return Status::error(
        fmt::format("{} runs in several processes, and each needs a log of its own; put %p, the process id, into the "
                    "name: -o {}-%p.oriel (or profile the first alone: --no-children)",
                    several, name));
  }
  return result;
}

Status check_place(const LogTemplate& pattern) {
  const std::string path = pattern.folder + "/" + expand_template(pattern.name, "", 0);
  if (Status status = log::may_hold_log(path); !status) return status;
  return check_folder(pattern.folder);
}

LogTemplate expand(const LogTemplate& pattern, const std::string& program, pid_t pid) {
  return LogTemplate{pattern.folder, template_of(expand_template(pattern.name, program, pid))};
}

LogFiles find_logs(const LogTemplate& pattern) {
  LogFiles found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(pattern.folder, error)) {
    struct stat status;
    if (!matches(pattern, entry.path().filename())) continue;
    if (stat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    found[entry.path().string()] = {status.st_ino, status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec,
                                    static_cast<uint64_t>(status.st_size)};
  }
  return found;
}

std::vector<std::pair<std::string, uint64_t>> changed(const LogFiles& before, const LogFiles& after) {
  std::vector<std::pair<std::string, uint64_t>> result;
  for (const auto& [path, state] : after) {
    const auto old = before.find(path);
    if (state.size == 0 || (old != before.end() && old->second == state)) continue;
    result.emplace_back(short_path(path), state.size);
  }
  return result;
}

std::string short_path(const std::string& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string near = error ? path : fs::path(path).lexically_relative(here).string();
  return near.empty() || near.starts_with("..") ? path : near;
}

std::string human_size(uint64_t bytes) {
  const double size = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} KB", size / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", size / 1e6);
  return fmt::format("{:.1f} GB", size / 1e9);
}

}  // namespace oriel::cli
