// What counting costs the program: a pair of enter and leave, of which two readings of the clock are most.
#include <benchmark/benchmark.h>

#include "thread_tree.h"

namespace {

using oriel::callgraph_module::ThreadTree;

oriel_method* method(uintptr_t id) { return reinterpret_cast<oriel_method*>(id * 64); }
oriel_class* klass(uintptr_t id) { return reinterpret_cast<oriel_class*>(id * 64); }

void two_clocks(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(oriel::ticks());
    benchmark::DoNotOptimize(oriel::ticks());
  }
}
BENCHMARK(two_clocks);

// One callee after another of so many: one is found at once, more by a list, many by a hash table.
void enter_leave(benchmark::State& state) {
  ThreadTree tree(1);
  const auto callees = static_cast<uintptr_t>(state.range(0));
  tree.enter(method(1));
  uintptr_t at = 0;
  for (auto _ : state) {
    oriel_method* callee = method(2 + at);
    tree.enter(callee);
    tree.leave(callee);
    at = at + 1 == callees ? 0 : at + 1;
  }
}
BENCHMARK(enter_leave)->Arg(1)->Arg(4)->Arg(8)->Arg(100)->Arg(10'000);

void allocation(benchmark::State& state) {
  ThreadTree tree(1);
  const auto classes = static_cast<uintptr_t>(state.range(0));
  tree.enter(method(1));
  uintptr_t at = 0;
  for (auto _ : state) {
    tree.allocate(klass(1 + at), 24);
    at = at + 1 == classes ? 0 : at + 1;
  }
}
BENCHMARK(allocation)->Arg(1)->Arg(4)->Arg(100);

}  // namespace

BENCHMARK_MAIN();
