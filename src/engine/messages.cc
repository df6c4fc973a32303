// Messages for the user.
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/files/descriptor.h"
#include "base/gathering.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/messages.h"
#include "engine/or_else.h"

namespace oriel {
namespace {

// Whether a line can be written at once: a pipe that nobody reads is full one day, and the program may never have
// written to it itself.
bool has_room(int file) {
  constexpr int kMostMs = 200;
  pollfd asked{file, POLLOUT, 0};
  return poll(&asked, 1, kMostMs) == 1 && asked.revents == POLLOUT;
}

// A single write, so that lines of several threads and processes do not mix. A failure cannot be reported. Names of
// files in it may have characters that would end the line or control a terminal.
bool write_one_line(int file, const std::string& before, const char* message) {
  std::string line = (before + message).substr(0, PIPE_BUF - 1) + "\n";  // as much as a pipe has room for
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (static_cast<unsigned char>(line[i]) < ' ' || line[i] == '\x7f') line[i] = ' ';
  }
  return has_room(file) && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

// The identity of stderr before the program's own code ran.
struct Stderr {
  std::atomic<bool> known{false};
  std::atomic<bool> open{false};
  std::atomic<dev_t> device{0};
  std::atomic<ino_t> file{0};
  std::atomic<dev_t> terminal{0};
};
constinit Stderr first_stderr;
constinit std::atomic<bool> keeps_messages{false};

// A program may close stderr and open another file, which then gets its number.
bool has_stderr() {
  if (!first_stderr.known.load(std::memory_order_acquire)) return true;
  struct stat now {};
  return first_stderr.open.load() && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == first_stderr.device.load() &&
         now.st_ino == first_stderr.file.load() && now.st_rdev == first_stderr.terminal.load();
}

// Needs no memory; line breaks in the message stay.
void write_as_it_is(const char* message) {
  char before[] = "oriel: ", after[] = "\n";
  const iovec parts[] = {{before, strlen(before)}, {const_cast<char*>(message), strlen(message)}, {after, 1}};
  if (!has_room(STDERR_FILENO)) return;
  [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts, 3);
}

// The file of gathered messages, -1 if there is none. On a program's thread it is in the program's descriptor table for
// a moment; messages are rare.
int open_gathered() {
  const char* const path = std::getenv("ORIEL_MESSAGES");
  if (path == nullptr || *path == '\0') return -1;
  return open_with_high_number(path, O_RDWR | O_APPEND | O_NOCTTY | O_NOFOLLOW);
}

// If the gathering process was killed, prints what it gathered. Returns whether it did.
bool print_if_orphaned(int file) {
  if (!has_stderr() || flock(file, LOCK_EX | LOCK_NB) != 0) return false;
  const std::string text = whole_text(file);
  if (!text.starts_with(kGathering)) return false;
  unlink(std::getenv("ORIEL_MESSAGES"));
  for (size_t at = kGathering.size(); at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t space = std::min(text.find(' ', at), end);
    const std::string pid = text.substr(at, space - at);
    const std::string message = text.substr(space, end - space);
    write_one_line(STDERR_FILENO, "oriel: in process " + pid + ":", message.c_str());
    at = end + 1;
  }
  return true;
}

bool is_removed(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && status.st_nlink == 0;
}

// If several processes are profiled, their messages are gathered in a file of lines "PID MESSAGE": a parent process may
// treat output on its child's stderr as an error. False if nobody gathers any more.
bool write_to_gathered(const char* message) {
  const int file = open_gathered();
  if (file < 0) return false;
  const bool written = or_else(false, [&] {
    return !print_if_orphaned(file) && write_one_line(file, std::to_string(getpid()) + " ", message) &&
           !is_removed(file);
  });
  close(file);
  return written;
}

void tell(const char* message) {
  if (write_to_gathered(message) || !has_stderr()) return;
  const bool said = or_else(false, [&] { return write_one_line(STDERR_FILENO, "oriel: ", message), true; });
  if (!said) write_as_it_is(message);
}

struct Waiting {
  std::mutex lock;
  std::vector<std::string> messages;
};

// Never destroyed: threads may warn while the process exits.
Waiting& waiting() {
  static auto* const made = new Waiting;
  return *made;
}

void defer_message(const char* message) {
  constexpr size_t kMost = 1000;  // if nobody takes them
  Waiting& all = waiting();
  {
    const std::lock_guard guard(all.lock);
    if (all.messages.size() < kMost) all.messages.emplace_back(message);
  }
  engine_thread::wake();
}

}  // namespace

void keep_messages() { keeps_messages.store(true); }

std::vector<std::string> take_messages() {
  Waiting& all = waiting();
  const std::lock_guard guard(all.lock);
  return std::exchange(all.messages, {});
}

bool has_messages() {
  Waiting& all = waiting();
  const std::lock_guard guard(all.lock);
  return !all.messages.empty();
}

void remember_stderr() {
  struct stat file {};
  first_stderr.open.store(fstat(STDERR_FILENO, &file) == 0);
  first_stderr.device.store(file.st_dev);
  first_stderr.file.store(file.st_ino);
  first_stderr.terminal.store(file.st_rdev);
  first_stderr.known.store(true, std::memory_order_release);
}

void print_deferred_messages() {
  if (keeps_messages.load()) return;
  attempt([] {
    for (const std::string& message : take_messages()) tell(message.c_str());
  });
}

void print_orphaned_messages() {
  const int file = open_gathered();
  if (file < 0) return;
  attempt([&] { print_if_orphaned(file); });
  close(file);
}

void warn(const char* message) {
  const char* const text = message ? message : "";
  const bool keeps = keeps_messages.load();
  const bool defers = keeps || (first_stderr.known.load() && is_tool_thread());
  const bool left = defers && or_else(false, [&] { return defer_message(text), true; });
  if (!left && !keeps) tell(text);
}

}  // namespace oriel
