// What samples add up to by lines.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lines/lines.h"
#include "profile/profile.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/sample_tree.h"

namespace oriel::lines {

struct LineTotals {
  Line line;              // line.file 0: no line is known, `il` tells where
  uint32_t il = 0;        // then: offset of the instruction
  bool known = true;      // false: not even that
  uint64_t self = 0;      // samples at this line itself
  uint64_t total = 0;     // with those in what it calls; a recursion that is at the line twice counts once
  uint32_t position = 0;  // one of those at the line
};

// Of one function, by file and line, those without a line by offset.
std::vector<LineTotals> lines_of_function(const profile::Profile& profile, uint32_t function, Lines& lines);
// The same for whoever asks about many: with profile::weigh of the profile.
std::vector<LineTotals> lines_of_function(const profile::Profile& profile, const profile::SampleTree& tree,
                                          uint32_t function, Lines& lines);

// By function that is the program's own: the line where most samples are, of it and of what it calls that is not own
// code.
std::map<uint32_t, Line> hottest_own_lines(const profile::Profile& profile, Lines& lines);

struct OwnLine {
  uint32_t function = 0;  // own code
  Line line;
  uint32_t first = 0;  // line of the method, in the same file; 0: not known
  uint64_t periods = 0;
};

// The same for all lines of own functions that are known.
std::vector<OwnLine> own_lines(const profile::Profile& profile, Lines& lines);

// By site (profile::allocation_sites) and type of allocations whose stacks were logged: the line of the site where most
// bytes of the type are allocated.
std::map<std::pair<uint32_t, uint32_t>, Line> hottest_allocation_lines(const profile::Profile& profile,
                                                                       profile::Maker maker, Lines& lines);

struct ThrowSite {
  uint32_t function = 0;
  Line line;
  uint64_t thrown = 0;
};

// Where exceptions whose stacks were logged were thrown: the innermost of the program's own methods, or the innermost
// at all. Most first.
std::vector<ThrowSite> throw_sites(const profile::Profile& profile, const profile::Exceptions& exceptions,
                                   Lines& lines);

}  // namespace oriel::lines
