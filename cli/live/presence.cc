#include "live/presence.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files/descriptor.h"
#include "base/process/module_spec.h"
#include "base/text/path.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

void add_once(std::vector<std::string>& to, std::string text) {
  if (!text.empty() && std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
}

// proc(5): the flags of open(2), octal.
bool is_open_for_writing(const fs::path& fdinfo) {
  constexpr std::string_view kFlags = "flags:";
  const std::string text = system_text(fdinfo);
  const size_t at = text.find(kFlags);
  return at != std::string::npos &&
         (std::strtoul(text.c_str() + at + kFlags.size(), nullptr, 8) & (O_WRONLY | O_RDWR)) != 0;
}

std::vector<std::string> open_files(const fs::path& thread) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(thread / "fd", error)) {
    if (!is_open_for_writing(thread / "fdinfo" / entry.path().filename())) continue;
    const std::string path = fs::read_symlink(entry.path(), error).string();
    if (path.starts_with('/') && !path.starts_with("/dev/")) add_once(files, path);
  }
  return files;
}

fs::path tasks_of(pid_t pid) { return "/proc/" + std::to_string(pid) + "/task"; }

std::vector<fs::path> threads_of_oriel(pid_t pid) {
  std::vector<fs::path> threads;
  std::error_code error;
  for (const fs::directory_entry& thread : fs::directory_iterator(tasks_of(pid), error))
    if (system_text(thread.path() / "comm").starts_with("oriel-")) threads.push_back(thread.path());
  return threads;
}

// A log's tail (log/tail_file.h) is a part of it.
bool is_tail(const std::string& path, const std::vector<std::string>& others) {
  constexpr std::string_view kTail = ".tail";
  return path.ends_with(kTail) && std::ranges::find(others, path.substr(0, path.size() - kTail.size())) != others.end();
}

// Oriel's threads have tables of descriptors of their own (base/files/own_files.h), and what they write in these. Where
// the system refuses them such tables, their files are told by the extension.
std::vector<std::string> files_of_oriel(pid_t pid) {
  const std::vector<std::string> of_program = open_files(tasks_of(pid) / std::to_string(pid));
  std::vector<std::string> files;
  for (const fs::path& thread : threads_of_oriel(pid)) {
    const std::vector<std::string> open = open_files(thread);
    for (const std::string& path : open) {
      const bool is_oriels = path.ends_with(".oriel") || std::ranges::find(of_program, path) == of_program.end();
      if (is_oriels && !is_tail(path, open)) add_once(files, path);
    }
  }
  return files;
}

}  // namespace

Presence presence_in(const diagnostics::Process& process) {
  Presence presence;
  const bool is_loaded = std::ranges::any_of(
      process.files, [](std::string_view path) { return file_name(path).starts_with(kEngineLibrary); });
  const std::vector<fs::path> threads = threads_of_oriel(process.pid);
  presence.inside = is_loaded && !threads.empty();
  if (!presence.inside) return presence;
  presence.off = std::ranges::all_of(
      threads, [](const fs::path& thread) { return system_text(thread / "comm") == "oriel-control\n"; });
  for (const std::string& path : process.files) add_once(presence.modules, module_of_library(path));
  presence.files = files_of_oriel(process.pid);
  return presence;
}

}  // namespace oriel::cli
