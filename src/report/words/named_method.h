// Finding the method of a report (callers, lines) by the name that the user gave.
#pragma once

#include <string>
#include <vector>

#include "profile/trees/call_tree.h"
#include "report/report.h"

namespace oriel::report {

// An error with suggestions if Options::method matches no sampled method; `what` is the report, "callers".
Status check_method(const char* what, const profile::Profile& profile, const Options& options);

// The methods that match, and how many of them are shown.
std::vector<profile::FunctionTotals> named_methods(const profile::Profile& profile, const Options& options);
size_t shown_methods(const std::vector<profile::FunctionTotals>& methods, const Options& options);

// Writes a note about matches that are not shown.
void write_more_methods(const std::vector<profile::FunctionTotals>& methods, const Options& options, std::ostream& out);

}  // namespace oriel::report
