#include "show/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "report/words/text.h"

namespace oriel::cli {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Progress::Progress(const std::string& what)
    : what_(report::clean(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(steady_clock::now() + milliseconds(500)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(uint64_t done, uint64_t total) {
  const auto now = steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + milliseconds(100);
  shown_ = true;
  const double share = total ? static_cast<double>(std::min(done, total)) / static_cast<double>(total) : 0;
  fmt::print(stderr, "\r\033[Koriel: {} … {:.0f} %", what_, share * 100);
  std::fflush(stderr);
}

}  // namespace oriel::cli
