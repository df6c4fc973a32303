// Sums of samples by source line.
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
  Line line;              // if line.file is 0, the line is not known, and il applies
  uint32_t il = 0;        // IL offset
  bool known = true;      // if false, not even the IL offset is known
  uint64_t self = 0;      // samples at the line itself
  uint64_t total = 0;     // with callees; a recursion through the line counts once
  uint32_t position = 0;  // one of the positions at the line
};

// Of one function, by file and line; samples without a line by IL offset.
std::vector<LineTotals> lines_of_function(const profile::Profile& profile, uint32_t function, Lines& lines);
// The same for many functions: `tree` is profile::weigh of the profile.
std::vector<LineTotals> lines_of_function(const profile::Profile& profile, const profile::SampleTree& tree,
                                          uint32_t function, Lines& lines);

// By own function: the line with most samples, including library callees.
std::map<uint32_t, Line> hottest_own_lines(const profile::Profile& profile, Lines& lines);

struct OwnLine {
  uint32_t function = 0;  // index into functions: an own one
  Line line;
  uint32_t first = 0;  // first line of the method, in the same file; 0 if not known
  uint64_t periods = 0;
};

// All lines of own functions that are known, with samples including library callees.
std::vector<OwnLine> own_lines(const profile::Profile& profile, Lines& lines);

// By site (profile::allocation_sites) and type, for logged stacks: the line of the site that allocates most bytes of
// the type.
std::map<std::pair<uint32_t, uint32_t>, Line> hottest_allocation_lines(const profile::Profile& profile,
                                                                       profile::AttributeTo maker, Lines& lines);

struct ThrowSite {
  uint32_t function = 0;
  Line line;
  uint64_t thrown = 0;
};

// Where exceptions whose stacks were logged were thrown: the innermost of the program's own methods, or the innermost
// at all. Most first.
std::vector<ThrowSite> throw_sites(const profile::Profile& profile, const std::string& type, Lines& lines);

}  // namespace oriel::lines
