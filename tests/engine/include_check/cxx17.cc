// Compiling this in C++17 is the test.
#include <oriel/oriel.hpp>

namespace {

struct Counter {
  unsigned collections = 0;
  void on_gc_end(uint32_t, uint32_t) { ++collections; }
  void on_runtime_initialized() {}
  void on_exception_throw(oriel_object*) {}
};

}  // namespace

unsigned include_check_cxx17() {
  static Counter counter;
  oriel::Profiler<Counter> profiler(counter);
  profiler.on_gc_end<&Counter::on_gc_end>();
  profiler.on_runtime_initialized<&Counter::on_runtime_initialized>();
  profiler.on_exception_throw<&Counter::on_exception_throw>();
  profiler.off_gc_end();
  return counter.collections;
}
