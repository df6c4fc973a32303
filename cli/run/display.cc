#include "run/display.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text/whole_number.h"

namespace oriel::cli {
namespace {

unsigned width_of(int descriptor) {
  const char* columns = std::getenv("COLUMNS");
  if (const auto wanted = whole_number(columns ? columns : "").value_or(0); wanted > 0 && wanted < 10'000)
    return static_cast<unsigned>(wanted);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return size.ws_col < 60 ? 60u : size.ws_col;
}

}  // namespace

report::Options display_of(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  report::Options display;
  display.color = isatty(descriptor) == 1 && !(no_color && *no_color);
  display.width = width_of(descriptor);
  return display;
}

}  // namespace oriel::cli
