#include "modules/process_info.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/files/descriptor.h"
#include "base/files/file_template.h"
#include "base/files/input_file.h"
#include "base/redact/redact.h"
#include "base/text/shell_word.h"
#include "base/text/whole_number.h"
#include "log/properties.h"
#include "modules/control_group.h"
#include "modules/runtime_settings.h"
#include "oriel/oriel.h"

namespace oriel::modules {
namespace {

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

// The executable, if it contains the runtime (a self-contained single-file program); else "". Only such a host has this
// symbol, which debuggers use to find a runtime.
std::string program_with_runtime() {
  const void* mark = dlsym(RTLD_DEFAULT, "DotNetRuntimeInfo");
  Dl_info marked{}, program{};
  const auto entry = static_cast<uintptr_t>(getauxval(AT_ENTRY));
  if (!mark || !dladdr(mark, &marked) || !dladdr(reinterpret_cast<const void*>(entry), &program)) return "";
  if (marked.dli_fbase != program.dli_fbase) return "";
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : "";
}

// "0.50"
std::string number_text(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, 2).ptr;
  return {text, end};
}

uint64_t microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000u + static_cast<uint64_t>(time.tv_usec);
}

// Empty if it cannot be read.
std::vector<std::string> command_line() {
  const std::string text = system_text("/proc/self/cmdline");  // words, each ended by a NUL
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// For the program of a command line: "Shop.runtimeconfig.json" for `dotnet Shop.dll` and for ./Shop. "" if it cannot be
// read.
std::string runtimeconfig(const std::vector<std::string>& command) {
  std::string program = dotnet_subject(command);
  if (program.empty() && !command.empty()) program = command[0];
  if (program.ends_with(".dll")) program.resize(program.size() - 4);
  constexpr uint64_t kMostBytes = 1u << 20;
  const Result<std::string> text = read_input_text(program + ".runtimeconfig.json", kMostBytes);
  return program.empty() || !text ? "" : *text;
}

// Fields of /proc/PID/stat by their numbers in proc(5), from 3 on; "" if unknown.
std::string stat_field(const std::string& pid, int number) {
  const std::string stat = system_text("/proc/" + pid + "/stat");
  size_t at = stat.rfind(')');  // the name before it may contain anything
  for (int field = 2; field < number && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return "";
  return stat.substr(at + 1, stat.find_first_of(" \n", at + 1) - at - 1);
}

// A process's parent; "" if unknown.
std::string parent_of(const std::string& pid) { return stat_field(pid, 4); }

// For how long this process has run, in milliseconds; "" if unknown.
std::string age() {
  const auto start = whole_number(stat_field("self", 22));
  timespec now{};
  if (!start || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return "";
  const int64_t began = static_cast<int64_t>(*start) * 1000 / sysconf(_SC_CLK_TCK);
  return std::to_string(std::max<int64_t>(now.tv_sec * 1000 + now.tv_nsec / 1'000'000 - began, 0));
}

// The ids of the processes between this one and `first`, and `first`, nearest first. "" for `first` itself, and for a
// process that does not descend from it, or no longer does: orphans get another parent.
std::string parents_up_to(const std::string& first) {
  constexpr int kMost = 32;
  std::string pid = std::to_string(getpid());
  std::string parents;
  for (int i = 0; i < kMost && pid != first; ++i) {
    pid = parent_of(pid);
    if (pid.empty() || pid == "0" || pid == "1") return "";
    parents += (parents.empty() ? "" : " ") + pid;
  }
  return pid == first ? parents : "";
}

// For a thread of this process; 0 if it has ended.
uint64_t cpu_nanoseconds(pid_t thread) {
  timespec used{};
  if (clock_gettime(cpu_clock_of(static_cast<uint32_t>(thread)), &used) != 0) return 0;
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(used.tv_nsec);
}

std::vector<oriel_guest> guests() {
  std::vector<oriel_guest> all(oriel_guests(nullptr, 0));
  all.resize(std::min(all.size(), oriel_guests(all.data(), all.size())));
  return all;
}

// "ICorProfilerCallback11 0x24 0x8"
std::string beginning_of(const oriel_guest& guest) {
  if (!guest.running) return "left out";
  char text[64];
  std::snprintf(text, sizeof text, "ICorProfilerCallback%u 0x%x 0x%x", guest.interface_version, guest.mask_low,
                guest.mask_high);
  return text;
}

void add_guests(log::Intro& intro) {
  std::string names, beginnings;
  for (const oriel_guest& guest : guests()) {
    const char* const comma = names.empty() ? "" : ", ";
    names += comma + std::string(guest.name);
    beginnings += comma + beginning_of(guest);
  }
  if (names.empty()) return;
  intro.properties.emplace_back(log::property::kGuests, std::move(names));
  intro.properties.emplace_back(log::property::kGuestsBegan, std::move(beginnings));
}

// Of the main thread, whose set the others inherit; 0: not known, as there are more than a set holds.
int usable_processors() {
  cpu_set_t set;
  return sched_getaffinity(getpid(), sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

// What `oriel run` tells in the environment, as when the process's first log began: the engine takes it out then.
struct OfRun {
  bool follows_children = false;
  std::string run, parents;
};

const OfRun& of_run() {
  static const auto* const of_run = [] {
    const char *const children = std::getenv("ORIEL_CHILDREN"), *const run = std::getenv("ORIEL_RUN"),
                      *const first = std::getenv("ORIEL_PID");
    return new OfRun{children && std::string_view(children) == "1", run ? run : "", first ? parents_up_to(first) : ""};
  }();
  return *of_run;
}

}  // namespace

std::string expand_for_process(std::string_view text) {
  return expand_template(text, program_name(command_line()), getpid());
}

log::Intro new_intro() {
  char cwd[PATH_MAX] = "";
  if (!getcwd(cwd, sizeof cwd)) cwd[0] = '\0';
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const log::ProcessUsage used = process_usage();
  const std::vector<std::string> command = command_line();
  log::Intro intro;
  intro.runtime = oriel_runtime_name();
  intro.clock = clock_pair();
  intro.properties = {{log::property::kCommand, shell_words(redacts() ? redact_command(command) : command)},
                      {log::property::kPid, std::to_string(getpid())},
                      {log::property::kCwd, cwd},
                      {log::property::kHost, host},
                      {log::property::kCores, std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
                      {log::property::kCpuBefore, std::to_string(used.user_us + used.system_us)},
                      {log::property::kOriel, oriel_version()},
                      {log::property::kCounter, clock_counter_name()}};
  if (const int usable = usable_processors(); usable > 0)
    intro.properties.emplace_back(log::property::kCoresUsable, std::to_string(usable));
  if (std::string had_run = age(); !had_run.empty())
    intro.properties.emplace_back(log::property::kAge, std::move(had_run));
  if (const double limit = CpuGroup().limit(); limit > 0)
    intro.properties.emplace_back(log::property::kCpuLimit, number_text(limit));
  if (const uint64_t limit = memory_limit())
    intro.properties.emplace_back(log::property::kMemoryLimit, std::to_string(limit));
  if (std::string program = program_with_runtime(); !program.empty())
    intro.properties.emplace_back(log::property::kRuntimeIn, std::move(program));
  if (std::string settings = runtime_settings(runtimeconfig(command)); !settings.empty())
    intro.properties.emplace_back(log::property::kRuntimeSettings, std::move(settings));
  add_guests(intro);
  if (of_run().follows_children) intro.properties.emplace_back(log::property::kChildren, "followed");
  if (!of_run().run.empty()) intro.properties.emplace_back(log::property::kRun, of_run().run);
  if (!of_run().parents.empty()) intro.properties.emplace_back(log::property::kParents, of_run().parents);
  return intro;
}

std::vector<log::Counter> instrumentation_counters() {
  uint64_t counts[ORIEL_INSTRUMENTATION_OUTCOMES] = {};
  oriel_instrumentation_counts(counts);
  std::vector<log::Counter> counters;
  for (uint32_t i = 0; i < ORIEL_INSTRUMENTATION_OUTCOMES; ++i) {
    if (counts[i] == 0) continue;
    counters.push_back(
        {std::string(log::counter::kInstrumentation) + oriel_instrumentation_outcome_name(i), counts[i]});
  }
  return counters;
}

std::vector<log::Counter> guest_counters() {
  std::vector<log::Counter> counters;
  for (const oriel_guest& guest : guests()) {
    counters.push_back({std::string(log::counter::kGuestMethods) + guest.name, guest.methods});
    counters.push_back({std::string(log::counter::kGuestNs) + guest.name, guest.ns});
    if (!guest.running) counters.push_back({std::string(log::counter::kGuestOut) + guest.name, 1});
  }
  return counters;
}

log::ProcessUsage process_usage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  log::ProcessUsage result;
  result.clock = clock_pair();
  result.user_us = microseconds(usage.ru_utime);
  result.system_us = microseconds(usage.ru_stime);
  result.max_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
  return result;
}

log::Counter children_cpu() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return {log::counter::kChildrenCpu, microseconds(usage.ru_utime) + microseconds(usage.ru_stime)};
}

// Most of Oriel's threads start with the program. Looking through all threads of a program with thousands takes long.
void OwnCpu::find_threads() {
  const int folder = open_with_high_number("/proc/self/task", O_RDONLY | O_DIRECTORY);
  std::unique_ptr<DIR, int (*)(DIR*)> tasks(folder < 0 ? nullptr : fdopendir(folder), closedir);
  if (!tasks) {
    if (folder >= 0) close(folder);
    return;
  }
  while (const dirent* entry = readdir(tasks.get())) {
    const std::string name = system_text(std::string("/proc/self/task/") + entry->d_name + "/comm");
    if (name.starts_with("oriel-")) nanoseconds_.try_emplace(std::atoi(entry->d_name), 0);
  }
}

log::Counter OwnCpu::count() {
  constexpr unsigned kSearches = 4, kLater = 64;
  if (asked_++ < kSearches || asked_ % kLater == 0) find_threads();
  uint64_t all = 0;
  for (auto& [thread, nanoseconds] : nanoseconds_) {
    // A reused id belongs to another thread, which has used less.
    nanoseconds = std::max(nanoseconds, cpu_nanoseconds(thread));
    all += nanoseconds;
  }
  return {log::counter::kOwnCpu, all / 1000};
}

}  // namespace oriel::modules
