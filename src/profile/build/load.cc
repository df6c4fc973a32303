// Loads a log file and tells whether its process still writes it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "heap/gcdump.h"
#include "imports/imports.h"
#include "log/counters_file.h"
#include "log/index_file.h"
#include "log/properties.h"
#include "log/range_decoder.h"
#include "profile/build/builder.h"
#include "profile/build/clock_reader.h"
#include "profile/build/process.h"
#include "profile/load_bytes.h"
#include "profile/load_each.h"
#include "profile/merge.h"
#include "profile/profile.h"
#include "profile/recorded.h"
#include "profile/told_log.h"

namespace oriel::profile {
namespace {

// This machine's boot time, in seconds since the Unix epoch; 0 if unknown.
int64_t boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string key; file >> key; file.ignore(1 << 16, '\n')) {
    int64_t value = 0;
    if (key == "btime" && file >> value) return value;
  }
  return 0;
}

// A running process's start, in seconds since the Unix epoch; 0 if there is none, or only a zombie.
int64_t process_start(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return 0;
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name before it may contain anything
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return 0;
  for (int i = 4; i <= 22; ++i) fields >> field;  // proc(5): field 22 is the start time in ticks since boot
  const int64_t ticks = std::strtoll(field.c_str(), nullptr, 10);
  return boot_time() + ticks / sysconf(_SC_CLK_TCK);
}

// Whether the process of an unfinished log still runs, and is not a later one with the same id.
LogState state_of_process(const Profile& profile) {
  const std::string* pid = property(profile.intro, log::property::kPid);
  const std::string* log_host = property(profile.intro, log::property::kHost);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const bool is_number = pid && !pid->empty() && pid->find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || !log_host || *log_host != host) return LogState::kUnknown;
  constexpr int64_t kSlackSeconds = 2;  // the boot time's inaccuracy
  const int64_t start = process_start(*pid);
  const int64_t log_start = profile.start_unix_us / 1'000'000;
  return start != 0 && start <= log_start + kSlackSeconds ? LogState::kRunning : LogState::kStopped;
}

using Progress = std::function<void(uint64_t, uint64_t)>;

// Both times are since the log's start.
log::CounterRange counters_of(int64_t from_ns, int64_t to_ns, const ClockMap& clock) {
  if (to_ns < 0) return {1, 0};
  const uint64_t from = from_ns > 0 ? clock.counter_at(from_ns) : 0;
  const uint64_t after = to_ns == INT64_MAX ? UINT64_MAX : clock.counter_at(to_ns + 1);
  return {from, after == UINT64_MAX || after == 0 ? after : after - 1};
}

// Both times are since the log's start. Of samples a little more is read, and the filter keeps exactly what it wants.
void limit_to(int64_t from_ns, int64_t to_ns, const ClockMap& clock, Builder& builder) {
  constexpr int64_t kMoreNs = 1'000'000;
  const log::CounterRange calls = counters_of(from_ns, to_ns, clock);
  builder.limit_calls(calls.from, calls.to);
  const int64_t to_more = to_ns > INT64_MAX - kMoreNs ? INT64_MAX : to_ns + kMoreNs;
  builder.limit_samples(counters_of(from_ns - kMoreNs, to_more, clock));
}

// Whose names, which are known, are none that the filter can mean: it chooses among the others once all is read.
std::unordered_set<uint64_t> other_threads(const std::string& wanted,
                                           const std::unordered_map<uint64_t, log::ThreadName>& threads) {
  std::unordered_set<uint64_t> others;
  for (const auto& [id, named] : threads) {
    Thread thread;
    thread.os_id = named.os_id;
    thread.name = named.name;
    if (!thread.name.empty() && !matching_threads(wanted, {thread})[0]) others.insert(id);
  }
  return others;
}

