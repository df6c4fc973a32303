// Tables of functions, for the summary and the top report.
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "profile/call_tree.h"
#include "report/report.h"
#include "report/table.h"

namespace oriel::report {

enum class Order { kSelf, kTotal };

// Rows as given; `order` says which figure comes first.
void write_function_table(std::span<const profile::FunctionTotals> functions, Order order, uint64_t whole,
                          const profile::Profile& profile, const Options& options, size_t indent, std::ostream& out);

std::vector<profile::FunctionTotals> most_total_first(std::vector<profile::FunctionTotals> functions);

}  // namespace oriel::report
