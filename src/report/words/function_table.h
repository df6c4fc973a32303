// Tables of functions, for the summary and the top report.
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

// Writes rows in the given order. `order` says which figure comes first; `command` shows more ("oriel report top"), or
// is empty; `lines`, by function, are shown behind names.
void write_function_table(std::span<const profile::FunctionTotals> functions, Order order, uint64_t whole,
                          const profile::Profile& profile, const Options& options, std::string_view command,
                          const std::map<uint32_t, ShownLine>& lines, std::ostream& out);

// The first `rows` functions with self samples, in the order of profile::function_totals.
std::vector<profile::FunctionTotals> top_by_self(std::vector<profile::FunctionTotals> functions, size_t rows);

// By total, descending; without scaffolding (profile/trees/scaffolding.h) unless the options ask for all frames.
std::vector<profile::FunctionTotals> most_total_first(std::vector<profile::FunctionTotals> functions,
                                                      const profile::Profile& profile, const Options& options);

// By function index: whether a short list by total time should have the function. On a path where all time passes from
// one function to the next, only a few are worth a line: the first own one, the callees of own code, and the last
// managed one. `all` must have all functions of the profile.
std::vector<bool> significant_functions(const std::vector<profile::FunctionTotals>& all,
                                        const profile::Profile& profile);

}  // namespace oriel::report