// Limits what is kept of each log to the filter's time, which counts from the start of the earliest log, and to its
// threads; sets the logs' indexes.
Status limit_part(const std::vector<std::string>& paths, const Filter& filter, std::vector<Builder>& builders,
                  std::vector<log::SampleIndex>& indexes, const Progress& progress) {
  std::vector<ClockReader> readers;
  int64_t earliest = INT64_MAX;
  for (const std::string& path : paths) {
    const Result<std::string> log = imports::log_of(path, progress);
    if (!log) return log.status();
    Result<log::SampleIndex> index = log::index_of_log(*log, progress);
    if (!index) return index.status();
    Result<ClockReader> reader = read_clock(*log, *index, progress);
    if (!reader) return reader.status();
    indexes.push_back(std::move(*index));
    earliest = std::min(earliest, static_cast<int64_t>(reader->intro.clock.unix_us));
    readers.push_back(std::move(*reader));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    const int64_t offset = offset_between(earliest, static_cast<int64_t>(readers[i].intro.clock.unix_us));
    const int64_t to = filter.to_ns == INT64_MAX ? INT64_MAX : filter.to_ns - offset;
    if (filter.has_time()) limit_to(filter.from_ns - offset, to, readers[i].clock, builders[i]);
    if (!filter.thread.empty()) builders[i].leave_out_threads(other_threads(filter.thread, readers[i].threads));
  }
  return Status::ok();
}

Process process_of_log(const Profile& profile) {
  Process process = process_of(profile.intro);
  process.file = profile.file;
  process.state = profile.state;
  process.wall_ns = profile.wall_ns;
  process.periods = profile.total_periods();
  if (const std::optional<CpuTime> cpu = cpu_time(profile)) process.cpu_us = cpu->program_us() - cpu->before_us;
  return process;
}

uint64_t size_of(const std::string& path) {
  std::error_code unknown;
  const uint64_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

Result<Profile> read_once(Builder& builder, const std::string& path, const log::SampleIndex& index,
                          const Progress& progress) {
  builder.expect(size_of(path) + size_of(log::counters_file_of(path)));
  // Read this first: the file is removed once the log has its contents.
  Result<std::vector<log::Coverage>> counters = log::read_counters_beside(path);
  const Result<std::string> log = imports::log_of(path, progress);
  if (!log) return log.status();
  const Result<log::DecodeOutcome> outcome = heap::is_gcdump(path)
                                                 ? heap::tell_gcdump(path, builder)
                                                 : log::decode_range(*log, index, builder.part(), builder, progress);
  if (!outcome) return outcome.status();
  if (counters)
    builder.add_counters(std::move(*counters));
  else
    builder.on_problem(0, log::counters_file_of(path) + " is left out: " + counters.message());
  Profile profile = builder.finish(*outcome);
  profile.file = path;
  if (!outcome->ended) profile.state = state_of_process(profile);
  profile.processes = {process_of_log(profile)};
  return profile;
}

// A program may write its log's end and exit after the log was read, but before its process is looked up. Once the
// process is gone, the log is final, so it is read again.
Result<Profile> load_with(Builder& builder, const std::string& path, const log::SampleIndex& index,
                          const Progress& progress) {
  Builder fresh = builder;
  const uint64_t size = size_of(path);
  Result<Profile> profile = read_once(builder, path, index, progress);
  if (!profile || profile->state != LogState::kStopped || size_of(path) == size) return profile;
  return read_once(fresh, path, index, progress);
}

// Which file a path names now. Zeros if there is none.
struct FileNumber {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileNumber&) const = default;
};
FileNumber number_of(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return {};
  return {file.st_dev, file.st_ino};
}

// When the first mark with this text was made.
Result<int64_t> time_of_mark(const std::string& text, const Profile& profile) {
  const auto found = std::ranges::find(profile.marks, text, &Mark::text);
  if (found != profile.marks.end()) return found->ns;
  return Status::error("no mark has the text \"" + text + "\"; oriel report rows marks FILE lists those of the log");
}

// Profiles of logs before a filter is applied, and the filter with times for marks.
struct Parts {
  std::vector<Profile> profiles;
  Filter filter;
};

Result<Parts> read_parts(const std::vector<std::string>& paths, const Filter& wanted, const Progress& progress);

// The filter with times instead of marks, which are known only after the logs were read; for that nobody needs samples.
Result<Filter> with_times(const std::vector<std::string>& paths, Filter filter, const Progress& progress) {
  Filter no_time;
  no_time.to_ns = -1;
  Result<Parts> parts = read_parts(paths, no_time, progress);
  if (!parts) return parts.status();
  if (Status status = check_alike(parts->profiles); !status) return status;
  const Profile whole = merge(std::move(parts->profiles));
  const std::pair<const std::string*, int64_t*> marks[] = {{&filter.from_mark, &filter.from_ns},
                                                           {&filter.to_mark, &filter.to_ns}};
  for (const auto& [text, ns] : marks) {
    if (text->empty()) continue;
    const Result<int64_t> time = time_of_mark(*text, whole);
    if (!time) return time.status();
    *ns = *time;
  }
  if (filter.from_ns > filter.to_ns) return Status::error("--from is after --to: no time is left; swap them");
  return filter;
}

