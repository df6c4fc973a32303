// make_log FILE [MEGABYTES]: writes a log of that size, 200 MB if not told.
#include <fmt/format.h>

#include <cstdlib>

#include "log_maker.h"

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: make_log FILE [MEGABYTES]\n");
    return 2;
  }
  oriel::bench::LogShape shape;
  if (argc == 3) shape.bytes = std::strtoull(argv[2], nullptr, 10) * 1'000'000;
  const auto samples = oriel::bench::make_log(argv[1], shape);
  if (!samples) {
    fmt::print(stderr, "{}\n", samples.message());
    return 1;
  }
  fmt::print("{} samples\n", *samples);
  return 0;
}
