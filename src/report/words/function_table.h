// Lists of functions, for the summary and the top report.
#pragma once

#include <map>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "profile/trees/call_tree.h"
#include "report/report.h"
#include "report/words/shown_line.h"

namespace oriel::report {

enum class Order { kSelf, kTotal };

// Rows as given; `order` says which figure comes first, `command` what shows more: "oriel report top", or nothing;
// `lines` (by function) stand behind the names.
void write_function_table(std::span<const profile::FunctionTotals> functions, Order order, uint64_t whole,
                          const profile::Profile& profile, const Options& options, std::string_view command,
                          const std::map<uint32_t, ShownLine>& lines, std::ostream& out);

// The first `rows` of those that have samples of their own, of functions as profile::function_totals gives them.
std::vector<profile::FunctionTotals> top_by_self(std::vector<profile::FunctionTotals> functions, size_t rows);

// Most total first, without scaffolding (profile/trees/scaffolding.h) unless all frames are asked for.
std::vector<profile::FunctionTotals> most_total_first(std::vector<profile::FunctionTotals> functions,
                                                      const profile::Profile& profile, const Options& options);

// By function index: whether a short list by total time is to have the method. Of a way on which all time passes from
// one method to the next few are worth a line: the first of the program's own, what own code asks .NET for, and where
// managed code ends. `all` are all of the profile's functions.
std::vector<bool> telling_functions(const std::vector<profile::FunctionTotals>& all, const profile::Profile& profile);

}  // namespace oriel::report
