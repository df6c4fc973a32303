// Profiles as files that other viewers open: collapsed stacks, speedscope, pprof, and a web page of our own.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/trees/weight.h"

namespace oriel::exporting {

struct Options {
  // Collapsed stacks: the thread is the outermost frame, so that threads stay apart. The other formats always keep
  // them.
  bool per_thread = false;
  // html: what is shown first of what the log has, and how calls are shown.
  profile::Weight weight = profile::Weight::kSamples;
  profile::Recursion recursion = profile::Recursion::kAsLogged;
};

// An export is one such row, at the end of the file that makes it, and its place in export.cc's list.
struct Export {
  const char* name;         // what --format takes
  const char* description;  // one line for --help
  const char* extension;    // of a file without a name, with its dot: ".html"
  bool binary = false;      // nothing for a terminal
  // Takes the profile as load() gives it and writes all weights that it has; the others take what by_weight made.
  bool all_weights = false;
  // Relies on check_profile; the state of `out` is for the caller to look at.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
};

// All exports, in the order in which help lists them.
std::span<const Export* const> all_exports();

// The export of that name. The error lists the names there are.
Result<const Export*> find_export(std::string_view name);

// Writes the profile's samples, or the stacks that profile::by_weight made of calls or allocations, to `out`, which is
// binary clean and whose state is checked at the end. Names are cleaned on the way: whatever a program calls its
// methods, the output stays valid. An error if the profile contradicts itself or the stream refuses a write; what has
// been written by then is not whole.
Status write_export(const Export& format, const profile::Profile& profile, std::ostream& out,
                    const Options& options = {});

}  // namespace oriel::exporting
