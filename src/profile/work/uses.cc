#include "profile/work/uses.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "profile/work/boxing.h"
#include "profile/work/category.h"
#include "profile/work/purpose.h"
#include "profile/work/throwing.h"

namespace oriel::profile {
namespace {

struct UseRow {
  std::string_view begins;
  Use use;
};

// The first match counts, so special prefixes precede general ones.
constexpr UseRow kTable[] = {
    {"System.Text.RegularExpressions.Regex..ctor(", Use::kRegexMaking},
    {"System.Text.RegularExpressions.RegexParser.", Use::kRegexMaking},
    {"System.Text.RegularExpressions.RegexWriter.", Use::kRegexMaking},
    {"System.Text.RegularExpressions.RegexCompiler.", Use::kRegexMaking},
    {"System.Text.RegularExpressions.", Use::kRegexMatching},
    {"System.Text.Json.JsonSerializerOptions.", Use::kJsonMetadata},
    {"System.Text.Json.JsonSerializer.GetTypeInfo", Use::kJsonMetadata},
    {"System.Text.Json.Serialization.Metadata.DefaultJsonTypeInfoResolver.", Use::kJsonMetadata},
    {"System.Text.Json.Serialization.Metadata.JsonTypeInfo.Configure", Use::kJsonMetadata},
    {"System.Text.Json.Serialization.Metadata.JsonTypeInfo.EnsureConfigured", Use::kJsonMetadata},
    {"System.ValueType.Equals(", Use::kEquality},
    {"System.ValueType.GetHashCode(", Use::kEquality},
    {"System.Reflection.", Use::kReflection},
    {"System.RuntimeType.", Use::kReflection},
    {"System.Activator.", Use::kReflection},
    {"string.Concat", Use::kConcatenation},
    {"System.Globalization.CompareInfo.", Use::kCulture},
    {"System.Linq.", Use::kLinq},
    {"Microsoft.Extensions.Logging.FormattedLogValues.", Use::kLogFormatting},
    {"Microsoft.Extensions.Logging.LogValuesFormatter.", Use::kLogFormatting},
    {"System.Runtime.EH.", Use::kExceptions},
    {"System.Runtime.CompilerServices.DefaultInterpolatedStringHandler.", Use::kFormatting},
    {"string.Format", Use::kFormatting},
    {"System.Number.Format", Use::kFormatting},
    {"System.Number.TryFormat", Use::kFormatting},
    {"System.Number.Int32ToDecStr", Use::kFormatting},
    {"System.Number.UInt32ToDecStr", Use::kFormatting},
    {"System.DateTimeFormat.", Use::kFormatting},
    {"Microsoft.EntityFrameworkCore.", Use::kDatabase},
    {"Dapper.", Use::kDatabase},
    {"System.Data.", Use::kDatabase},
    {"Microsoft.Data.Sql", Use::kDatabase},
    {"SQLitePCL.", Use::kDatabase},
    {"Npgsql.", Use::kDatabase},
    {"MySqlConnector.", Use::kDatabase},
};

Use use_of(const Function& function, const Profile& profile) {
  if (purpose_of(function, profile).category == Category::kLocks) return Use::kLocks;
  if (!function.managed) return function.name == "[page fault]" ? Use::kLargeMemory : Use::kCount;
  const auto row =
      std::ranges::find_if(kTable, [&](const UseRow& one) { return function.name.starts_with(one.begins); });
  return row == std::end(kTable) ? Use::kCount : row->use;
}

bool allocates(const Function& function) {
  return !function.managed && (function.name == "[allocation]" || function.module.starts_with("libcoreclr"));
}

// Whether it is the code that reflection invokes: the runtime's call into it, or its stub where the method's frame is
// missing.
bool is_invoked(const Function& function, const Function& caller, const Profile& profile) {
  if (function.managed || caller.managed || !caller.module.starts_with("libcoreclr")) return false;
  const Category category = purpose_of(function, profile).category;
  return category == Category::kStubs || category == Category::kLookups;
}

// Whether regular expressions are compiled to IL, which the JIT compiles when a pattern first matches.
bool compiles_patterns(const Profile& profile) {
  return std::ranges::any_of(profile.functions, [](const Function& function) {
    return function.name.starts_with("System.Text.RegularExpressions.RegexLWCGCompiler.");
  });
}

// One-time work for a pattern during matching: construction by the static methods of Regex, or JIT compilation.
bool makes_pattern(Use callers, Use use, Category category, bool compiles) {
  return callers == Use::kRegexMatching && (use == Use::kRegexMaking || (compiles && category == Category::kJit));
}

// The library code between own code and a use. Only the authors of libraries can change what those do on their own.
enum class Through : uint8_t { kNothing, kBase, kFramework, kPackage };

Through through(const Function& function, const Profile& profile) {
  constexpr std::string_view kBases[] = {"System.Private.CoreLib", "System.Linq.dll", "System.Collections",
                                         "System.Reflection", "System.Runtime"};
  if (!function.managed) return Through::kNothing;
  const Category category = purpose_of(function, profile).category;
  if (category == Category::kPackage) return Through::kPackage;
  if (category != Category::kFramework) return Through::kNothing;
  const auto is_of = [&](std::string_view name) { return function.module.starts_with(name); };
  return std::ranges::any_of(kBases, is_of) ? Through::kBase : Through::kFramework;
}

// By node: the highest Through of the callers between it and the nearest own function.
std::vector<Through> through_by_node(const Profile& profile, const std::vector<uint32_t>& nearest) {
  std::vector<Through> by_function;
  for (const Function& function : profile.functions) by_function.push_back(through(function, profile));
  std::vector<Through> result(profile.nodes.size());
  for (size_t i = 1; i < result.size(); ++i) {
    const uint32_t caller = profile.nodes[i].parent;
    const uint32_t function = profile.nodes[caller].function;
    if (function != nearest[caller]) result[i] = std::max(result[caller], by_function[function]);
  }
  return result;
}

// Whether the author of the own code can do something about a use reached through `by`.
bool is_actionable(Use use, Through by) {
  switch (use) {
    case Use::kJsonMetadata:
    case Use::kDatabase:
    case Use::kExceptions:
    case Use::kLogFormatting:
      return true;
    case Use::kReflection:
      return by <= Through::kBase;
    default:
      return by <= Through::kFramework;
  }
}

// By node: the use of the outermost function that has one, between it and the nearest own function.
std::vector<Use> uses_by_node(const Profile& profile, const std::vector<uint32_t>& nearest,
                              const std::vector<Category>& categories) {
  std::vector<Use> by_function;
  for (const Function& function : profile.functions) by_function.push_back(use_of(function, profile));
  const std::vector<bool> boxes = boxing_positions(profile.places);
  const std::vector<uint32_t> throws = throwing_nodes(profile);
  const std::vector<Through> by = through_by_node(profile, nearest);
  const bool compiles = compiles_patterns(profile);
  std::vector<Use> result(profile.nodes.size(), Use::kCount);
  for (size_t i = 1; i < result.size(); ++i) {
    const Node& node = profile.nodes[i];
    if (node.function == nearest[i]) continue;
    const Node& caller = profile.nodes[node.parent];
    const Function& function = profile.functions[node.function];
    const bool called_back = function.managed && purpose_of(function, profile).category == Category::kPackage;
    if (result[node.parent] == Use::kReflection && is_invoked(function, profile.functions[caller.function], profile))
      result[i] = Use::kCount;
    else if (makes_pattern(result[node.parent], by_function[node.function], categories[i], compiles))
      result[i] = Use::kRegexMaking;
    else if (result[node.parent] != Use::kCount && !called_back)
      result[i] = result[node.parent];
    else if (boxes[caller.position] && allocates(function))
      result[i] = Use::kBoxing;
    else
      result[i] = throws[i] != 0 ? Use::kExceptions : by_function[node.function];
    if (!is_actionable(result[i], by[i])) result[i] = Use::kCount;
  }
  return result;
}

// Whether samples of the category count to the use. JIT time of library methods does not, except for code that the use
// generates.
bool is_part(Use use, Category category) {
  const bool makes_code = use == Use::kRegexMaking || use == Use::kJsonMetadata;
  if (category == Category::kJit && !makes_code) return false;
  if (use == Use::kLargeMemory) return category == Category::kKernel;
  if (use == Use::kLocks) return category == Category::kLocks;
  return category != Category::kOriel;
}

using PeriodsByFunction = std::map<uint32_t, uint64_t>;

// The JIT inlines ValueType.Equals, so its reflection shows up in the comparing method.
void take_what_is_inlined(PeriodsByFunction& reflection, PeriodsByFunction& equality) {
  constexpr uint64_t kLeastPart = 4;
  for (auto& [function, sum] : equality) {
    const auto found = reflection.find(function);
    if (found == reflection.end() || function == 0 || sum * kLeastPart < found->second) continue;
    sum += found->second;
    reflection.erase(found);
  }
}

}  // namespace

std::vector<uint64_t> periods_of_use(Use use, const Profile& profile) {
  const std::vector<Category> categories = node_categories(profile);
  const std::vector<Use> by_node = uses_by_node(profile, nearest_own(profile), categories);
  std::vector<uint64_t> result = profile.samples.by_node();
  for (size_t i = 0; i < result.size(); ++i) {
    if (by_node[i] != use || !is_part(use, categories[i])) result[i] = 0;
  }
  return result;
}

UseTotals use_totals(Use use, const std::map<uint32_t, uint64_t>& by_own) {
  UseTotals totals{.use = use};
  for (const auto& [function, sum] : by_own) {
    totals.periods += sum;
    if (function == 0 || sum <= totals.by_it) continue;
    totals.most_by = function;
    totals.by_it = sum;
  }
  return totals;
}

std::vector<UseTotals> uses(const Profile& profile) {
  const std::vector<uint32_t> nearest = nearest_own(profile);
  const std::vector<Category> categories = node_categories(profile);
  const std::vector<Use> by_node = uses_by_node(profile, nearest, categories);
  std::vector<PeriodsByFunction> by_own(static_cast<size_t>(Use::kCount));
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  for (size_t i = 0; i < periods.size(); ++i) {
    if (periods[i] != 0 && by_node[i] != Use::kCount && is_part(by_node[i], categories[i]))
      by_own[static_cast<size_t>(by_node[i])][nearest[i]] += periods[i];
  }
  take_what_is_inlined(by_own[static_cast<size_t>(Use::kReflection)], by_own[static_cast<size_t>(Use::kEquality)]);
  std::vector<UseTotals> result;
  for (size_t use = 0; use < by_own.size(); ++use) result.push_back(use_totals(static_cast<Use>(use), by_own[use]));
  return result;
}

}  // namespace oriel::profile
