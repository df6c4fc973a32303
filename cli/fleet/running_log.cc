#include "fleet/running_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/files/file_template.h"
#include "base/text/path.h"
#include "live/control_client.h"
#include "live/control_words.h"
#include "live/shared_folder.h"
#include "log/properties.h"
#include "profile/build/clock_reader.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;
using control::Words;

constexpr const char* kModule = "log";
constexpr std::string_view kFolderName = "oriel-push-";
constexpr std::string_view kLogName = "push";

// One connection for each question: the engine closes those that are idle.
Result<std::vector<Words>> ask(const diagnostics::Process& process, const Words& request) {
  Result<ControlClient> client = ControlClient::connect(process);
  if (!client) return client.status();
  Result<control::Answer> answer = client->ask(request);
  if (!answer) return answer.status();
  if (!answer->status) return answer->status;
  return std::move(answer->lines);
}

// The file that the log module writes, as lines of an answer have it; "" if it does not run.
std::string file_in(const std::vector<Words>& lines) {
  for (const Words& line : lines)
    if (line.size() > 4 && line[0] == "module" && line[1] == kModule && line[2] == "running") return line[4];
  return "";
}

bool has_ended(const diagnostics::Process& process) {
  const std::optional<diagnostics::Process> now = diagnostics::read_process(process.pid);
  return !now || now->start_ticks != process.start_ticks;
}

// Whether the log has ended, after the process did not do as it was asked. A program that ends is waited for a while:
// it writes the end of its log.
bool is_at_its_end(const diagnostics::Process& process) {
  constexpr int kMostTries = 500;
  if (const Result<std::vector<Words>> lines = ask(process, {"status"})) return file_in(*lines).empty();
  for (int i = 0; i < kMostTries && !has_ended(process); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return has_ended(process);
}

// As the program's user, where root pushes: the folder is theirs from the beginning, and so is what is above it.
std::string make_folder(const std::string& pattern, uid_t user) {
  std::string folder = pattern;
  const uid_t own = geteuid();
  if (user != own && seteuid(user) != 0) return "";
  const bool is_made = mkdtemp(folder.data()) != nullptr;
  const int error = errno;
  if (user != own && seteuid(own) != 0) return "";
  errno = error;
  return is_made ? folder : "";
}

}  // namespace

RunningLog::RunningLog(RunningLog&& other) noexcept
    : process_(std::move(other.process_)),
      is_own_(std::exchange(other.is_own_, false)),
      folder_(std::move(other.folder_)),
      entered_(std::exchange(other.entered_, -1)),
      file_(std::move(other.file_)),
      after_(other.after_),
      done_(std::move(other.done_)),
      is_over_(std::exchange(other.is_over_, true)) {}

// Only what is in the folder that was entered, and only logs: its owner may have put others in its place.
RunningLog::~RunningLog() {
  if (is_own_) {
    if (!is_over_) static_cast<void>(ask(process_, {"stop", kModule}));
    remove_files(entered_, kLogName);
    rmdir(diagnostics::seen_path(process_, folder_).c_str());
  }
  if (entered_ >= 0) close(entered_);
}

bool RunningLog::program_has_ended() const { return has_ended(process_); }

Result<RunningLog> RunningLog::open(diagnostics::Process process, const std::vector<std::string>& features) {
  RunningLog log(std::move(process));
  if (Status status = log.begin(features); !status) return status;
  return log;
}

// Paths into another mount namespace end with the process.
std::string RunningLog::seen(const std::string& file) const {
  return (process_.root.empty() ? folder_ : path_of_open(entered_)) + "/" + file_name(file);
}

std::string RunningLog::written() {
  const Result<std::vector<Words>> lines = ask(process_, {"status"});
  const std::string current = lines ? file_in(*lines) : "";
  const std::string folder = fs::path(current).parent_path().string();
  if (current.empty() || (folder != folder_ && !enter(folder))) return "";
  if (is_own_ && current != file_) unlinkat(entered_, file_name(file_).c_str(), 0);
  file_ = current;
  return seen(current);
}

Status RunningLog::begin(const std::vector<std::string>& features) {
  const Result<std::vector<Words>> lines = ask(process_, {"status"});
  if (!lines) return lines.status();
  file_ = file_in(*lines);
  if (file_.empty()) return start_own(features);
  const std::string folder = fs::path(file_).parent_path().string();
  // A log of ours is one that an earlier push started and could not stop.
  return file_name(folder).starts_with(kFolderName) ? take_own(folder) : enter(folder);
}