// Calls can be limited to a time only while they are read. Threads can be chosen afterwards too, which takes less than
// an index of a short log.
bool reads_part(const std::vector<std::string>& paths, const Filter& filter) {
  const auto is_long = [](const std::string& path) { return size_of(path) >= log::IndexHow().worth; };
  return filter.has_time() || (!filter.thread.empty() && std::ranges::any_of(paths, is_long));
}

Result<Parts> read_parts(const std::vector<std::string>& paths, const Filter& wanted, const Progress& progress) {
  const bool has_marks = !wanted.from_mark.empty() || !wanted.to_mark.empty();
  const Result<Filter> timed = has_marks ? with_times(paths, wanted, progress) : wanted;
  if (!timed) return timed.status();
  Parts parts{{}, *timed};
  std::vector<FileNumber> numbers;
  for (const std::string& path : paths) numbers.push_back(number_of(path));
  std::vector<Builder> builders(paths.size());
  std::vector<log::SampleIndex> indexes;
  const bool is_part = reads_part(paths, parts.filter);
  if (is_part) {
    if (Status status = limit_part(paths, parts.filter, builders, indexes, progress); !status) return status;
  }
  indexes.resize(paths.size());
  if (parts.filter.physical)
    for (Builder& builder : builders) builder.keep_physical_stacks();
  for (size_t i = 0; i < paths.size(); ++i) {
    Result<Profile> part = load_with(builders[i], paths[i], indexes[i], progress);
    if (!part) return part.status();
    // A part is read several times: of one log the clock would be, and of the other the samples.
    const FileNumber now = number_of(paths[i]);
    if (is_part && now != numbers[i] && now != FileNumber{})
      return Status::error("another log took the place of " + paths[i] + " while it was read; try again");
    parts.profiles.push_back(std::move(*part));
  }
  return parts;
}

}  // namespace

Result<Profile> load(const std::string& path, const Progress& progress) {
  Builder builder;
  return load_with(builder, path, {}, progress);
}

Result<Profile> load_bytes(std::span<const uint8_t> log, const std::string& name) {
  Builder builder;
  builder.expect(log.size());
  const Result<log::DecodeOutcome> outcome = log::decode_bytes(log.data(), log.size(), builder);
  if (!outcome) return outcome.status();
  Profile profile = profile_of(builder, *outcome, name);
  profile.state = profile.processes[0].state = LogState::kRunning;
  return profile;
}

Profile profile_of(Builder& builder, const log::DecodeOutcome& outcome, const std::string& name) {
  Profile profile = builder.finish(outcome);
  profile.file = name;
  if (!outcome.ended) profile.state = LogState::kUnknown;
  profile.processes = {process_of_log(profile)};
  return profile;
}

Result<Profile> load(const std::string& path, const Filter& filter, const Progress& progress) {
  return load(std::vector<std::string>{path}, filter, progress);
}

Result<Profile> load(const std::vector<std::string>& paths, const Filter& wanted, const Progress& progress) {
  Result<Parts> parts = read_parts(paths, wanted, progress);
  if (!parts) return parts.status();
  if (Status status = check_alike(parts->profiles); !status) return status;
  Profile profile = merge(std::move(parts->profiles));
  if (Status status = check_matches(parts->filter, profile); !status) return status;
  apply(parts->filter, profile);
  return profile;
}

Result<std::vector<Profile>> load_each(const std::vector<std::string>& paths, const Filter& wanted,
                                       const Progress& progress) {
  Result<Parts> parts = read_parts(paths, wanted, progress);
  if (!parts) return parts.status();
  int64_t earliest = INT64_MAX;
  for (const Profile& part : parts->profiles) earliest = std::min(earliest, part.start_unix_us);
  Status any = Status::error("there is no log");
  for (Profile& part : parts->profiles) {
    const int64_t offset = offset_between(earliest, part.start_unix_us);
    Filter filter = parts->filter;
    filter.from_ns -= filter.from_ns > 0 ? offset : 0;
    filter.to_ns -= filter.to_ns == INT64_MAX ? 0 : offset;
    const Status matches = check_matches(filter, part);
    if (!any) any = matches;
    apply(filter, part);
  }
  if (!any) return any;
  return std::move(parts->profiles);
}

}  // namespace oriel::profile
