// Distinguishes a program's tests while they run, by probes in them.
#pragma once

#include "oriel/oriel.h"
#include "test_periods.h"

namespace oriel::coverage_module {

// `begin`, `end`: as in TestPeriods; they may block. Call once, before managed code runs.
void start_per_test(oriel_profiler_handle handle, TestPeriods::Names begin, TestPeriods::Names end);

// Nobody asks for the tests any more.
void stop_telling_tests_apart(oriel_profiler_handle handle);

// Whether the image has tests, as the profiler's image filter must not leave it out then. Any thread.
bool has_tests(oriel_image* image);
// Ends the last test's period, if tests are distinguished.
void finish_tests();

}  // namespace oriel::coverage_module
