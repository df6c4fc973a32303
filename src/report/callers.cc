// The callers of a method: an inverted call tree.
#include <fmt/format.h>

#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/named_method.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallTree;
using profile::FunctionTotals;
using profile::Profile;

namespace {

constexpr size_t kDirectCallers = 10;  // shown whatever their share

void write_callers(const Profile& profile, const NamedOptions& options, std::ostream& out) {
  const std::vector<FunctionTotals> functions = named_methods(profile, options);
  const Style style(options.color);
  const uint64_t whole = profile.total_periods();
  const size_t shown = shown_methods(functions, options);
  write_title(fmt::format("Callers of {}", clean(options.name)), profile, options, out);
  for (size_t i = 0; i < shown; ++i) {
    const FunctionTotals& entry = functions[i];
    const uint64_t least = least_total(entry.total, options);
    const CallTree tree = profile::callers(profile, entry.function, least, kDirectCallers);
    if (i > 0) out << '\n';
    out << style.bold(fit_function(profile.functions[entry.function], options.width)) << '\n';
    write_note(fmt::format("{} of all samples are in it and its callees (100 % below), {} in itself.",
                           percent(entry.total, whole), percent(entry.self, whole)),
               options, out);
    TreeText text = {entry.total, least, 0};
    text.arrow = "←";
    text.total = "through";
    text.self = "starts";
    write_tree_text(tree, text, profile, options, out);
    if (tree.nodes[0].self > 0)
      out << pad_left(percent(tree.nodes[0].self, entry.total), 7) << "           without a caller\n";
    if (tree.hidden_nodes > 0)
      write_note(fmt::format("Hidden: {} below {:.3g} % of the method's samples.",
                             counted(tree.hidden_nodes, "caller", "callers"), options.min_share * 100),
                 options, out);
  }
  if (profile.folded_nodes > 0) out << '\n';
  write_folded_note(profile, options, out);
  write_more_methods(functions, options, out);
}

void callers_json(const Profile& profile, const NamedOptions& options, Json& json) {
  const std::vector<FunctionTotals> functions = named_methods(profile, options);
  const uint64_t whole = profile.total_periods();
  json["method"] = options.name;
  json["samples"] = whole;
  json["matching"] = functions.size();
  json["methods"] = Json::array();
  for (size_t i = 0; i < shown_methods(functions, options); ++i) {
    const FunctionTotals& entry = functions[i];
    const CallTree tree = profile::callers(profile, entry.function, least_total(entry.total, options), kDirectCallers);
    Json method = totals_json(entry, profile, whole);
    method["without_caller"] = tree.nodes[0].self;
    method["hidden_nodes"] = tree.hidden_nodes;
    method["callers"] = tree_rows_json(tree, profile, options);
    json["methods"].push_back(std::move(method));
  }
}

Status check_callers(const Profile& profile, const NamedOptions& options) {
  return check_method("callers", profile, options);
}

}  // namespace

extern const Report kCallersReport = {
    .name = "callers",
    .help = "who calls a method, with each caller's share of its samples",
    .argument = "METHOD",
    .options = {&kAllFrames, 1},
    .own = own_options<NamedOptions>,
    .check = by_own<check_callers>,
    .text = by_own<write_callers>,
    .json = by_own<callers_json>,
    .of_methods = true,
    .folds = true,
};

}  // namespace oriel::report
