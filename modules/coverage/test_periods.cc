#include "test_periods.h"

#include <algorithm>

#include "base/text/words.h"

namespace oriel::coverage_module {
namespace {

bool runs(const Test* test) { return test->running.load(std::memory_order_acquire) > 0; }

std::string names_of(const std::vector<Test*>& tests) {
  std::vector<std::string> names;
  for (const Test* const test : tests) names.push_back(test->name);
  std::ranges::sort(names);
  return join(names, "\n");
}

}  // namespace

// Tests that still run belong to the next period too. They are determined before this one ends: code of a test that
// finishes meanwhile may be counted in the next one.
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
  const bool is_again = tests_.size() == 1 && tests_.front() == &test;  // the next case of a parameterized test
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

}  // namespace oriel::coverage_module
