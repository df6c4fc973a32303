#include "report/words/function_table.h"

#include <algorithm>

#include "profile/trees/scaffolding.h"
#include "report/words/function_name.h"
#include "report/words/more.h"
#include "report/words/table.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

void write_function_table(std::span<const FunctionTotals> functions, Order order, uint64_t whole,
                          const Profile& profile, const Options& options, std::string_view command,
                          const std::map<uint32_t, ShownLine>& lines, std::ostream& out) {
  const bool self_first = order == Order::kSelf;
  const auto title = [&](bool self) { return std::string(self ? "self" : "total"); };
  Table table({{title(self_first)}, {""}, {title(!self_first)}, {""}},
              titled(self_first ? "by self" : "by total", command, options));
  for (const FunctionTotals& entry : functions) {
    const uint64_t first = self_first ? entry.self : entry.total;
    const uint64_t second = self_first ? entry.total : entry.self;
    const profile::Function& function = profile.functions[entry.function];
    table.add(
        {percent_cell(first, whole), time_cell(first, profile), percent_cell(second, whole),
         time_cell(second, profile)},
        [&function, line = text_of(lines, entry.function)](size_t width) { return fit_at_line(function, line, width); },
        share(first, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
}

std::vector<FunctionTotals> top_by_self(std::vector<FunctionTotals> functions, size_t rows) {
  std::erase_if(functions, [](const FunctionTotals& entry) { return entry.self == 0; });
  functions.resize(std::min(functions.size(), rows));
  return functions;
}

std::vector<FunctionTotals> most_total_first(std::vector<FunctionTotals> functions, const Profile& profile,
                                             const Options& options) {
  if (!options.all_frames) {
    const std::vector<bool> scaffolding = profile::scaffolding_functions(profile);
    std::erase_if(functions, [&](const FunctionTotals& entry) { return scaffolding[entry.function]; });
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionTotals& a, const FunctionTotals& b) { return a.total > b.total; });
  return functions;
}

}  // namespace oriel::report
