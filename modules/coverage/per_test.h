// Tells a program's tests apart while they run, by probes in them.
#pragma once

#include "oriel/oriel.h"
#include "test_periods.h"

namespace oriel::covering {

// `begin`, `end`: as of TestPeriods; they may wait. Once, before managed code runs.
void tell_tests_apart(oriel_profiler_handle handle, TestPeriods::Names begin, TestPeriods::Names end);

// Whether the image has tests, as the profiler's image filter must not leave it out then. Any thread.
bool has_tests(oriel_image* image);
// The last test's stretch ends, if tests are told apart.
void finish_tests();

}  // namespace oriel::covering
