#include <fmt/format.h>

#include "profile/trees/scaffolding.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallTree;
using profile::Profile;

namespace {

struct UnitNames {
  const char* json;
  const char* text;
};

UnitNames names_of(profile::Unit unit) {
  switch (unit) {
    case profile::Unit::kPeriods:
      return {"samples", "samples"};
    case profile::Unit::kNanoseconds:
      return {"ns", "time"};
    case profile::Unit::kBytes:
    case profile::Unit::kBytesAlive:
      return {"bytes", "bytes"};
    case profile::Unit::kObjects:
      break;
  }
  return {"objects", "objects"};
}

}  // namespace

void write_folded_note(const Profile& profile, const Options& options, std::ostream& out) {
  if (profile.folded_nodes > 0)
    write_note(
        "Folded: frames that only start threads and tasks, or pass on requests and queries (--all-frames shows them).",
        options, out);
}

profile::Recursion shown_recursion(const Profile& profile) {
  return profile.call_total().aggregated ? profile::Recursion::kFolded : profile::Recursion::kAsLogged;
}

void write_weighed(Profile weighed, const Options& options, std::ostream& out) {
  if (!options.all_frames) profile::fold_scaffolding(weighed);
  const uint64_t whole = weighed.total_periods();
  const uint64_t least = least_total(whole, options);
  const CallTree tree = profile::call_tree(weighed, least);
  write_tree_text(tree, {whole, least, options.limit}, weighed, options, out);
  if (tree.hidden_nodes == 0 && weighed.folded_nodes == 0) return;
  out << '\n';
  write_folded_note(weighed, options, out);
  if (tree.hidden_nodes == 0) return;
  write_note(fmt::format("Hidden: {} below {:.3g} % of the {}.", counted(tree.hidden_nodes, "branch", "branches"),
                         options.min_share * 100, names_of(weighed.unit).text),
             options, out);
}

void add_weighed(Profile weighed, const Options& options, Json& json) {
  if (!options.all_frames) profile::fold_scaffolding(weighed);
  const uint64_t whole = weighed.total_periods();
  const CallTree tree = profile::call_tree(weighed, least_total(whole, options));
  json["unit"] = names_of(weighed.unit).json;
  json["total"] = whole;
  json["hidden_nodes"] = tree.hidden_nodes;
  json["nodes"] = tree_rows_json(tree, weighed, options);
}

}  // namespace oriel::report
