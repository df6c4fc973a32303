// Two versions of a program compared: what of the difference is more than noise.
//
// Sampling counts, so that of n samples about sqrt(n) are chance. Where a side has several runs, what they differ by
// among themselves is known too, and counts where it is more. Both are taken at three standard deviations: of a
// thousand rows that are the same, about three look different. (Of a spread, Student's t for as few runs as there are.)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Metric : uint8_t {
  kWhole,     // what a run took in all: names are of kWholeNames
  kCategory,  // time by category (category.h): names are Share::category, a tab and Share::name
  kOwn,       // time of own methods, with what they call that is not own code
  kLine,      // the same by line; only where add_lines was called
  kSelf,      // time in functions themselves
  kType,      // bytes allocated, by type
};
inline constexpr size_t kMetrics = 6;

// Rows of Metric::kWhole, in nanoseconds but for the last two, which are bytes and a count.
inline constexpr const char* kWholeNames[] = {"samples", "cpu", "wall", "pauses", "memory", "collections"};

// What one run comes to.
struct Amount {
  double value = 0;     // nanoseconds, or bytes
  double variance = 0;  // of chance in how it was measured; 0: it was not left to chance
};
using Amounts = std::map<std::string,
                         Amount>;  // by name; of functions name, tab, module, and where it is no managed one "\tnative"

struct RunAmounts {
  Amounts of[kMetrics];
  double quantum[kMetrics] = {};  // what one sample stands for: variance by value
  bool sampled = false;
  bool allocations = false;
};

RunAmounts amounts(const Profile& run);

// A line of an own method, with its samples there and in what it calls from there that is not own code.
struct LineAmount {
  uint32_t function = 0;  // index into functions
  uint32_t offset = 0;    // in lines, from the method's first, which stays when code above the method changes
  uint64_t periods = 0;

  // As differences() names it: of the function, a tab, and the offset.
  std::string name(const Profile& run) const;
};
void add_lines(const Profile& run, const std::vector<LineAmount>& lines, RunAmounts& to);

struct Difference {
  std::string name;
  double before = 0;  // the mean of the runs
  double after = 0;
  double noise = 0;  // what noise alone could make of the change, one way or the other
  bool significant = false;

  double change() const { return after - before; }
};

// Every row of either side; those first that changed most and more than noise, then the others by change.
std::vector<Difference> differences(const std::vector<RunAmounts>& before, const std::vector<RunAmounts>& after,
                                    Metric metric);

// Two-sided, for three standard deviations of a normal distribution, with that many degrees of freedom.
double student_t(size_t degrees);

}  // namespace oriel::profile
