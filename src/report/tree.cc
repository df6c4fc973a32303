// The call tree, and the inverted one of a method's callers.
#include <fmt/format.h>

#include <algorithm>

#include "report/function_name.h"
#include "report/sections.h"
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

void write_tree_header(const Options& options, std::ostream& out) {
  out << Style(options.color).dim("  total     self") << '\n';
}

std::string hidden_note(const CallTree& tree, const Options& options) {
  return fmt::format("Hidden: {} below {:.3g} % of the samples.", counted(tree.hidden_nodes, "call", "calls"),
                     options.min_share * 100);
}

size_t shown_functions(const std::vector<FunctionTotals>& functions, const Options& options) {
  return std::min(functions.size(), options.limit == 0 ? kCallersOf : options.limit);
}

}  // namespace

void write_tree(const Profile& profile, const Options& options, std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  write_title("Call tree of " + counted(whole, "sample", "samples"), profile, options, out);
  if (whole == 0) return write_note(why_no_samples(profile), options, out);
  const uint64_t least = least_total(whole, options);
  const CallTree tree = profile::call_tree(profile, least);
  write_tree_header(options, out);
  write_tree_text(tree, {whole, least, options.limit}, profile, options, out);
  if (tree.hidden_nodes == 0) return;
  out << '\n';
  write_note(hidden_note(tree, options), options, out);
}

Json tree_json(const Profile& profile, const Options& options) {
  Json json = json_head("tree", profile);
  const uint64_t whole = profile.total_periods();
  const CallTree tree = profile::call_tree(profile, least_total(whole, options));
  json["samples"] = whole;
  json["hidden_nodes"] = tree.hidden_nodes;
  json["nodes"] = tree_rows_json(tree, profile);
  if (whole == 0) json["note"] = why_no_samples(profile);
  return json;
}

void write_callers(const Profile& profile, const std::vector<FunctionTotals>& functions, const Options& options,
                   std::ostream& out) {
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

Json callers_json(const Profile& profile, const std::vector<FunctionTotals>& functions, const Options& options) {
  Json json = json_head("callers", profile);
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
  return json;
}

}  // namespace oriel::report
