// What people read of a log: reports as text or JSON.
//
//   Result<profile::Profile> profile = profile::load(path, progress);
//   profile::apply(filter, *profile);
//   write_report(*find_report("summary"), *profile, options, std::cout);
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/own_options.h"
#include "base/status.h"
#include "profile/profile.h"

namespace oriel::report {

// What all reports take. A report with options of its own has a struct that derives from this one.
struct Options {
  Options() = default;
  Options(const Options&) = default;
  Options& operator=(const Options&) = default;
  virtual ~Options() = default;

  bool json = false;        // one JSON document; of a dump: one JSON object a line
  bool color = false;       // ANSI colors in text; the caller knows whether a terminal listens
  unsigned width = 100;     // columns of text that no line runs over (a dump's lines do); 80 at least
  size_t limit = 0;         // rows of each table, events of a dump; 0: what suits the report
  bool lines = true;        // beside own methods, where they are known
  double min_share = 0.01;  // trees, callers: what has less than this share of the whole is hidden; 0: show all
  std::string same_log;  // what a command needs to be of this log and this part of it, "shop.oriel --thread main", for
                         // commands that texts name; "" if nothing
  // Stacks with frames that are scaffolding too, of reports that take kAllFrames.
  bool all_frames = false;
};

using Option = OwnOption<Options>;

inline constexpr Option kAllFrames = own_flag<Options, &Options::all_frames>(
    "--all-frames",
    "also show frames that only start threads and tasks or pass on requests and queries, and Oriel's own");

// Of reports about something that the command names: a method, a table.
struct NamedOptions : Options {
  std::string name;  // of a method: an exact name, with or without parameters, or else a part of a name
};

inline constexpr unsigned kLeastWidth = 80;

using Json = nlohmann::ordered_json;

// A report: a row at the end of the file that makes it, and its entry in report.cc's list.
struct Report {
  const char* name;  // "summary", "top", … as on the command line
  const char* help;  // one line

  // What is to be named between the report and the log: "METHOD". That goes into NamedOptions::name.
  const char* argument = nullptr;
  // What it takes beside the options of all reports. The command's options, its help and completion follow from this.
  std::span<const Option> options = {};
  // A copy of options as the struct that they are members of: own_options<CoverageOptions>.
  std::unique_ptr<Options> (*own)(const Options& options) = own_options<Options>;
  // Why the options cannot be met with this profile. Asked before anything is written.
  Status (*check)(const profile::Profile& profile, const Options& options) = nullptr;
  // Functions that take options of the report's own: by_own<write_coverage>.
  void (*text)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Adds to an object that already names the report, file and filter.
  void (*json)(const profile::Profile& profile, const Options& options, Json& json) = nullptr;
  // Instead of `text`: may return an error for unsuitable options, but only before it writes anything.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Instead of `text` and `json`: streams from the file in either form, without a Profile.
  Status (*stream)(const std::string& path, const profile::Filter& filter, const Options& options,
                   std::ostream& out) = nullptr;

  bool of_methods = false;  // shows Oriel's own code as one (profile/trees/oriel_frames.h) unless Options::all_frames
  bool folds = false;       // shows stacks without scaffolding (profile/trees/scaffolding.h) unless Options::all_frames
  bool of_call_graph = false;  // reads the call graph that stands beside a log
  bool compares = false;       // two sides (report/diff.h), without `text` and `json`
  bool of_processes = false;   // about all processes of a run, not only the program that was meant
};

template <auto kFunction>
inline constexpr auto by_own = &ByOwn<Options, kFunction>::call;

// All of them, in the order in which to show them to a person.
std::span<const Report* const> all_reports();
// Null if there is none of that name.
const Report* find_report(std::string_view name);

// Sets an option of those that report.own made. `value` is "" of a flag. An error if the report takes no such option,
// or the value is none of its words.
Status set_option(const Report& report, Options& options, std::string_view name, const std::string& value);

// Writes a report of a profile, with options that report.own made or, for defaults of the report's own, Options. What
// an earlier apply() left out, the report says. An error if the options do not suit the report (of callers, if the
// method is missing or matches nothing: the message suggests names), if the report streams from the file, or if `out`
// fails. Stacks may be folded in the profile, so that moving it there saves a copy.
Status write_report(const Report& report, profile::Profile profile, const Options& options, std::ostream& out);

// Streams a dump: one line per record or event, with kind, time, thread and names. The filter's method keeps events
// that name a matching method, and samples with one in the stack. Memory use does not grow with the number of events.
// Errors as log::decode_file, and if `out` fails.
Status write_dump(const std::string& path, const profile::Filter& filter, const Options& options, std::ostream& out);

}  // namespace oriel::report
