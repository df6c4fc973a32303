#include "diagnostics/process.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>

#include "base/files/descriptor.h"
#include "base/text/path.h"
#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::diagnostics {
namespace {

std::string proc_path(pid_t pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

std::string link_target(const std::string& path) {
  char target[4096];
  const ssize_t size = readlink(path.c_str(), target, sizeof target);
  return {target, size > 0 ? static_cast<size_t>(size) : 0};
}

// Texts that end with a NUL each; the last NUL may be missing.
std::vector<std::string> texts_of(std::string_view bytes) {
  std::vector<std::string> texts;
  while (!bytes.empty()) texts.emplace_back(cut(bytes, '\0'));
  return texts;
}

std::string root_of(pid_t pid) {
  const bool same = link_target(proc_path(pid, "ns/mnt")) == link_target("/proc/self/ns/mnt") &&
                    link_target(proc_path(pid, "root")) == link_target("/proc/self/root");
  return same ? "" : proc_path(pid, "root");
}

}  // namespace

std::vector<pid_t> process_ids() {
  std::vector<pid_t> ids;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return ids;
  while (const dirent* entry = readdir(folder))
    if (const auto id = whole_number(entry->d_name)) ids.push_back(static_cast<pid_t>(*id));
  closedir(folder);
  std::ranges::sort(ids);
  return ids;
}

std::optional<Process> read_process(pid_t pid) {
  Process process;
  process.pid = process.own_pid = pid;
  process.command = texts_of(system_text(proc_path(pid, "cmdline")));
  if (process.command.empty()) return std::nullopt;
  internal::parse_status(system_text(proc_path(pid, "status")), process);
  internal::parse_stat(system_text(proc_path(pid, "stat")), process);
  if (process.start_ticks == 0 || process.state == 'Z' || process.state == 'X') return std::nullopt;
  return process;
}

void read_inside(Process& process) {
  process.files = internal::mapped_files(system_text(proc_path(process.pid, "maps")));
  process.readable = !process.files.empty();
  if (!process.readable) return;
  process.environment = texts_of(system_text(proc_path(process.pid, "environ")));
  process.root = root_of(process.pid);
}

std::optional<std::string_view> variable(const Process& process, std::string_view name) {
  for (const std::string& entry : process.environment)
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return std::string_view(entry).substr(name.size() + 1);
  return std::nullopt;
}

std::string_view mapped_file(const Process& process, std::string_view name) {
  const auto found = std::ranges::find(process.files, name, [](std::string_view path) { return file_name(path); });
  return found == process.files.end() ? std::string_view() : *found;
}

std::string seen_path(const Process& process, std::string_view path) {
  if (path.starts_with('/')) return process.root + std::string(path);
  return proc_path(process.pid, "cwd/") + std::string(path);
}

namespace internal {

void parse_status(std::string_view text, Process& to) {
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    const std::string_view name = cut(line, ':');
    const std::vector<std::string> values = split(line, '\t');
    if (name == "Uid" && values.size() > 1) to.user = static_cast<uid_t>(whole_number(values[1]).value_or(0));
    if (name == "NSpid" && !values.empty()) to.own_pid = static_cast<pid_t>(whole_number(values.back()).value_or(0));
  }
}

void parse_stat(std::string_view text, Process& to) {
  // The name before it may have brackets and blanks of its own.
  const size_t name_end = text.rfind(") ");
  if (name_end == std::string_view::npos) return;
  const std::vector<std::string> fields = split(text.substr(name_end + 2), ' ');
  constexpr size_t kState = 0, kStart = 19;  // fields 3 and 22 of proc(5)
  if (fields.size() <= kStart) return;
  to.state = fields[kState][0];
  to.start_ticks = whole_number(fields[kStart]).value_or(0);
}

std::vector<std::string> mapped_files(std::string_view maps) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::vector<std::string> files;
  while (!maps.empty()) {
    std::string_view line = cut(maps, '\n');
    const size_t path = line.find('/');
    if (path == std::string_view::npos) continue;
    line.remove_prefix(path);
    if (line.ends_with(kDeleted)) line.remove_suffix(kDeleted.size());
    if (files.empty() || files.back() != line) files.emplace_back(line);
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace internal
}  // namespace oriel::diagnostics
