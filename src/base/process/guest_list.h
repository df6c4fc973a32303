// The classic profilers to load beside Oriel: the same text for the engine and for `oriel run`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

struct GuestSpec {
  std::string clsid;  // "{324F817A-7420-4E6D-B3C1-143FBED6D855}", upper case
  std::string path;   // of its library
  bool operator==(const GuestSpec&) const = default;
};

// "{CLSID}=PATH", one a line; empty lines and lines that begin with '#' are ignored. An error names line and column,
// from 1, and the expected form.
Result<std::vector<GuestSpec>> parse_guests(std::string_view text);

// The text that guests_of parses back; paths must not contain line ends.
std::string guests_text(const std::vector<GuestSpec>& guests);

// Parses the result of guests_text: like parse_guests, but paths may begin or end with blanks.
Result<std::vector<GuestSpec>> guests_of(std::string_view text);

// The class id in the form of GuestSpec; "" if it is invalid. The braces are optional.
std::string canonical_clsid(std::string_view text);

}  // namespace oriel
