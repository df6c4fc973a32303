#include "show/follow.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>

#include "interrupts.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// 0: stdout is no terminal.
size_t rows_of_terminal() {
  winsize size{};
  return isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

// The first lines, and how many follow if there are more than fit.
std::string cut_to(const std::string& text, size_t rows) {
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
  if (rows < 3 || lines < rows) return text;
  const size_t shown = rows - 2;
  size_t end = 0;
  for (size_t line = 0; line < shown; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end) + fmt::format("… and {} more lines\n", lines - shown);
}

Status show(const std::string& text, bool is_first) {
  constexpr const char* kClear = "\033[H\033[2J";
  if (const size_t rows = rows_of_terminal(); rows != 0)
    std::cout << kClear << cut_to(text, rows);
  else
    std::cout << (is_first ? "" : "\n") << text;
  return std::cout.flush() ? Status::ok() : Status::error("the report cannot be written; is the disk full?");
}

// False at an interrupt.
bool wait_for_more(const std::vector<std::string>& files, uint64_t size, milliseconds at_least,
                   Interrupts& interrupts) {
  constexpr milliseconds kLook{500};
  if (!interrupts.wait(at_least)) return false;
  for (int looks = 0; bytes_of(files) == size && looks < 10; ++looks)
    if (!interrupts.wait(kLook)) return false;
  return true;
}

}  // namespace

Status follow(const std::vector<std::string>& files, const WriteReport& write) {
  constexpr milliseconds kRest{1'000};
  constexpr int kShare = 4;
  Interrupts interrupts;
  interrupts.hold();
  for (bool is_first = true;; is_first = false) {
    const auto begun = steady_clock::now();
    const uint64_t size = bytes_of(files);
    std::ostringstream text;
    bool running = false;
    Status status = write(text, running);
    if (status) status = show(text.str(), is_first);
    if (!status || !running) return status;
    const auto taken = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun);
    if (!wait_for_more(files, size, std::max(kRest, taken * kShare), interrupts)) return Status::ok();
  }
}

}  // namespace oriel::cli