Status RunningLog::enter(const std::string& folder, int flags) {
  if (entered_ >= 0) close(entered_);
  folder_ = folder;
  entered_ = ::open(diagnostics::seen_path(process_, folder).c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC | flags);
  if (entered_ >= 0) return Status::ok();
  return Status::error(fmt::format("process {}: the folder of its log, {}, cannot be opened: {}", process_.pid, folder,
                                   std::strerror(errno)));
}

// What is in it will be removed, so it must be the program's user's.
Status RunningLog::take_own(const std::string& folder) {
  if (Status status = enter(folder, O_NOFOLLOW); !status) return status;
  struct stat state {};
  if (fstat(entered_, &state) != 0 || state.st_uid != process_.user)
    return Status::error(fmt::format("process {}: the folder of its log, {}, is another user's", process_.pid, folder));
  if (flock(entered_, LOCK_EX | LOCK_NB) != 0)
    return Status::error(
        fmt::format("process {}: another oriel push or top does this already; end that one", process_.pid));
  is_own_ = true;
  return Status::ok();
}

Status RunningLog::start_own(const std::vector<std::string>& features) {
  const std::string temporary(diagnostics::variable(process_, "TMPDIR").value_or("/tmp"));
  const std::string pattern = diagnostics::seen_path(process_, fmt::format("{}/{}XXXXXX", temporary, kFolderName));
  const std::string folder = make_folder(pattern, process_.user);
  if (folder.empty())
    return Status::error(fmt::format("no folder for the log can be made in {}: {}", temporary, std::strerror(errno)));
  if (Status status = take_own(temporary + "/" + file_name(folder)); !status) return status;
  std::vector<std::string> words = {"start"};
  if (features.empty()) words.emplace_back(kModule);
  words.insert(words.end(), features.begin(), features.end());
  const Result<std::vector<Words>> requests =
      requests_for(words, fmt::format("{}/{}.oriel", template_of(folder_), kLogName));
  if (!requests) return requests.status();
  const Result<std::vector<Words>> lines = ask(process_, requests->front());
  is_over_ = !lines;
  if (!lines) return lines.status();
  file_ = file_in(*lines);
  return Status::ok();
}

Result<std::vector<LogPart>> RunningLog::next(bool last) {
  if (!done_.empty()) unlinkat(entered_, std::exchange(done_, "").c_str(), 0);
  if (is_over_) return std::vector<LogPart>();
  return is_users() ? next_of_users(last) : next_of_own(last);
}

Result<std::vector<LogPart>> RunningLog::next_of_own(bool last) {
  const Result<std::vector<Words>> lines = ask(process_, {last ? "stop" : "rotate", kModule});
  if (!lines && !is_at_its_end(process_)) return lines.status();
  is_over_ = last || !lines;
  const std::string whole = seen(file_);
  done_ = file_name(file_);
  if (lines) file_ = file_in(*lines);
  return std::vector{LogPart{whole}};
}

Result<std::vector<LogPart>> RunningLog::next_of_users(bool last) {
  // What happened until now is in the file once the flush is answered: a thread that has taken a sample and waits for a
  // processor has put it into its buffer by then. What happened later may be there in part.
  const uint64_t now = clock_counter();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  Result<std::vector<Words>> lines = ask(process_, {"flush", kModule});
  if (lines) lines = ask(process_, {"status"});
  if (!lines && !is_at_its_end(process_)) return lines.status();
  const std::string current = lines ? file_in(*lines) : "";
  is_over_ = last || current.empty();
  std::vector<LogPart> parts;
  // The log may have been rotated, by a person or by an option that changed.
  if (!current.empty() && current != file_) {
    parts.push_back({seen(file_), after_});
    const std::string folder = fs::path(current).parent_path().string();
    if (folder != folder_) {
      if (Status status = enter(folder); !status) return status;
    }
    file_ = current;
    after_ = 0;
  }
  parts.push_back({seen(file_), after_, is_over_ ? UINT64_MAX : now});
  return parts;
}

Result<profile::Filter> filter_for(const LogPart& part, profile::Filter whole) {
  if (part.after == 0 && part.to == UINT64_MAX) return whole;
  const Result<profile::ClockReader> log = profile::read_clock(part.file);
  if (!log) return log.status();
  const std::string* const counter = profile::property(log->intro, log::property::kCounter);
  if (counter && *counter != clock_counter_name())
    return Status::error(
        fmt::format("the log counts time by {}, and this tool by {}: push it when the program has ended", *counter,
                    clock_counter_name()));
  if (part.after > 0) whole.from_ns = log->clock.ns(part.after) + 1;
  if (part.to != UINT64_MAX) whole.to_ns = log->clock.ns(part.to);
  return whole;
}

}  // namespace oriel::cli
