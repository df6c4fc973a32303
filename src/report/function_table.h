// Lists of functions, for the summary and the top report.
#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "profile/call_tree.h"
#include "report/report.h"

namespace oriel::report {

enum class Order { kSelf, kTotal };

// Rows as given; `order` says which figure comes first, `command` what shows more: "oriel report top", or nothing.
void write_function_table(std::span<const profile::FunctionTotals> functions, Order order, uint64_t whole,
                          const profile::Profile& profile, const Options& options, std::string_view command,
                          std::ostream& out);

// The first `rows` of those that have samples of their own, of functions as profile::function_totals gives them.
std::vector<profile::FunctionTotals> top_by_self(std::vector<profile::FunctionTotals> functions, size_t rows);

std::vector<profile::FunctionTotals> most_total_first(std::vector<profile::FunctionTotals> functions);

// By function index: whether a short list by total time is to have the method. Of a way on which all time passes from
// one method to the next few are worth a line: the first of the program's own, what own code asks .NET for, and where
// managed code ends. `all` are all of the profile's functions.
std::vector<bool> telling_functions(const std::vector<profile::FunctionTotals>& all, const profile::Profile& profile);

}  // namespace oriel::report
