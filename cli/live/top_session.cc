#include "live/top_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <utility>

#include "base/clock.h"
#include "base/files/open_file.h"
#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "profile/load_bytes.h"
#include "report/words/text.h"
#include "run/display.h"
#include "run/log_files.h"
#include "top/plain.h"
#include "top/screen.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWindow{5'000};    // that a screen shows; plain lines show what was since the last ones
constexpr milliseconds kRead{500};        // how often the log is read
constexpr milliseconds kNothingYet{200};  // while there is nothing to show yet
constexpr milliseconds kFirstView{900};   // after the beginning
constexpr milliseconds kStale{3'000};     // a log that has not grown for so long may have been replaced
constexpr int kRestAfterWork = 10;        // a view that took a second is followed by ten seconds without
constexpr TopSession::Clock::time_point kNoEnd = TopSession::Clock::time_point::max();

int64_t now_in_ns() { return static_cast<int64_t>(clock_monotonic_ns()); }

std::string time_of_day() {
  const time_t now = time(nullptr);
  tm parts{};
  localtime_r(&now, &parts);
  char text[16];
  return {text, strftime(text, sizeof text, "%H:%M:%S", &parts)};
}

int64_t age_in_seconds(uint64_t start_ticks) {
  timespec since_boot{};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  return since_boot.tv_sec - static_cast<int64_t>(start_ticks) / sysconf(_SC_CLK_TCK);
}

// Writes a new file of that name, or of one with a number.
Result<std::string> write_new(const std::string& stem, const std::vector<uint8_t>& bytes) {
  constexpr int kMostTries = 1000;
  for (int number = 1; number < kMostTries; ++number) {
    const std::string path = number == 1 ? stem + ".oriel" : fmt::format("{}-{}.oriel", stem, number);
    const OpenFile file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.number() < 0 && errno == EEXIST) continue;
    if (file.number() < 0) return Status::error(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
    if (write(file.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) return path;
    unlink(path.c_str());
    return Status::error(path + " cannot be written; is the disk full?");
  }
  return Status::error("there are too many files of that name here");
}

}  // namespace

TopSession::TopSession(const TopSettings& settings, top::Program program, uint64_t start_ticks)
    : settings_(settings),
      program_(std::move(program)),
      start_ticks_(start_ticks),
      due_(kNoEnd),
      end_(kNoEnd),
      read_due_(kNoEnd) {}

TopSession::~TopSession() { end(false); }

void TopSession::begin(std::function<std::string()> log) {
  begin_log(std::move(log), log::RecentLog::First::kIsRecent);
}

void TopSession::begin_with_past(std::function<std::string()> log) {
  begin_log(std::move(log), log::RecentLog::First::kIsPast);
}

void TopSession::begin_log(std::function<std::string()> log, log::RecentLog::First first) {
  has_begun_ = true;
  path_of_log_ = std::move(log);
  recent_.emplace(now_in_ns(), first);
  const Clock::time_point now = Clock::now();
  read_due_ = now;
  if (settings_.duration) end_ = now + *settings_.duration;
  if (settings_.screen) terminal_ = TopTerminal::open();
  if (settings_.screen && !terminal_) ::oriel::cli::say("this terminal cannot be drawn on: plain lines follow");
  due_ = now + (terminal_ ? kFirstView : settings_.interval);
  process_figures(now_in_ns());
  grew_ = now;
  if (terminal_) terminal_->draw({{{fmt::format("Watching {} ({}) …", report::clean(program_.name), program_.pid)}}});
}

milliseconds TopSession::window() const {
  return terminal_ ? std::max(kWindow, settings_.interval) : settings_.interval;
}

int TopSession::descriptor() const { return terminal_ ? STDIN_FILENO : -1; }

TopSession::Clock::time_point TopSession::next_turn() const { return std::min({due_, read_due_, end_}); }

// A log that is not there yet, or is none any more, is looked for again.
Status TopSession::read(int64_t now_ns) {
  const Clock::time_point now = Clock::now();
  const bool is_stale = now - grew_ >= kStale;
  if (log_.path().empty() || recent_->has_ended() || (is_stale && now - looked_ >= kStale)) {
    looked_ = now;
    const std::string path = path_of_log_();
    const bool is_another = !path.empty() && path != log_.path();
    if (!is_another && recent_->has_ended() && is_stale)
      return Status::error("the program's log has ended, and no other has begun: it was stopped");
    if (is_another && !log_.path().empty()) {
      if (Status status = log_.read(*recent_, now_ns); !status) return status;
      recent_.emplace(now_ns, log::RecentLog::First::kIsRecent);
    }
    if (is_another) {
      if (Status status = log_.open(path); !status) return status;
    }
  }
  const uint64_t before = log_.at();
  if (Status status = log_.read(*recent_, now_ns); !status) return status;
  if (log_.at() != before) grew_ = now;
  return Status::ok();
}

// The figures of the time since the first of the usages that are kept.
std::optional<top::ProcessFigures> TopSession::process_figures(int64_t now_ns) {
  const std::optional<diagnostics::Usage> usage = diagnostics::read_usage(static_cast<pid_t>(program_.pid));
  if (!usage) return std::nullopt;
  usages_.push_back({now_ns, *usage});
  while (usages_.size() > 2 && usages_[1].ns <= now_ns - std::chrono::nanoseconds(window()).count())
    usages_.pop_front();
  const int64_t passed = now_ns - usages_.front().ns;
  top::ProcessFigures figures;
  if (passed > 0)
    figures.cpu = static_cast<double>(usage->cpu_ns - usages_.front().usage.cpu_ns) / static_cast<double>(passed);
  figures.resident = usage->resident;
  figures.threads = usage->threads;
  figures.pool_workers = usage->pool_workers;
  return figures;
}

Status TopSession::make_view(int64_t now_ns) {
  recent_->forget_until(now_ns - std::chrono::nanoseconds(window()).count());
  std::vector<uint8_t> bytes = recent_->bytes();
  if (bytes.empty()) return Status::ok();
  Result<profile::Profile> profile = profile::load_bytes(bytes, program_.name);
  if (!profile) return profile.status();
  top::Window shown{program_, std::make_shared<const profile::Profile>(top::prepared(std::move(*profile))), 0,
                    process_figures(now_ns)};
  shown.program.age_s = age_in_seconds(start_ticks_);
  shown.seconds = static_cast<double>(now_ns - recent_->since_ns()) / 1e9;
  view_ = top::make_view(std::move(shown), carried_);
  saved_ = std::move(bytes);
  return Status::ok();
}

void TopSession::show() {
  if (!view_) return;
  if (terminal_) return terminal_->draw(top::screen(*view_, terminal_->size(), state_));
  if (settings_.json)
    top::write_json(*view_, static_cast<int64_t>(clock_unix_us()), std::cout);
  else
    top::write_plain(*view_, time_of_day(), display_of(STDOUT_FILENO).width, std::cout);
  std::cout.flush();
}

void TopSession::take_keys() {
  bool any = false;
  while (const auto input = terminal_->input()) {
    any = true;
    if (!input->key) continue;
    if (view_)
      top::press(*input->key, *view_, terminal_->size(), state_);
    else if (input->key->byte == 'q')
      state_.quits = true;
    if (std::exchange(state_.saves, false)) save();
  }
  if (any) show();
}

void TopSession::save() {
  const Result<std::string> path = write_new(fmt::format("{}-{}-top", program_.name, program_.pid), saved_);
  state_.message = path ? fmt::format("wrote {} ({}). See it: oriel report {}", *path, human_size(saved_.size()),
                                      shown_shell_word(*path))
                        : path.message();
  if (path) messages_.push_back(state_.message);
}

bool TopSession::turn() {
  if (is_over_) return false;
  const Clock::time_point now = Clock::now();
  const int64_t now_ns = now_in_ns();
  if (now >= read_due_ || now >= due_) {
    read_due_ = now + kRead;
    failure_ = read(now_ns);
    if (!failure_) return false;
  }
  if (now >= due_) {
    if (!state_.is_frozen) failure_ = make_view(now_ns);
    if (!failure_) return false;
    if (!state_.is_frozen) show();
    if (view_) ++shown_;
    const Clock::time_point next = view_ ? due_ + settings_.interval : now + kNothingYet;
    due_ = std::max(next, Clock::now() + (Clock::now() - now) * kRestAfterWork);
  }
  if (terminal_) take_keys();
  const bool has_shown_all = settings_.count > 0 && shown_ >= settings_.count;
  return !state_.quits && !has_shown_all && now < end_ && std::cout.good();
}

void TopSession::print_last_screen() {
  const top::Size size = terminal_->size();
  std::vector<top::Line> lines = view_ ? top::screen(*view_, size, state_) : std::vector<top::Line>();
  terminal_.reset();
  if (!lines.empty()) lines.pop_back();  // the keys
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const top::Line& line : lines) std::cout << top::text_of(line) << '\n';
  std::cout.flush();
}

void TopSession::end(bool has_ended) {
  if (!has_begun_ || std::exchange(is_over_, true)) return;
  if (terminal_ && has_ended) print_last_screen();
  terminal_.reset();
  for (const std::string& message : messages_) ::oriel::cli::say(message);
  if (has_ended) ::oriel::cli::say(fmt::format("{} ({}) has ended", report::clean(program_.name), program_.pid));
}

void TopSession::say(const std::string& message) {
  if (!terminal_) return ::oriel::cli::say(message);
  state_.message = message;
  messages_.push_back(message);
}

}  // namespace oriel::cli
