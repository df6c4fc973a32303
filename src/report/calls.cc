// Logged calls by method, or as a call tree.
#include <fmt/format.h>

#include <algorithm>

#include "profile/trees/weight.h"
#include "report/call_sums.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/text.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallSums;
using profile::MethodCalls;
using profile::Profile;

namespace {

constexpr size_t kCallRows = 25;

void write_notes(const Profile& profile, size_t shown, size_t all, const Options& options, std::ostream& out) {
  std::vector<std::string> notes = unpaired_sentences(profile);
  if (const std::string running = running_text(profile); !running.empty()) notes.insert(notes.begin(), running + ".");
  if (std::string probes = probes_text(profile); !probes.empty()) notes.push_back(std::move(probes));
  if (const std::string done = instrumented_text(profile); !done.empty()) notes.push_back(done + ".");
  if (shown < all)
    notes.insert(notes.begin(), fmt::format("The first {} of {}.", count(shown), counted(all, "method", "methods")));
  if (!notes.empty()) out << '\n';
  for (const std::string& note : notes) write_note(note, options, out);
}

void write_calls(const Profile& profile, const TreeOptions& options, std::ostream& out) {
  if (const Status status = profile::check_weight(profile::WeightKind::kCallsTime, profile); !status) {
    write_title("Calls", profile, options, out);
    write_note("There are " + clean(status.message()) + ".", options, out);
    return write_notes(profile, 0, 0, options, out);
  }
  write_title(calls_text(profile), profile, options, out, profile::Unit::kNanoseconds);
  std::vector<MethodCalls> methods = profile::method_calls(profile);
  if (methods.empty()) return write_note("No calls left: none matches the filter.", options, out);
  if (options.tree) {
    write_weighed(*profile::by_weight(profile::WeightKind::kCallsTime, profile, shown_recursion(profile)), options,
                  out);
    return write_notes(profile, 0, 0, options, out);
  }
  const size_t all = methods.size();
  methods.resize(std::min(all, rows(options, kCallRows)));
  write_method_table(methods, profile::sum_calls(profile).self_ns, profile, options, out);
  write_notes(profile, methods.size(), all, options, out);
}

void calls_json(const Profile& profile, const TreeOptions& options, Json& json) {
  json.update(call_sums_json(profile));
  const Status logged = profile::check_weight(profile::WeightKind::kCallsTime, profile);
  if (!logged) json["note"] = logged.message();
  if (options.tree) {
    json["nodes"] = Json::array();
    if (logged)
      add_weighed(*profile::by_weight(profile::WeightKind::kCallsTime, profile, shown_recursion(profile)), options,
                  json);
    return;
  }
  json["methods"] = Json::array();
  for (const MethodCalls& method : profile::method_calls(profile)) {
    if (options.limit != 0 && json["methods"].size() == options.limit) break;
    json["methods"].push_back(method_json(method, profile));
  }
}

constexpr Option kCallsOptions[] = {kTree, kAllFrames};

}  // namespace

extern const Report kCallsReport = {
    .name = "calls",
    .help = "logged calls by method: how many, how long; with --tree, who called what",
    .options = kCallsOptions,
    .own = own_options<TreeOptions>,
    .text = by_own<write_calls>,
    .json = by_own<calls_json>,
};

}  // namespace oriel::report
