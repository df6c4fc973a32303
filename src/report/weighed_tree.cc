#include <fmt/format.h>

#include "report/json.h"
#include "report/notes.h"
#include "report/tree_text.h"
#include "report/units.h"

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
      return {"bytes", "bytes"};
    case profile::Unit::kObjects:
      break;
  }
  return {"objects", "objects"};
}

}  // namespace

profile::Recursion shown_recursion(const Profile& profile) {
  return profile.calls.aggregated ? profile::Recursion::kFolded : profile::Recursion::kAsLogged;
}

void write_weighed(const Profile& weighed, const Options& options, std::ostream& out) {
  const uint64_t whole = weighed.total_periods();
  const uint64_t least = least_total(whole, options);
  const CallTree tree = profile::call_tree(weighed, least);
  write_weighed_tree(tree, {whole, least, options.limit}, weighed, options, out);
  if (tree.hidden_nodes == 0) return;
  out << '\n';
  write_note(fmt::format("Hidden: {} below {:.3g} % of the {}.", counted(tree.hidden_nodes, "branch", "branches"),
                         options.min_share * 100, names_of(weighed.unit).text),
             options, out);
}

void add_weighed(const Profile& weighed, const Options& options, Json& json) {
  const uint64_t whole = weighed.total_periods();
  const CallTree tree = profile::call_tree(weighed, least_total(whole, options));
  json["unit"] = names_of(weighed.unit).json;
  json["total"] = whole;
  json["hidden_nodes"] = tree.hidden_nodes;
  json["nodes"] = tree_rows_json(tree, weighed);
}

}  // namespace oriel::report
