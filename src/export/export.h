// Profiles in formats of other viewers: collapsed stacks, speedscope, pprof; and our own web page.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/trees/weight.h"

namespace oriel::exporting {

struct Options {
  // For collapsed stacks: the thread is the outermost frame. The other formats always keep threads apart.
  bool per_thread = false;
  // For html: the weight that is shown first, and whether recursion is folded.
  profile::Weight weight = profile::Weight::kSamples;
  profile::Recursion recursion = profile::Recursion::kAsLogged;
};

// An export: a row at the end of the file that makes it, and its entry in export.cc's list.
struct Export {
  const char* name;         // value of --format
  const char* description;  // one line for --help
  const char* extension;    // of a default file name, with its dot: ".html"
  bool binary = false;      // must not go to a terminal
  // Takes the profile from load() and writes all its weights; other exports take a result of by_weight.
  bool all_weights = false;
  // Requires check_profile() to have passed; the caller checks the state of `out`.
  Status (*write)(const profile::Profile& profile, const Options& options, std::ostream& out) = nullptr;
};

// All exports, in the order for help.
std::span<const Export* const> all_exports();

// The export of that name. The error lists the known names.
Result<const Export*> find_export(std::string_view name);

// Writes the profile's samples, or those that profile::by_weight made, to `out`, which must be binary; its state is
// checked at the end. Names are sanitized, so the output is valid whatever a program calls its methods. An error if the
// profile is inconsistent or a write fails; the output is then incomplete.
Status write_export(const Export& format, const profile::Profile& profile, std::ostream& out,
                    const Options& options = {});

}  // namespace oriel::exporting
