// Finding the method of a report (callers, lines) by the name that the user gave.
#pragma once

#include <string>
#include <vector>

#include "profile/trees/call_tree.h"
#include "report/report.h"

namespace oriel::report {

// An error if NamedOptions::name names no sampled method, with what it might have meant; `what`: "callers".
Status check_method(const char* what, const profile::Profile& profile, const NamedOptions& options);

// The methods that it means, and how many of them are shown.
std::vector<profile::FunctionTotals> named_methods(const profile::Profile& profile, const NamedOptions& options);
size_t shown_methods(const std::vector<profile::FunctionTotals>& methods, const Options& options);

// Writes a note about matches that are not shown.
void write_more_methods(const std::vector<profile::FunctionTotals>& methods, const Options& options, std::ostream& out);

}  // namespace oriel::report
