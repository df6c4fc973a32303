// make_log FILE [MEGABYTES]: writes a log of samples of that size, 200 MB if not told, and FILE.pdb with its lines.
// make_log --calls FILE [MILLIONS]: one of so many enters and leaves of methods, 50 M if not told, and of allocations.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "call_log_maker.h"
#include "log_maker.h"

int main(int argc, char** argv) {
  const bool calls = argc > 1 && std::string_view(argv[1]) == "--calls";
  const int file = calls ? 2 : 1;
  if (argc <= file || argc > file + 2) {
    fmt::print(stderr, "usage: make_log FILE [MEGABYTES]\n       make_log --calls FILE [MILLIONS]\n");
    return 2;
  }
  const uint64_t millions = argc > file + 1 ? std::strtoull(argv[file + 1], nullptr, 10) : 0;
  oriel::bench::LogShape samples_shape;
  oriel::bench::CallLogShape calls_shape;
  samples_shape.pdb = std::string(argv[file]) + ".pdb";
  if (millions != 0) samples_shape.bytes = calls_shape.events = millions * 1'000'000;
  const auto count =
      calls ? oriel::bench::make_call_log(argv[file], calls_shape) : oriel::bench::make_log(argv[file], samples_shape);
  if (!count) {
    fmt::print(stderr, "{}\n", count.message());
    return 1;
  }
  fmt::print("{} {}\n", *count, calls ? "calls" : "samples");
  return 0;
}
