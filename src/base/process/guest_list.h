// Which classic profilers are to be in the process beside Oriel: the same text for the engine and for `oriel run`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

struct GuestSpec {
  std::string clsid;  // "{324F817A-7420-4E6D-B3C1-143FBED6D855}", in capitals
  std::string path;   // of its library
  bool operator==(const GuestSpec&) const = default;
};

// "{CLSID}=PATH", one a line; empty lines and those that begin with '#' are nothing. An error names line and column,
// from 1, and says how to write it.
Result<std::vector<GuestSpec>> parse_guests(std::string_view text);

// The text of which guests_of makes these, whose paths have no end of line in them.
std::string guests_text(const std::vector<GuestSpec>& guests);

// What guests_text wrote: as parse_guests, but paths may begin or end with blanks.
Result<std::vector<GuestSpec>> guests_of(std::string_view text);

// The same class id written as in a GuestSpec; "" if it is none. The braces may lack.
std::string canonical_clsid(std::string_view text);

}  // namespace oriel
