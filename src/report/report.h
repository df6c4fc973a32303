// What people read of a log: reports as text or JSON.
//
//   Result<profile::Profile> profile = profile::load(path, progress);
//   profile::apply(filter, *profile);
//   write_report(*find_report("summary"), *profile, options, std::cout);
#pragma once

#include <cstddef>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::report {

struct Options {
  bool json = false;        // one JSON document; for a dump one JSON object per line
  bool color = false;       // ANSI colors in text; the caller checks for a terminal
  unsigned width = 100;     // maximum columns of a line, at least 80; lines of a dump may be longer
  size_t limit = 0;         // rows of each table, or events of a dump; 0: the report's default
  bool all = false;         // callgraph: the tree also with negligible nodes; diff: also changes within noise
  bool lines = true;        // source lines beside own methods, where known
  bool all_frames = false;  // trees, callers, tables by total: also scaffolding frames; alloc: the allocating methods
                            // themselves
  bool tree = false;        // calls, alloc, callgraph: a call tree instead of tables
  double min_share = 0.01;  // trees, callers: hide what has a smaller share of the whole; 0: show all
  std::string same_log;  // arguments that select this log and this part of it, "shop.oriel --thread main", for commands
                         // in texts; "" if none are needed
  std::string method;    // callers: an exact name, with or without parameters, or part of a name
  std::string by;        // coverage: the group of sums; "" means "file"
  bool uncovered = false;  // coverage: lines that did not run, by file
  std::string source;      // coverage: annotated source of this file or method
  std::string tests_of;    // coverage: tests that run this line, file or method
};

inline constexpr unsigned kLeastWidth = 80;

using Json = nlohmann::ordered_json;

// A report: a row at the end of the file that makes it, and its entry in report.cc's list.
struct Report {
  const char* name;  // "summary", "top", … as on the command line
  const char* help;  // one line

  // The argument between the report and the log on the command line, such as "METHOD"; it goes into Options::method.
  const char* argument = nullptr;
  // An error if the options do not fit the profile. Called before anything is written.
  Status (*check)(const profile::Profile& profile, const Options& options) = nullptr;
  void (*text)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Adds to an object that already names the report, file and filter.
  void (*json)(const profile::Profile& profile, const Options& options, Json& json) = nullptr;
  // Instead of `text`: may return an error for unsuitable options, but only before it writes anything.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Instead of `text` and `json`: streams from the file in either form, without a Profile.
  Status (*stream)(const std::string& path, const profile::Filter& filter, const Options& options,
                   std::ostream& out) = nullptr;

  bool of_methods = false;     // folds Oriel's own code into one frame (profile/trees/oriel_frames.h) unless
                               // Options::all_frames
  bool folds = false;          // folds scaffolding (profile/trees/scaffolding.h) unless Options::all_frames
  bool has_tree = false;       // supports Options::tree
  bool of_call_graph = false;  // reads the call graph file beside a log
  bool compares = false;       // compares two sides (report/diff.h); has no `text` or `json`
  bool of_processes = false;   // covers all processes of a run, not only the selected program
};

// All reports, in the order for lists.
std::span<const Report* const> all_reports();
// Null if there is none of that name.
const Report* find_report(std::string_view name);

// Writes a report of a profile, which notes what an earlier apply() filtered out. An error if the options do not fit
// the report (for callers: no method given, or no match; the message suggests names), if the report streams from the
// file, or if `out` fails. May fold stacks in the profile: move the profile in to save a copy.
Status write_report(const Report& report, profile::Profile profile, const Options& options, std::ostream& out);

// Streams a dump: one line per record or event, with kind, time, thread and names. The filter's method keeps events
// that name a matching method, and samples with one in the stack. Memory use does not grow with the number of events.
// Errors as log::decode_file, and if `out` fails.
Status write_dump(const std::string& path, const profile::Filter& filter, const Options& options, std::ostream& out);

}  // namespace oriel::report
