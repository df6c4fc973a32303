// Places in own code, in words.
#pragma once

#include <cstdint>
#include <string>

#include "lines/lines.h"
#include "report/words/shown_line.h"

namespace oriel::report {

struct ShownPlace {
  uint32_t function = 0;  // index into functions; 0: none is known
  ShownLine line;         // text "": not known
};

// "Waits.Till.Pay() (Till.cs:58)"
std::string place_text(const ShownPlace& place, const profile::Profile& profile);
// Adds the function's and the line's members, as far as they are known.
void add_place(const ShownPlace& place, const profile::Profile& profile, Json& json);

// The places of nodes.
class ShownPlaces {
 public:
  // The profile must live as long.
  ShownPlaces(const profile::Profile& profile, const Options& options);
  ShownPlace of(uint32_t node);
  // The line of any place in an image of the profile.
  ShownLine line_of(const profile::Position& at);

 private:
  const profile::Profile& profile_;
  const bool wanted_;
  lines::Lines lines_;
};

}  // namespace oriel::report
