// make_log FILE [MEGABYTES]: writes a log of samples of that size, 200 MB if not told, and FILE.pdb with its lines.
// make_log --steady FILE [MEGABYTES]: likewise, of a program whose stacks come again and again, as after hours.
// make_log --calls FILE [MILLIONS]: one of so many enters and leaves of methods, 50 M if not told, and of allocations.
// make_log --heap FILE [MILLIONS]: one with two snapshots of a heap, the last of so many objects, 22 M if not told.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "call_log_maker.h"
#include "heap_log_maker.h"
#include "log_maker.h"

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  const bool calls = first == "--calls", heap = first == "--heap", steady = first == "--steady";
  const int file = calls || heap || steady ? 2 : 1;
  if (argc <= file || argc > file + 2) {
    fmt::print(stderr, "usage: make_log [--steady|--calls|--heap] FILE [MILLIONS]\n");
    return 2;
  }
  const uint64_t millions = argc > file + 1 ? std::strtoull(argv[file + 1], nullptr, 10) : 0;
  oriel::bench::LogShape samples_shape;
  oriel::bench::CallLogShape calls_shape;
  oriel::bench::HeapLogShape heap_shape;
  if (steady) {
    samples_shape.most_nodes = 100'000;
    samples_shape.collections = 1;
  }
  samples_shape.pdb = std::string(argv[file]) + ".pdb";
  if (millions != 0) samples_shape.bytes = calls_shape.events = heap_shape.objects = millions * 1'000'000;
  const auto count = calls  ? oriel::bench::make_call_log(argv[file], calls_shape)
                     : heap ? oriel::bench::make_heap_log(argv[file], heap_shape)
                            : oriel::bench::make_log(argv[file], samples_shape);
  if (!count) {
    fmt::print(stderr, "{}\n", count.message());
    return 1;
  }
  fmt::print("{} {}\n", *count, calls ? "calls" : heap ? "objects" : "samples");
  return 0;
}
