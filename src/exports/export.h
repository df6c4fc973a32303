// Profiles in formats of other viewers: collapsed stacks, speedscope, pprof; traces over time; our own web page;
// snapshots of the heap; and all tables as a database, CSV or Parquet.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/own_options.h"
#include "base/status.h"
#include "profile/profile.h"
#include "profile/trees/weight.h"

namespace oriel::exports {

// What all exports take. One with options of its own has a struct that derives from this one.
struct Options {
  Options() = default;
  Options(const Options&) = default;
  Options& operator=(const Options&) = default;
  virtual ~Options() = default;

  // html: what is shown first of what the log has, and how calls are shown.
  profile::WeightKind weight = profile::WeightKind::kSamples;
  profile::Recursion recursion = profile::Recursion::kAsLogged;
};

using Option = OwnOption<Options>;

// An export is one such row, at the end of the file that makes it, and its place in export.cc's list.
struct Export {
  const char* name;         // value of --format
  const char* description;  // one line for --help
  const char* extension;    // of a file without a name, with its dot: ".html"
  bool binary = false;      // nothing for a terminal
  // What it takes beside the options of all exports. The command's options, its help and completion follow from this.
  std::span<const Option> options = {};
  // A copy of options as the struct that they are members of: own_options<CollapsedOptions>.
  std::unique_ptr<Options> (*own)(const Options& options) = own_options<Options>;
  // Takes the profile as load() gives it and writes all weights that it has; the others take what by_weight made.
  bool all_weights = false;
  // Takes the profile as load() gives it, for a snapshot of the heap in its log.
  bool of_heap = false;
  // Takes the profile as load() gives it, for the log of its one process.
  bool of_code = false;
  // Takes the profile as load() gives it: samples, or samples and events, at their times. Other weights have no times.
  enum class Times : uint8_t { kNone, kOfSamples, kOfAll } times = Times::kNone;
  // Relies on check_profile; the state of `out` is for the caller to look at. One that takes options of its own:
  // by_own<write_collapsed>.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
  // Instead of `write`: takes all tables of each log for itself (profile/load_each.h), and writes a file, which is
  // empty or not there, or a folder.
  Status (*write_tables)(std::vector<profile::Profile> logs, const std::string& place) = nullptr;
  bool writes_folder = false;
};

template <auto kFunction>
inline constexpr auto by_own = &ByOwn<Options, kFunction>::call;

// All exports, in the order in which help lists them.
std::span<const Export* const> all_exports();

// The export of that name. The error lists the known names.
Result<const Export*> find_export(std::string_view name);

// Writes the profile's samples, or the stacks that profile::by_weight made of calls or allocations, to `out`, which is
// binary clean and whose state is checked at the end. Names are cleaned on the way: whatever a program calls its
// methods, the output stays valid. Options are those that format.own made or, for defaults of the export's own,
// Options. An error if the profile contradicts itself or the stream refuses a write; what has been written by then is
// not whole.
Status write_export(const Export& format, const profile::Profile& profile, std::ostream& out,
                    const Options& options = {});

}  // namespace oriel::exports
