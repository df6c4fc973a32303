// Texts for places in own code.
#pragma once

#include <cstdint>
#include <string>

#include "lines/lines.h"
#include "report/words/shown_line.h"

namespace oriel::report {

struct ShownPlace {
  uint32_t function = 0;  // index into functions; 0 if not known
  ShownLine line;         // its text is "" if not known
};

// "Waits.Till.Pay() (Till.cs:58)"
std::string place_text(const ShownPlace& place, const profile::Profile& profile);
// Adds the members of the function and the line, as far as they are known.
void add_place(const ShownPlace& place, const profile::Profile& profile, Json& json);

// Resolves nodes to places.
class ShownPlaces {
 public:
  // Keeps a reference to the profile.
  ShownPlaces(const profile::Profile& profile, const Options& options);
  ShownPlace of(uint32_t node);
  // The line of any position in an image of the profile.
  ShownLine line_of(const profile::Position& at);

 private:
  const profile::Profile& profile_;
  const bool wanted_;
  lines::Lines lines_;
};

}  // namespace oriel::report
