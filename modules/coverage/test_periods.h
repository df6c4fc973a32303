// Which tests a stretch of a program's time belongs to. A stretch begins where code begins to run that prepares the
// next test, or that test itself; so what clears up behind a test is its own. Tests that run at the same time share
// their stretches: of these nobody can tell whose code ran.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace oriel::covering {

struct Test {
  std::string name;
  std::atomic<int> running{0};  // how many times at once
};

class TestPeriods {
 public:
  // Of tests, by name and joined by '\n'. One at a time.
  using Names = std::function<void(const std::string& tests)>;
  // `end`: a stretch ends, which belongs to these tests, or to none. `begin`: the one that is under way belongs to
  // these.
  TestPeriods(Names begin, Names end) : begin_(std::move(begin)), end_(std::move(end)) {}

  // Any thread; each waits while a stretch is ended. Tests live as long as this.
  void prepares();
  void begins(Test& test);
  // Any thread, without a lock. A test that has ended more often than it began has not begun.
  static void ends(Test& test);
  // The last stretch, which belongs to tests, ends.
  void finish();

 private:
  void end_stretch();

  const Names begin_, end_;
  std::mutex lock_;           // the rest
  std::vector<Test*> tests_;  // those of the stretch
  bool prepares_ = false;     // it is a test's that has not begun yet
};

}  // namespace oriel::covering
