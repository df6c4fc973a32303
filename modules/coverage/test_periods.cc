#include "test_periods.h"

#include <algorithm>

#include "base/text/words.h"

namespace oriel::covering {
namespace {

bool runs(const Test* test) { return test->running.load(std::memory_order_acquire) > 0; }

std::string names_of(const std::vector<Test*>& tests) {
  std::vector<std::string> names;
  for (const Test* const test : tests) names.push_back(test->name);
  std::ranges::sort(names);
  return join(names, "\n");
}

}  // namespace

// Those that still run are the next stretch's too. They are known before this one ends: what a test runs that is over
// by the time it has ended may be the next one's.
void TestPeriods::end_stretch() {
  const std::string names = names_of(tests_);
  std::erase_if(tests_, [](const Test* test) { return !runs(test); });
  end_(names);
  prepares_ = false;
}

void TestPeriods::prepares() {
  const std::lock_guard guard(lock_);
  if (prepares_ || std::ranges::any_of(tests_, runs)) return;
  end_stretch();
  prepares_ = true;
}

void TestPeriods::begins(Test& test) {
  const std::lock_guard guard(lock_);
  const bool is_again = tests_.size() == 1 && tests_.front() == &test;  // a theory's next case
  if (!is_again && (!prepares_ || !tests_.empty())) end_stretch();
  prepares_ = false;
  test.running.fetch_add(1, std::memory_order_release);
  if (is_again) return;
  tests_.push_back(&test);
  begin_(names_of(tests_));
}

void TestPeriods::ends(Test& test) {
  int running = test.running.load(std::memory_order_relaxed);
  while (running > 0 && !test.running.compare_exchange_weak(running, running - 1, std::memory_order_release)) {
  }
}

void TestPeriods::finish() {
  const std::lock_guard guard(lock_);
  if (!tests_.empty()) end_stretch();
  tests_.clear();
}

}  // namespace oriel::covering
