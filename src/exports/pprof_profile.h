// A profile as pprof's format has it, for what writes it and for what sends it elsewhere. Strings are indices into
// `strings`, whose entry 0 is empty; ids start at 1 in the order of their tables, and 0 means none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::pprof {

struct ValueType {
  int64_t type = 0;  // string
  int64_t unit = 0;  // string
};

struct Label {
  int64_t key = 0;   // string
  int64_t text = 0;  // string; or:
  int64_t number = 0;
};

struct Sample {
  std::vector<uint64_t> locations;  // leaf first
  std::vector<int64_t> values;
  std::vector<Label> labels;
};

struct Mapping {
  uint64_t id = 0;
  uint64_t memory_limit = 0;
  int64_t file = 0;      // string
  int64_t build_id = 0;  // string
  bool has_functions = false;
};

// With one line: there are no inlined functions where Oriel writes it.
struct Location {
  uint64_t id = 0;
  uint64_t mapping = 0;
  uint64_t address = 0;
  uint64_t function = 0;
  int64_t line = 0;  // 0: not known
};

struct Function {
  uint64_t id = 0;
  int64_t name = 0;         // string: as people see it
  int64_t system_name = 0;  // string: as the system has it
  int64_t file = 0;         // string
  int64_t start_line = 0;   // 0: not known
};

struct Profile {
  std::vector<ValueType> sample_types;  // what each value of a sample means
  std::vector<Sample> samples;
  std::vector<Mapping> mappings;
  std::vector<Location> locations;
  std::vector<Function> functions;
  std::vector<std::string> strings;
  int64_t time_nanos = 0;  // start, since the Unix epoch
  int64_t duration_nanos = 0;
  ValueType period_type;
  int64_t period = 0;               // between two samples, in the unit of period_type; 0: not known
  std::vector<int64_t> comments;    // strings
  int64_t default_sample_type = 0;  // string: the type of the values to show first

  const std::string& text(int64_t index) const { return strings[static_cast<size_t>(index)]; }
};

}  // namespace oriel::pprof

namespace oriel::exports {

// Samples are summed by thread and stack, with labels "thread" and "tid". The time and the duration are those of the
// filter that was applied. An error if the profile is damaged.
Result<pprof::Profile> make_pprof(const profile::Profile& profile);

// As a message of protobuf.
std::string pprof_message(const pprof::Profile& profile);

// As a file of pprof is: the message, gzipped. Errors: too large for the format, no memory.
Result<std::string> pack_pprof(const pprof::Profile& profile);

}  // namespace oriel::exports
