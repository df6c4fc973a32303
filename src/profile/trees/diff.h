// Compares two versions of a program, and tells significant differences from noise.
//
// Sample counts have Poisson noise: about sqrt(n) of n samples. Where a side has several runs, the spread between them
// is known too, and the larger of both counts. The threshold is three standard deviations: about three of a thousand
// unchanged rows look different. (For a spread, Student's t for the number of runs.)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Metric : uint8_t {
  kWhole,     // a run's totals: names are those of kWholeNames
  kCategory,  // time by category (category.h): names are Share::category, a tab and Share::name
  kOwn,       // time of own methods with library callees
  kLine,      // the same by source line; only after add_lines
  kSelf,      // self time of functions
  kType,      // bytes allocated, by type
};
inline constexpr size_t kMetrics = 6;

// Rows of Metric::kWhole, in nanoseconds except the last two: bytes and a count.
inline constexpr const char* kWholeNames[] = {"samples", "cpu", "wall", "pauses", "memory", "collections"};

// A run's value of one row.
struct Amount {
  double value = 0;     // nanoseconds, or bytes
  double variance = 0;  // sampling variance; 0 if the value is exact
};
using Amounts = std::map<std::string,
                         Amount>;  // by name; a function's is name, tab, module, and "\tnative" unless it is managed

struct RunAmounts {
  Amounts of[kMetrics];
  double quantum[kMetrics] = {};  // what one sample stands for: variance per unit of value
  bool sampled = false;
  bool allocations = false;
};

RunAmounts amounts(const Profile& run);

// A line of an own method, with samples in the line and in the library code that it calls.
struct LineAmount {
  uint32_t function = 0;  // index into functions
  uint32_t offset = 0;    // in lines, from the method's first line, so that changes above the method do not matter
  uint64_t periods = 0;

  // The name in differences(): of the function, a tab, and the offset.
  std::string name(const Profile& run) const;
};
void add_lines(const Profile& run, const std::vector<LineAmount>& lines, RunAmounts& to);

struct Difference {
  std::string name;
  double before = 0;  // mean of the runs
  double after = 0;
  double noise = 0;  // largest change, up or down, that noise alone explains
  bool significant = false;

  double change() const { return after - before; }
};

// All rows of either side: significant changes first, then the others; by size of change.
std::vector<Difference> differences(const std::vector<RunAmounts>& before, const std::vector<RunAmounts>& after,
                                    Metric metric);

// Two-sided quantile of Student's t for three standard deviations, with that many degrees of freedom.
double student_t(size_t degrees);

}  // namespace oriel::profile
