// Assigns periods of a program's time to tests. A period begins where the next test, or its preparation, begins to run,
// so cleanup after a test belongs to that test. Concurrent tests share their periods, as nobody can tell whose code
// ran.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace oriel::coverage_module {

struct Test {
  std::string name;
  std::atomic<int> running{0};  // number of concurrent executions
};

class TestPeriods {
 public:
  // Called with the names of tests, joined by '\n'. One call at a time.
  using Names = std::function<void(const std::string& tests)>;
  // `end`: the present period ends, and belongs to these tests, or to none. `begin`: the present period belongs to
  // these.
  TestPeriods(Names begin, Names end) : begin_(std::move(begin)), end_(std::move(end)) {}

  // Any thread; each waits while a period is ended. Tests must live as long as this.
  void prepares();
  void begins(Test& test);
  // Any thread, without a lock. A test that has ended more often than it began counts as not begun.
  static void ends(Test& test);
  // Ends the last period, which belongs to tests.
  void finish();

 private:
  void end_stretch();

  const Names begin_, end_;
  std::mutex lock_;           // the rest
  std::vector<Test*> tests_;  // those of the period
  bool prepares_ = false;     // it belongs to a test that has not begun yet
};

}  // namespace oriel::coverage_module
