// Messages for the user.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "engine/engine.h"
#include "engine/or_else.h"

namespace oriel {
namespace {

// One write, so that lines of several threads and processes do not mix; nobody to tell if it fails.
bool write_one_line(int file, const std::string& before, const char* message) {
  std::string line = before + message + "\n";
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '\n' || line[i] == '\r') line[i] = ' ';
  }
  return write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

// Needs no memory; a message of several lines stays so.
void write_as_it_is(const char* message) {
  char before[] = "oriel: ", after[] = "\n";
  const iovec parts[] = {{before, strlen(before)}, {const_cast<char*>(message), strlen(message)}, {after, 1}};
  [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts, 3);
}

// Where several processes are profiled their messages are gathered in a file, a line "PID MESSAGE" each: who starts a
// process may take what comes out of its stderr for an error of the process.
bool write_to_gathered(const char* message) {
  const char* const path = std::getenv("ORIEL_MESSAGES");
  if (path == nullptr || *path == '\0') return false;
  const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return false;
  const bool written = or_else(false, [&] { return write_one_line(file, std::to_string(getpid()) + " ", message); });
  close(file);
  return written;
}

}  // namespace

void warn(const char* message) {
  const char* const text = message ? message : "";
  if (write_to_gathered(text)) return;
  const bool said = or_else(false, [&] { return write_one_line(STDERR_FILENO, "oriel: ", text), true; });
  if (!said) write_as_it_is(text);
}

}  // namespace oriel
