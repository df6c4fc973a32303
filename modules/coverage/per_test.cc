#include "per_test.h"

#include <utility>

#include "test_code.h"

namespace oriel::coverage_module {
namespace {

using assembly::TestRole;

// Lives as long as the process, like the tests.
struct Tests {
  TestCode code;
  TestPeriods periods;
};
Tests* told_apart = nullptr;

uint32_t filter_calls(oriel_profiler*, oriel_method* method) {
  try {
    const TestCode::Role* const role = told_apart->code.find(method);
    if (role == nullptr) return ORIEL_CALLS_NONE;
    if (role->role == TestRole::kTestsBody) return ORIEL_CALLS_ASYNC;
    // These callbacks wait for the log.
    constexpr uint32_t kBegin = ORIEL_CALLS_ENTER | ORIEL_CALLS_FULL;
    return role->role == TestRole::kBefore ? kBegin : kBegin | ORIEL_CALLS_LEAVE | ORIEL_CALLS_EXCEPTION_LEAVE;
  } catch (...) {
    return ORIEL_CALLS_NONE;
  }
}

void enter(oriel_profiler*, oriel_method* method, const void*) {
  const TestCode::Role* const role = told_apart->code.known(method);
  if (role == nullptr) return;
  try {
    if (role->role == TestRole::kBefore)
      told_apart->periods.prepares();
    else if (role->role == TestRole::kTest)
      told_apart->periods.begins(*role->test);
  } catch (...) {
    oriel_warn("coverage: out of memory; what a test ran counts for the one before it");
  }
}

// An async test that returns has only started, unless its body has already completed.
void leave(oriel_profiler*, oriel_method* method, const void*) {
  const TestCode::Role* const role = told_apart->code.known(method);
  if (role != nullptr && role->role == TestRole::kTest && !role->ends_later) TestPeriods::ends(*role->test);
}

void leave_by_exception(oriel_profiler* profiler, oriel_method* method, oriel_object*) {
  leave(profiler, method, nullptr);
}

void complete(oriel_profiler*, oriel_method* method, uint32_t, oriel_object*) {
  const TestCode::Role* const role = told_apart->code.known(method);
  if (role != nullptr && role->role == TestRole::kTestsBody) TestPeriods::ends(*role->test);
}

}  // namespace

void start_per_test(oriel_profiler_handle handle, TestPeriods::Names begin, TestPeriods::Names end) {
  told_apart = new Tests{{}, TestPeriods(std::move(begin), std::move(end))};
  oriel_profiler_set_method_enter_callback(handle, enter);
  oriel_profiler_set_method_leave_callback(handle, leave);
  oriel_profiler_set_method_exception_leave_callback(handle, leave_by_exception);
  // Completion is reported only for methods whose resumption was observed.
  oriel_profiler_set_async_resume_callback(handle, [](oriel_profiler*, oriel_method*, uint32_t) {});
  oriel_profiler_set_async_complete_callback(handle, complete);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, filter_calls);
}

void stop_telling_tests_apart(oriel_profiler_handle handle) {
  oriel_profiler_set_call_instrumentation_filter_callback(handle, nullptr);
  oriel_profiler_set_method_enter_callback(handle, nullptr);
  oriel_profiler_set_method_leave_callback(handle, nullptr);
  oriel_profiler_set_method_exception_leave_callback(handle, nullptr);
  oriel_profiler_set_async_resume_callback(handle, nullptr);
  oriel_profiler_set_async_complete_callback(handle, nullptr);
}

bool has_tests(oriel_image* image) {
  try {
    return told_apart != nullptr && told_apart->code.has_tests(image);
  } catch (...) {
    return false;
  }
}

void finish_tests() {
  if (told_apart != nullptr) told_apart->periods.finish();
}

}  // namespace oriel::coverage_module
