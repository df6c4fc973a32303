#include "live/watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

#include "base/files/file_template.h"
#include "base/files/open_file.h"
#include "base/text/shown_shell_word.h"
#include "base/text/whole_number.h"
#include "commands.h"
#include "exit_codes.h"
#include "interrupts.h"
#include "live/attach_request.h"
#include "live/control_client.h"
#include "live/shared_folder.h"
#include "log/write_all.h"
#include "run/log_files.h"
#include "show/callgraph_file.h"
#include "show/show_report.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;
using control::Answer;
using control::Words;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr Clock::time_point kNever = Clock::time_point::max();

std::string duration_text(milliseconds duration) {
  const auto count = duration.count();
  if (count % 1000 != 0) return fmt::format("{} ms", count);
  if (count % 60'000 != 0 || count == 60'000) return fmt::format("{} s", count / 1000);
  return fmt::format("{} min", count / 60'000);
}

// The path as a template that stands for itself (base/files/file_template.h).
std::string template_of_path(const fs::path& path) {
  return template_of(path.parent_path().string()) + "/" + template_of(path.filename().string());
}

class Watch {
 public:
  Watch(AttachPlan& plan, Companion* companion)
      : plan_(plan),
        companion_(companion),
        process_(static_cast<int>(syscall(SYS_pidfd_open, plan.live.process.pid, 0))) {
    interrupts_.hold();
  }

  int run();

 private:
  enum class Stage {
    kConnecting,
    kBeginning,  // the engine answers, and tells whether it has begun
    kWatching,
    kLeaving,    // the engine was asked to leave
    kLastWords,  // and has ended; what it said last is asked for
    kOver,
  };

  // Whether the program can write the log where the user wants it; otherwise it is brought there at the end. A
  // companion's log stays in the folder, and goes with it.
  bool writes_directly() const {
    return companion_ == nullptr && plan_.live.process.root.empty() && plan_.live.process.user == geteuid();
  }
  Status cannot(const Status& why) const;
  std::string modules();
  std::string file_of(size_t module) const;
  Status begin();
  Status begin_first(const AttachData& data);
  Status begin_again(const AttachData& data);
  void say_begin(const Answer& begun) const;
  void begin_companion();
  void tell(const std::string& message) const;
  void wait_for_something();
  void connect();
  void ask(const Words& request, Stage stage, Clock::time_point until);
  void answer();
  void take(const Answer& answer);
  void leave();
  void interrupt();
  void out_of_time();
  void wait_for_last_thread();
  void wait_for_program() const;
  bool has_program_ended() const;
  int summary();
  std::string brought(const std::string& path, size_t module) const;
  bool say_files(size_t module);
  void remove_files() const;

  AttachPlan& plan_;
  Companion* companion_;  // nullptr: none
  OpenFile process_;
  std::optional<SharedFolder> folder_;  // through which the log comes
  std::optional<ControlClient> engine_;
  Interrupts interrupts_;
  Stage stage_ = Stage::kConnecting;
  bool is_asked_ = false;
  Clock::time_point asked_;
  bool ever_watched_ = false, interrupted_ = false;
  bool has_left_ = false;           // the engine
  bool has_closed_ = false;         // its end of the connection
  std::vector<LogTemplate> files_;  // of the modules, as this process sees them
  std::vector<LogFiles> before_;    // what was there
  std::vector<std::string> logs_;   // that the first module wrote
  std::string refused_;
  std::chrono::microseconds took_{0};
  Clock::time_point until_ = kNever;  // of the stage
  Clock::time_point end_ = kNever;    // of the time to watch
};

Status Watch::cannot(const Status& why) const {
  return Status::error(
      fmt::format("attach: process {} cannot be attached to: {}; docs/TROUBLESHOOTING.md has what to do", plan_.who(),
                  why.message()));
}

// What the engine is to load: each module writes a file of its own.
std::string Watch::modules() {
  std::string text;
  for (size_t i = 0; i < plan_.modules.size(); ++i) {
    const std::string wanted = file_of(i);
    const std::string name = fs::path(wanted).filename().string();
    const std::string here = folder_ ? folder_->path(name) : wanted;
    files_.push_back({fs::path(here).parent_path().string(), template_of(name)});
    before_.push_back(find_logs(files_.back()));
    const std::string written = folder_ ? folder_->path_in_program(name) : wanted;
    text += (i == 0 ? "" : ";") + plan_.modules[i].description(template_of_path(written));
  }
  return text;
}

std::string Watch::file_of(size_t module) const {
  if (module == 0) return plan_.log;
  const fs::path log = plan_.log;
  const LogTemplate file =
      beside({log.parent_path().string(), log.filename().string()}, plan_.modules[module].command->file_ending);
  return file.folder + "/" + file.name;
}

Status Watch::begin() {
  constexpr milliseconds kMost{30'000};
  if (Status place = ControlClient::check_place(plan_.live.process); !place) return cannot(place);
  if (!writes_directly()) {
    Result<SharedFolder> made = SharedFolder::make(plan_.live, kCompanionLog);
    if (!made) return made.status();
    folder_.emplace(std::move(*made));
  }
  until_ = Clock::now() + kMost;
  const AttachData data{!plan_.changes_code.empty(), modules()};
  return plan_.again ? begin_again(data) : begin_first(data);
}

Status Watch::begin_first(const AttachData& data) {
  const Status status = request_attach(plan_.live.place.port, plan_.engine, data, took_);
  return status ? status : cannot(status);
}

// By the engine that has stayed.
Status Watch::begin_again(const AttachData& data) {
  Result<ControlClient> client = ControlClient::try_to_connect(plan_.live.process);
  const Result<Answer> answer =
      client ? client->ask({"attach", data.profilers, data.changes_code ? "code" : ""}) : client.status();
  if (!answer || !answer->status) return cannot(answer ? answer->status : answer.status());
  return Status::ok();
}

// The log goes on in another file when one is full. The folder is the tool's own, so the full ones are removed.
void Watch::begin_companion() {
  companion_->begin([this] {
    const LogFiles files = find_logs(files_[0]);
    const auto newest = std::ranges::max_element(files, {}, [](const auto& file) { return file.second.modified_ns; });
    if (newest == files.end()) return std::string();
    for (const auto& [path, state] : files)
      if (path != newest->first) unlink(path.c_str());
    return newest->first;
  });
}

void Watch::tell(const std::string& message) const {
  if (companion_)
    companion_->say(message);
  else
    say(message);
}

// Of which the engine hears by the runtime's suspensions.
std::string stopped_text(const Answer& begun) {
  for (const Words& line : begun.lines) {
    if (line.size() < 2 || line[0] != "stopped") continue;
    const double ms = static_cast<double>(whole_number(line[1]).value_or(0)) / 1'000'000;
    return ms == 0 ? ", the program's threads were not stopped"
                   : fmt::format(", the program's threads were stopped for {:.1f} ms", ms);
  }
  return "";
}

void Watch::say_begin(const Answer& begun) const {
  const std::string time = plan_.duration ? fmt::format(" for {}", duration_text(*plan_.duration)) : "";
  std::string how =
      plan_.again ? "Oriel was in it, switched off"
                  : fmt::format("the runtime took {:.1f} ms to attach", static_cast<double>(took_.count()) / 1000);
  how += stopped_text(begun);
  if (plan_.changes_code.empty()) return say(fmt::format("watching {}{}; {}. Ctrl-C ends it", plan_.who(), time, how));
  say(
      fmt::format("instrumenting {}{}, as {} changes its code: Oriel stays in it afterwards, switched off; {}. Ctrl-C "
                  "ends it",
                  plan_.who(), time, plan_.changes_code, how));
}

// The engine makes its socket once it has begun.
void Watch::connect() {
  Result<ControlClient> client = ControlClient::try_to_connect(plan_.live.process);
  if (!client) return;
  engine_.emplace(std::move(*client));
  ask({"watch"}, Stage::kBeginning, until_);
}

void Watch::ask(const Words& request, Stage stage, Clock::time_point until) {
  stage_ = stage;
  until_ = until;
  asked_ = Clock::now();
  is_asked_ = engine_->send(request).is_ok();
  has_closed_ = !is_asked_;
  if (has_closed_) stage_ = Stage::kOver;
}

void Watch::leave() {
  constexpr milliseconds kMost{60'000};
  if (is_asked_) return;
  if (companion_) companion_->end(false);
  ask({"detach"}, Stage::kLeaving, Clock::now() + kMost);
}

// The second time the tool does not wait: the engine leaves by itself when the tool is gone.
void Watch::interrupt() {
  if (interrupted_) stage_ = Stage::kOver;
  if (!interrupted_ && stage_ == Stage::kWatching) end_ = Clock::now();
  interrupted_ = true;
}

void Watch::answer() {
  const Result<std::optional<Answer>> answer = engine_->receive();
  if (!answer) {
    stage_ = Stage::kOver;
    has_closed_ = true;
  } else if (*answer) {
    is_asked_ = false;
    take(**answer);
  }
}

void Watch::take(const Answer& answer) {
  for (const Words& line : answer.lines)
    if (line.size() > 1 && line[0] == "said") tell(fmt::format("in process {}: {}", plan_.live.process.pid, line[1]));
  switch (stage_) {
    case Stage::kBeginning:
      if (!answer.status) {
        refused_ = answer.status.message();
        return leave();
      }
      stage_ = Stage::kWatching;
      ever_watched_ = true;
      end_ = plan_.duration && !interrupted_ ? Clock::now() + *plan_.duration : interrupted_ ? Clock::now() : kNever;
      return companion_ ? begin_companion() : say_begin(answer);
    case Stage::kLeaving:
      if (!answer.status && refused_.empty())
        tell(fmt::format("Oriel stays in process {}, switched off: {}", plan_.who(), answer.status.message()));
      has_left_ = answer.status.is_ok();
      return ask({"watch"}, Stage::kLastWords, until_);
    case Stage::kLastWords:
      stage_ = Stage::kOver;
      return;
    case Stage::kConnecting:
    case Stage::kWatching:
    case Stage::kOver:
      return;
  }
}

void Watch::out_of_time() {
  if (stage_ == Stage::kConnecting || stage_ == Stage::kBeginning) refused_ = "its engine does not answer";
  stage_ = Stage::kOver;
}

// In between, the engine is asked for what it has to say.
void Watch::wait_for_something() {
  constexpr milliseconds kOften{250}, kSeldom{5'000}, kSoon{5};
  const bool connecting = stage_ == Stage::kConnecting;
  const bool accompanied = companion_ != nullptr && stage_ == Stage::kWatching;
  pollfd files[] = {{connecting ? -1 : engine_->descriptor(), POLLIN, 0},
                    {interrupts_.descriptor(), POLLIN, 0},
                    {process_.number(), POLLIN, 0},
                    {accompanied ? companion_->descriptor() : -1, POLLIN, 0}};
  const milliseconds pause = companion_ ? kSeldom : kOften;
  const auto soon = connecting ? Clock::now() + kSoon : is_asked_ ? Clock::now() + pause : asked_ + pause;
  const auto end = stage_ == Stage::kWatching && !is_asked_ ? end_ : kNever;
  const auto turn = accompanied ? companion_->next_turn() : kNever;
  const auto left = std::chrono::ceil<milliseconds>(std::min({soon, until_, end, turn}) - Clock::now());
  poll(files, std::size(files), std::max(0, static_cast<int>(left.count())));
  if (files[0].revents != 0) answer();
  if (interrupts_.take()) interrupt();
  if (process_.number() >= 0 && files[2].revents != 0) stage_ = Stage::kOver;
  if (stage_ == Stage::kConnecting) connect();
  if (accompanied && stage_ == Stage::kWatching && !companion_->turn()) end_ = Clock::now();
  if (stage_ == Stage::kWatching && !is_asked_) {
    if (Clock::now() >= end_) return leave();
    if (Clock::now() >= soon) ask({"watch"}, Stage::kWatching, kNever);
  }
  if (stage_ != Stage::kOver && Clock::now() >= until_) out_of_time();
}

// When the program ends, the engine closes the connection before it finishes the log, which the reports are to find
// whole. An engine that somebody else ended closes it, too; then this is a pause.
void Watch::wait_for_program() const {
  constexpr int kMostMilliseconds = 2'000;
  if (!has_closed_ || has_left_ || process_.number() < 0) return;
  pollfd ended[] = {{process_.number(), POLLIN, 0}, {interrupts_.descriptor(), POLLIN, 0}};
  poll(ended, std::size(ended), kMostMilliseconds);
}

// It closes the engine's connection a little before that.
bool Watch::has_program_ended() const {
  constexpr int kMostMilliseconds = 1'000;
  pollfd ended{process_.number(), POLLIN, 0};
  return poll(&ended, 1, has_left_ ? 0 : kMostMilliseconds) > 0;
}

// The engine's last thread closes the connection when it ends.
void Watch::wait_for_last_thread() {
  constexpr int kMostMilliseconds = 1'000;
  pollfd closed{engine_ ? engine_->descriptor() : -1, 0, 0};
  if (has_left_) poll(&closed, 1, kMostMilliseconds);
}

namespace {

// fs::copy_file of libc++ comes to no end where the file shrinks meanwhile.
std::error_code copied(int from, const fs::path& path, mode_t mode) {
  const OpenFile to(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (to.number() < 0) return {errno, std::generic_category()};
  std::vector<uint8_t> bytes(1 << 16);
  for (;;) {
    const ssize_t got = read(from, bytes.data(), bytes.size());
    if (got == 0) return {};
    if (got < 0) return {errno, std::generic_category()};
    const int error = log::write_all(to.number(), bytes.data(), static_cast<size_t>(got));
    if (error != 0) return {error, std::generic_category()};
  }
}

}  // namespace

// A log in the folder that the program could write into comes to where the user wants it. Returns its path, which is
// the old one after an error. The folder is the program's user's, who may have put anything in the log's place.
std::string Watch::brought(const std::string& path, size_t module) const {
  if (!folder_) return path;
  const fs::path to = fs::path(file_of(module)).parent_path() / fs::path(path).filename();
  const OpenFile from(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  std::error_code error = std::make_error_code(std::errc::permission_denied);
  if (from.number() >= 0 && fstat(from.number(), &about) == 0 && S_ISREG(about.st_mode) &&
      about.st_uid == plan_.live.process.user)
    error = copied(from.number(), to, about.st_mode & 0777);
  if (error) {
    say(fmt::format("the log cannot be written to '{}': {}", to.string(), error.message()));
    return path;
  }
  fs::remove(path, error);
  return to.string();
}

// Several, if what was changed meanwhile could not stand in one file, or a file was ended.
bool Watch::say_files(size_t module) {
  const auto written = changed(before_[module], find_logs(files_[module]));
  if (written.empty())
    say(fmt::format("the log {} was removed while the program ran, and its contents are lost",
                    short_path(file_of(module))));
  for (const auto& [path, size] : written) {
    const std::string now = short_path(brought(path, module));
    say(fmt::format("wrote {} ({}). See it: oriel {} {}", now, human_size(size),
                    plan_.modules[module].command->shown_by, shown_shell_word(now)));
    if (module == 0) logs_.push_back(now);
  }
  return !written.empty();
}

// Of a companion. What is found is the tool's own, by its name.
void Watch::remove_files() const {
  for (const auto& [path, state] : find_logs(files_[0])) unlink(path.c_str());
}

int Watch::summary() {
  if (!refused_.empty()) {
    say(fmt::format("attach: process {} cannot be watched: {}", plan_.who(), refused_));
    return kFailed;
  }
  if (!ever_watched_) {
    say(fmt::format("attach: process {} {} before it could be watched", plan_.who(),
                    interrupted_ ? "was left" : "has ended"));
    return kFailed;
  }
  if (companion_) return 0;
  bool all = true;
  for (size_t i = 0; i < files_.size(); ++i) all = say_files(i) && all;
  if (!logs_.empty()) {
    if (Status shown = show_report(plan_.modules[0].command->shown_by, logs_); !shown) say(shown.message());
  }
  return all ? 0 : kFailed;
}

int Watch::run() {
  if (Status status = begin(); !status) {
    say(status.message());
    return kFailed;
  }
  while (stage_ != Stage::kOver) wait_for_something();
  if (companion_)
    companion_->end(has_program_ended());
  else
    wait_for_program();
  wait_for_last_thread();
  if (companion_) remove_files();
  return summary();
}

}  // namespace

int watch(AttachPlan& plan, Companion* companion) { return Watch(plan, companion).run(); }

}  // namespace oriel::cli
