// Who calls a method: the call tree turned round.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/function_name.h"
#include "report/json.h"
#include "report/notes.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tree_text.h"
#include "report/units.h"

namespace oriel::report {

using profile::CallTree;
using profile::FunctionTotals;
using profile::Profile;

namespace {

constexpr size_t kCallersOf = 5;       // methods that match a pattern
constexpr size_t kDirectCallers = 10;  // shown however small

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Names that are like the pattern but for the case of letters; if there are none, those with the most samples.
std::vector<std::string> suggestions(const Profile& profile, const std::string& pattern) {
  constexpr size_t kSuggestions = 3;
  constexpr size_t kWidth = 60;
  std::vector<std::string> alike;
  std::vector<std::string> first;
  for (const FunctionTotals& entry : profile::function_totals(profile)) {
    const std::string& name = profile.functions[entry.function].name;
    if (alike.size() < kSuggestions && lower(name).find(lower(pattern)) != std::string::npos)
      alike.push_back(fit_name(name, kWidth));
    if (first.size() < kSuggestions) first.push_back(fit_name(name, kWidth));
  }
  return alike.empty() ? first : alike;
}

Status no_such_method(const Profile& profile, const std::string& pattern) {
  if (profile.samples.empty()) return Status::error(why_no_samples(profile));
  return Status::error(fmt::format("no sampled method has \"{}\" in its name; try one of: {}", pattern,
                                   fmt::join(suggestions(profile, pattern), "; ")));
}

Status check_callers(const Profile& profile, const Options& options) {
  if (options.method.empty()) return Status::error("callers of which method? Give a name or a part of one");
  const bool any = !profile::matching_functions(profile, options.method).empty();
  return any ? Status::ok() : no_such_method(profile, options.method);
}

size_t shown_functions(const std::vector<FunctionTotals>& functions, const Options& options) {
  return std::min(functions.size(), rows(options, kCallersOf));
}

void write_callers(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<FunctionTotals> functions = profile::matching_functions(profile, options.method);
  const Style style(options.color);
  const uint64_t whole = profile.total_periods();
  const size_t shown = shown_functions(functions, options);
  write_title(fmt::format("Callers of {}", clean(options.method)), profile, options, out);
  for (size_t i = 0; i < shown; ++i) {
    const FunctionTotals& entry = functions[i];
    const uint64_t least = least_total(entry.total, options);
    const CallTree tree = profile::callers(profile, entry.function, least, kDirectCallers);
    if (i > 0) out << '\n';
    out << style.bold(fit_function(profile.functions[entry.function], options.width)) << '\n';
    write_note(
        fmt::format("{} of all samples are in it and what it calls, {} in itself. Shares below are of the former.",
                    percent(entry.total, whole), percent(entry.self, whole)),
        options, out);
    out << style.dim("through   starts") << '\n';
    TreeText text = {entry.total, least, 0};
    text.arrow = "←";
    write_tree_text(tree, text, profile, options, out);
    if (tree.nodes[0].self > 0)
      out << pad_left(percent(tree.nodes[0].self, entry.total), 7) << "           without a caller\n";
    if (tree.hidden_nodes > 0)
      write_note(fmt::format("Hidden: {} below {:.3g} % of the method's samples.",
                             counted(tree.hidden_nodes, "caller", "callers"), options.min_share * 100),
                 options, out);
  }
  if (shown == functions.size()) return;
  out << '\n';
  write_note(fmt::format("{} more match, with less: give a longer name, or a higher limit.",
                         counted(functions.size() - shown, "method", "methods")),
             options, out);
}

void callers_json(const Profile& profile, const Options& options, Json& json) {
  const std::vector<FunctionTotals> functions = profile::matching_functions(profile, options.method);
  const uint64_t whole = profile.total_periods();
  json["method"] = options.method;
  json["samples"] = whole;
  json["matching"] = functions.size();
  json["methods"] = Json::array();
  for (size_t i = 0; i < shown_functions(functions, options); ++i) {
    const FunctionTotals& entry = functions[i];
    const CallTree tree = profile::callers(profile, entry.function, least_total(entry.total, options), kDirectCallers);
    Json method = totals_json(entry, profile, whole);
    method["without_caller"] = tree.nodes[0].self;
    method["hidden_nodes"] = tree.hidden_nodes;
    method["callers"] = tree_rows_json(tree, profile);
    json["methods"].push_back(std::move(method));
  }
}

}  // namespace

extern const Report kCallersReport = {
    .name = "callers",
    .help = "who calls a method, and for which share of its samples",
    .argument = "METHOD",
    .check = check_callers,
    .text = write_callers,
    .json = callers_json,
};

}  // namespace oriel::report
