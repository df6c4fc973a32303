// A log that is asked, and what is concluded from it when a statement first needs it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "lines/lines.h"
#include "profile/profile.h"
#include "profile/trees/call_totals.h"
#include "query/covered_lines.h"

namespace oriel::query {

// Of rows that follow one another: the least and the greatest of a number. Rows outside a range are so left out many at
// a time, whether or not the table is sorted.
struct Zone {
  static constexpr size_t kRows = 1024;
  int64_t least = INT64_MAX;
  int64_t most = INT64_MIN;
};

// What is known of each stack. A stack's index in its log is from 1: sampled stacks first, then ways of calls; 0 is
// none.
struct StackFacts {
  std::vector<uint32_t> depth;           // frames, with its own
  std::vector<uint32_t> own;             // the nearest function of the program's own, 0: none
  std::vector<uint8_t> is_outermost;     // no caller is the same function
  std::vector<int64_t> self;             // sampling periods; of ways of calls nanoseconds
  std::vector<int64_t> total;            // with what it calls
  std::vector<uint8_t> function_is_own;  // by function
};

// A log never moves: the lines refer to the profile.
class Log {
 public:
  explicit Log(profile::Profile its);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  const profile::Profile& profile() const { return profile_; }

  uint32_t stack_count() const;  // the greatest index
  uint32_t index_of_node(uint32_t node) const { return node; }
  uint32_t index_of_call_node(uint32_t node) const;
  bool is_of_calls(uint32_t stack) const { return stack >= profile_.nodes.size(); }
  const profile::Node& node(uint32_t stack) const;
  uint32_t parent(uint32_t stack) const;  // 0: none
  const profile::Function& function(uint32_t stack) const { return profile_.functions[node(stack).function]; }
  std::string line(uint32_t stack) const;  // "Cart.cs:42"; "" if not known
  // From the outermost function to the innermost, joined by ';'. Of a deep one the innermost, after "…"; before those
  // of a truncated one stands that their callers are not known.
  std::string text(uint32_t stack) const;

  const StackFacts& facts() const;
  // By row of allocations: to which of the program's own methods they belong.
  const std::vector<profile::AllocationSite>& allocation_sites() const;

  const CoveredLines& covered_lines() const;

  // What its numbers begin with, where several logs are asked.
  int64_t later_ns = 0;
  uint32_t first_stack = 0;
  std::array<uint32_t, profile::kTables> first_rows = {};
  // By function, the row of `functions` that stands for it: of several logs that have it, the first one's.
  std::vector<uint32_t> function_rows;

  std::string process;  // "Shop (4711)"
  std::string run;      // what the log says of its run, or else its file: another tool's says nothing

  // By table and column, as they are needed.
  mutable std::map<std::pair<const void*, size_t>, std::vector<Zone>> zones;
  mutable std::optional<std::vector<uint8_t>> used_stacks;  // source.h

 private:
  profile::Profile profile_;
  mutable std::optional<StackFacts> facts_;
  mutable std::optional<std::vector<profile::AllocationSite>> allocation_sites_;
  mutable std::optional<CoveredLines> covered_lines_;
  mutable std::unique_ptr<lines::Lines> lines_;
};

// For each stack index of a log whether it is one of those that are looked for.
using StackSet = std::vector<uint8_t>;

class Logs {
 public:
  // Each log's profile for itself, not merged.
  explicit Logs(std::vector<profile::Profile> profiles);

  size_t size() const { return all_.size(); }
  const Log& operator[](size_t at) const { return *all_[at]; }

  // A stack by its number over all logs, from 1.
  struct Place {
    const Log* log = nullptr;  // null: there is none of that number
    uint32_t stack = 0;
  };
  Place stack(int64_t number) const;

  // By log: the stacks with a function that the patterns select (base/text/patterns.h).
  using Sets = std::shared_ptr<const std::vector<StackSet>>;
  Result<Sets> containing(const std::string& patterns) const;

 private:
  void number_functions();
  std::vector<std::unique_ptr<Log>> all_;
  mutable std::map<std::string, Sets> known_;
};

}  // namespace oriel::query
