// Formats figures for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

std::string count(uint64_t value);                                                 // 1,234,567
std::string counted(uint64_t value, std::string_view one, std::string_view many);  // 1 thread; 1,234 threads
std::string rounded_count(uint64_t value);                                         // 1,234; 12.3 M; 1.23 G
std::string percent(uint64_t part, uint64_t whole);                                // 12.3 %, <0.1 %
// Whether a share is large enough to mention.
bool worth_telling(uint64_t part, uint64_t whole);
std::string duration(int64_t ns);   // 890 ns, 1.23 ms, 12.3 s, 4 min 05 s, 2 h 03 min
std::string moment(int64_t ns);     // since the start of the log: 1.234 s
std::string bytes(uint64_t value);  // 512 bytes, 1.23 MB
std::string date(int64_t unix_us);  // 2026-11-21 13:00:12 UTC

// A bar chart relative to the highest value: ▁▂█. Blank for 0.
std::string bars(std::span<const double> values);

// For table cells: empty for 0, so that other values stand out.
std::string percent_cell(uint64_t part, uint64_t whole);
std::string time_cell(uint64_t periods, const profile::Profile& profile);

double share(uint64_t part, uint64_t whole);

// Periods as time; "" if the log does not say how long a period is.
std::string time_of(uint64_t periods, const profile::Profile& profile);

// The time, or 0 if clocks made it negative.
uint64_t positive(int64_t ns);

// "+66.0 MB", "-1.20 kB".
std::string signed_bytes(double value);
// "+1,234".
std::string signed_count(double value);

// The maximum rows of a table: options.limit, or `usual` if that is 0.
size_t rows(const Options& options, size_t usual);
// A line with the number of rows that are not shown; "" if all are.
std::string rest_of_rows(size_t shown, size_t all);

// The least total that options.min_share does not hide.
uint64_t least_total(uint64_t whole, const Options& options);

}  // namespace oriel::report
