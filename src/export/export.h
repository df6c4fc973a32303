// Profiles as files that other viewers open: collapsed stacks, speedscope, pprof, and a web page of our own.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/weight.h"

namespace oriel::exporting {

enum class Format { kCollapsed, kSpeedscope, kPprof, kHtml };

struct FormatInfo {
  Format format;
  const char* name;         // what --format takes
  const char* description;  // one line for --help
  const char* extension;    // of a file without a name, with its dot: ".html"
  bool binary;              // nothing for a terminal
};

// All formats, in the order in which help lists them.
std::span<const FormatInfo> formats();
const FormatInfo& describe(Format format);

// The format of that name. The error lists the names there are.
Result<Format> parse_format(std::string_view name);

// What stacks can be weighed by: what --weight takes, and its one line for --help.
struct WeightInfo {
  profile::Weight weight;
  const char* name;
  const char* description;
};
std::span<const WeightInfo> weights();

// The weight of that name. The error lists the names there are.
Result<profile::Weight> parse_weight(std::string_view name);

struct Options {
  // Collapsed stacks: the thread is the outermost frame, so that threads stay apart. The other formats always keep
  // them.
  bool per_thread = false;
};

// Writes the profile's samples, or the stacks that profile::by_weight made of calls or allocations, to `out`, which is
// binary clean and whose state is checked at the end. Names are cleaned on the way: whatever a program calls its
// methods, the output stays valid. An error if the profile contradicts itself or the stream refuses a write; what has
// been written by then is not whole.
Status write_export(Format format, const profile::Profile& profile, std::ostream& out, const Options& options = {});

}  // namespace oriel::exporting
