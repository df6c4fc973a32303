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
  bool json = false;     // one JSON document; of a dump: one JSON object a line
  bool color = false;    // ANSI colors in text; the caller knows whether a terminal listens
  unsigned width = 100;  // columns of text that no line runs over (a dump's lines do); 80 at least
  size_t limit = 0;      // rows of each table, events of a dump; 0: what suits the report
  bool all = false;      // callgraph: the tree with what has next to no time too; diff: what is noise too
  bool lines = true;     // beside own methods, where they are known
  bool all_frames =
      false;          // trees, callers, tables by total: also frames that are scaffolding; alloc: sites themselves
  bool tree = false;  // calls, alloc, callgraph: as a tree of calls instead of tables
  double min_share = 0.01;  // trees, callers: what has less than this share of the whole is hidden; 0: show all
  std::string same_log;  // what a command needs to be of this log and this part of it, "shop.oriel --thread main", for
                         // commands that texts name; "" if nothing
  std::string method;    // callers: an exact name, with or without parameters, or else a part of a name
  std::string by;        // coverage: what to sum up, "file" if it is empty
  bool uncovered = false;  // coverage: which lines did not run, by file
  std::string source;      // coverage: the source of this file or method, with marks
  std::string tests_of;    // coverage: the tests that run this line, file or method
};

inline constexpr unsigned kLeastWidth = 80;

using Json = nlohmann::ordered_json;

// A report is one such row, at the end of the file that makes it, and its place in report.cc's list.
struct Report {
  const char* name;  // "summary", "top", … as on the command line
  const char* help;  // one line

  // What is to be named between the report and the log: "METHOD". That goes into Options::method.
  const char* argument = nullptr;
  // Why the options cannot be met with this profile. Asked before anything is written.
  Status (*check)(const profile::Profile& profile, const Options& options) = nullptr;
  void (*text)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Adds to an object that says already which report of which file and filter it is.
  void (*json)(const profile::Profile& profile, const Options& options, Json& json) = nullptr;
  // Instead of `text`: may find only as it writes that the options cannot be met. It has written nothing then.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Instead of `text` and `json`: streams from the file, in either form, without a Profile.
  Status (*stream)(const std::string& path, const profile::Filter& filter, const Options& options,
                   std::ostream& out) = nullptr;

  bool of_methods = false;  // shows Oriel's own code as one (profile/trees/oriel_frames.h) unless Options::all_frames
  bool folds = false;       // shows stacks without scaffolding (profile/trees/scaffolding.h) unless Options::all_frames
  bool has_tree = false;    // knows Options::tree
  bool of_call_graph = false;  // reads the call graph that stands beside a log
  bool compares = false;       // two sides (report/diff.h), without `text` and `json`
  bool of_processes = false;   // about all processes of a run, not only the program that was meant
};

// All of them, in the order in which to show them to a person.
std::span<const Report* const> all_reports();
// Null if none has that name.
const Report* find_report(std::string_view name);

// Writes a report of a profile. What an earlier apply() left out, the report says. An error if the options do not suit
// the report (of callers, if the method is missing or matches nothing: the message suggests names), if the report
// streams from the file, or if `out` fails.
// Stacks may be folded in the profile, so that moving it there saves a copy.
Status write_report(const Report& report, profile::Profile profile, const Options& options, std::ostream& out);

// The dump, which streams. Writes every record and event of the file as a line: its kind, time, thread and names. The
// filter's method keeps events that name such a method and samples with such a frame. Memory use does not grow with the
// events. Errors: those of log::decode_file, and if `out` fails.
Status write_dump(const std::string& path, const profile::Filter& filter, const Options& options, std::ostream& out);

}  // namespace oriel::report
