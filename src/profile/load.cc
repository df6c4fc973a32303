// Loading a log file, and telling whether there is more to come.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "log/properties.h"
#include "profile/builder.h"
#include "profile/profile.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

// When this machine started, in seconds since the Unix epoch; 0 if unknown.
int64_t boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string key; file >> key; file.ignore(1 << 16, '\n')) {
    int64_t value = 0;
    if (key == "btime" && file >> value) return value;
  }
  return 0;
}

// When a process that still runs started, in seconds since the Unix epoch; 0 if there is none, or only its zombie.
int64_t process_start(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  if (!std::getline(file, line)) return 0;
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name before it may hold anything
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return 0;
  for (int i = 4; i <= 22; ++i) fields >> field;  // proc(5): field 22 is the start time in ticks since boot
  const int64_t ticks = std::strtoll(field.c_str(), nullptr, 10);
  return boot_time() + ticks / sysconf(_SC_CLK_TCK);
}

// Whether the process of a log without an end is still there, and not a younger one that got its id.
LogState state_of_process(const Profile& profile) {
  const std::string* pid = property(profile.intro, log::property::kPid);
  const std::string* log_host = property(profile.intro, log::property::kHost);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const bool is_number = pid && !pid->empty() && pid->find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || !log_host || *log_host != host) return LogState::kUnknown;
  constexpr int64_t kSlackSeconds = 2;  // of the boot time
  const int64_t start = process_start(*pid);
  const int64_t log_start = profile.start_unix_us / 1'000'000;
  return start != 0 && start <= log_start + kSlackSeconds ? LogState::kRunning : LogState::kStopped;
}

using Progress = std::function<void(uint64_t, uint64_t)>;

// The first pass where a time range is wanted: the log's clock, which is only sure when the whole log has been read.
struct ClockReader : log::EventSink {
  void on_intro(const log::Intro& read) override { intro = read; }
  void on_clock(const ClockPair& pair) override { clock.add(pair); }
  log::Intro intro;
  ClockMap clock;
};

Status limit_calls(const std::string& path, const Filter& filter, Builder& builder, const Progress& progress) {
  ClockReader reader;
  if (const auto outcome = log::decode_file(path, reader, progress); !outcome) return outcome.status();
  reader.clock.seal(reader.intro.clock, fallback_rate(reader.intro));
  const uint64_t from = filter.from_ns > 0 ? reader.clock.counter_at(filter.from_ns) : 0;
  const uint64_t after = filter.to_ns == INT64_MAX ? UINT64_MAX : reader.clock.counter_at(filter.to_ns + 1);
  builder.limit_calls(from, after == UINT64_MAX || after == 0 ? after : after - 1);
  return Status::ok();
}

Result<Profile> load_with(Builder& builder, const std::string& path, const Progress& progress) {
  std::error_code unknown;
  if (const uint64_t size = std::filesystem::file_size(path, unknown); !unknown) builder.expect(size);
  const Result<log::DecodeOutcome> outcome = log::decode_file(path, builder, progress);
  if (!outcome) return outcome.status();
  Profile profile = builder.finish(*outcome);
  profile.file = path;
  if (!outcome->ended) profile.state = state_of_process(profile);
  return profile;
}

}  // namespace

Result<Profile> load(const std::string& path, const Progress& progress) {
  Builder builder;
  return load_with(builder, path, progress);
}

Result<Profile> load(const std::string& path, const Filter& filter, const Progress& progress) {
  Builder builder;
  if (filter.has_time()) {
    if (Status status = limit_calls(path, filter, builder, progress); !status) return status;
  }
  Result<Profile> profile = load_with(builder, path, progress);
  if (!profile) return profile;
  if (Status status = check_matches(filter, *profile); !status) return status;
  apply(filter, *profile);
  return profile;
}

}  // namespace oriel::profile
