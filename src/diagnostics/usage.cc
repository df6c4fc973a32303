#include "diagnostics/usage.h"

#include <dirent.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/files/descriptor.h"
#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::diagnostics {
namespace {

// By the names that the runtime gives its threads, of which the kernel keeps 15 letters.
uint32_t count_pool_workers(const std::string& folder) {
  constexpr std::string_view kWorker = ".NET TP Worker";
  DIR* const tasks = opendir(folder.c_str());
  if (tasks == nullptr) return 0;
  uint32_t count = 0;
  while (const dirent* entry = readdir(tasks))
    if (entry->d_name[0] != '.' && system_text(folder + "/" + entry->d_name + "/comm").starts_with(kWorker)) ++count;
  closedir(tasks);
  return count;
}

}  // namespace

std::optional<Usage> read_usage(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::optional<Usage> usage = internal::parse_usage(system_text(folder + "/stat"), system_text(folder + "/statm"));
  if (usage) usage->pool_workers = count_pool_workers(folder + "/task");
  return usage;
}

namespace internal {

std::optional<Usage> parse_usage(std::string_view stat, std::string_view statm) {
  // The name before it may have brackets and blanks of its own.
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> fields = split(stat.substr(name_end + 2), ' ');
  const std::vector<std::string> pages = split(statm, ' ');
  constexpr size_t kUser = 11, kSystem = 12, kThreads = 17;  // fields 14, 15 and 20 of proc(5)
  if (fields.size() <= kThreads || fields[0] == "Z" || fields[0] == "X") return std::nullopt;
  const auto number = [&](size_t field) { return static_cast<int64_t>(whole_number(fields[field]).value_or(0)); };
  Usage usage;
  usage.cpu_ns = (number(kUser) + number(kSystem)) * (1'000'000'000 / sysconf(_SC_CLK_TCK));
  usage.threads = static_cast<uint32_t>(number(kThreads));
  if (pages.size() > 1)
    usage.resident = whole_number(pages[1]).value_or(0) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return usage;
}

}  // namespace internal
}  // namespace oriel::diagnostics
