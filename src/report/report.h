// What people read of a log: reports as text or JSON.
//
//   Result<profile::Profile> profile = profile::load(path, progress);
//   profile::apply(filter, *profile);
//   write_report(Kind::kSummary, *profile, options, std::cout);
//
// A dump does not go through a Profile: it streams from the decoder.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::report {

enum class Kind { kSummary, kTop, kTree, kCallers, kThreads, kGc, kExceptions, kCalls, kAlloc, kCallgraph, kDump };

struct KindDescription {
  Kind kind;
  const char* name;  // "summary", "top", … as on the command line
  const char* help;  // one line
};

// All of them, in the order in which to show them to a person.
std::span<const KindDescription> all_kinds();
std::optional<Kind> kind_by_name(std::string_view name);

struct Options {
  bool json = false;        // one JSON document; of a dump: one JSON object a line
  bool color = false;       // ANSI colors in text; the caller knows whether a terminal listens
  unsigned width = 100;     // columns of text that no line runs over (a dump's lines do); 80 at least
  size_t limit = 0;         // rows of each table, events of a dump; 0: what suits the kind
  bool all = false;         // callgraph: the tree with what has next to no time too
  bool tree = false;        // calls, alloc, callgraph: as a tree of calls instead of tables
  double min_share = 0.01;  // trees, callers: what has less than this share of the whole is hidden; 0: show all
  std::string method;       // callers: an exact name, with or without parameters, or else a part of a name
};

// Writes one report of any kind but kDump. What an earlier apply() left out, the report says. An error if the method
// of kCallers is missing or matches nothing (the message suggests names), if the kind is kDump, or if `out` fails.
Status write_report(Kind kind, const profile::Profile& profile, const Options& options, std::ostream& out);

// Writes every record and event of the file as a line: its kind, time, thread and names. The filter's method keeps
// events that name such a method and samples with such a frame. Memory use does not grow with the events. Errors: those
// of log::decode_file, and if `out` fails.
Status write_dump(const std::string& path, const profile::Filter& filter, const Options& options, std::ostream& out);

}  // namespace oriel::report
