// The call tree of the samples.
#include <fmt/format.h>

#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallTree;
using profile::Profile;

namespace {

std::string hidden_note(const CallTree& tree, const Options& options) {
  return fmt::format("Hidden: {} below {:.3g} % of the samples.", counted(tree.hidden_nodes, "call", "calls"),
                     options.min_share * 100);
}

void write_tree(const Profile& profile, const Options& options, std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  write_title("Call tree of " + counted(whole, "sample", "samples"), profile, options, out);
  if (whole == 0) return write_note(why_no_samples(profile), options, out);
  const uint64_t least = least_total(whole, options);
  const CallTree tree = profile::call_tree(profile, least);
  write_tree_text(tree, {whole, least, options.limit}, profile, options, out);
  if (tree.hidden_nodes == 0 && profile.folded_nodes == 0) return;
  out << '\n';
  write_folded_note(profile, options, out);
  if (tree.hidden_nodes == 0) return;
  write_note(hidden_note(tree, options), options, out);
}

void tree_json(const Profile& profile, const Options& options, Json& json) {
  const uint64_t whole = profile.total_periods();
  const CallTree tree = profile::call_tree(profile, least_total(whole, options));
  json["samples"] = whole;
  json["hidden_nodes"] = tree.hidden_nodes;
  json["nodes"] = tree_rows_json(tree, profile, options);
  if (whole == 0) json["note"] = why_no_samples(profile);
}

}  // namespace

extern const Report kTreeReport = {
    .name = "tree",
    .help = "the call tree from the threads' starts down",
    .options = {&kAllFrames, 1},
    .text = write_tree,
    .json = tree_json,
    .of_methods = true,
    .folds = true,
};

}  // namespace oriel::report
