#include "base/process/foreign_call.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "base/process/foreign_frame.h"

namespace oriel {
namespace {

struct Counted {
  explicit Counted(int& count) : count_(count) {}
  ~Counted() { ++count_; }
  int& count_;
};

// Throws at the end of so many calls, each with something to destroy.
__attribute__((noinline)) int throws(int depth, int& destroyed) {
  const Counted counted(destroyed);
  if (depth == 0) throw std::runtime_error(std::string(100, 'x'));
  return throws(depth - 1, destroyed) + 1;
}

TEST(ForeignCall, GivesWhatTheCallReturns) {
  EXPECT_EQ(foreign_call([] { return 7; }), 7);
  bool ran = false;
  foreign_call([&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(ForeignCall, MakesAnExceptionOneOfOurs) {
  int destroyed = 0;
  EXPECT_THROW(foreign_call([&] { return throws(20, destroyed); }), ForeignException);
  EXPECT_EQ(destroyed, 21);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  EXPECT_THROW(foreign_call([] { throw 1; }), ForeignException);
}

TEST(ForeignCall, IsLeftByTheInnermost) {
  int destroyed = 0;
  const int result = foreign_call([&]() -> int {
    try {
      return foreign_call([&] { return throws(3, destroyed); });
    } catch (const ForeignException&) {
      return 5;
    }
  });
  EXPECT_EQ(result, 5);
  EXPECT_THROW(foreign_call([&] { return throws(1, destroyed); }), ForeignException) << "as the outer one is again";
}

TEST(ForeignCall, KeepsTheCallersValues) {
  long values[12];
  for (long& value : values) value = &value - values;
  long a = values[1], b = values[2], c = values[3], d = values[4], e = values[5], f = values[6];
  double x = 0.5 * static_cast<double>(a), y = 0.25 * static_cast<double>(b);
  for (int i = 0; i < 100; ++i) {
    int destroyed = 0;
    EXPECT_THROW(foreign_call([&] { return throws(i % 5, destroyed); }), ForeignException);
    a += b, b += c, c += d, d += e, e += f, x += y;
  }
  EXPECT_EQ(e, 5 + 600);
  EXPECT_EQ(x, 0.5 + 100 * 0.5);
}

// Any unwinder's context: none at all.
TEST(ForeignCall, AsksNothingOfTheUnwinder) {
  static bool destroyed = false;
  _Unwind_Exception exception{};
  exception.exception_cleanup = [](_Unwind_Reason_Code, _Unwind_Exception*) { destroyed = true; };
  const auto unwind = [&] {
    EXPECT_EQ(oriel_foreign_frame(1, _UA_SEARCH_PHASE, 0, &exception, nullptr), _URC_HANDLER_FOUND);
    const auto second = static_cast<_Unwind_Action>(_UA_CLEANUP_PHASE | _UA_HANDLER_FRAME);
    oriel_foreign_frame(1, second, 0, &exception, nullptr);
    ADD_FAILURE() << "came back";
  };
  EXPECT_THROW(foreign_call(unwind), ForeignException);
  EXPECT_TRUE(destroyed);
}

TEST(ForeignCall, LetsAThreadEnd) {
  static int ended = 0;
  pthread_t thread{};
  const auto end = [](void*) -> void* {
    foreign_call([] { pthread_exit(&ended); });
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, end, nullptr), 0);
  void* result = nullptr;
  pthread_join(thread, &result);
  EXPECT_EQ(result, &ended);
}

}  // namespace
}  // namespace oriel
