// The fields of a log's record as those of a line, named as log/layout.h has them.
#pragma once

#include <cstdint>
#include <string>

#include "log/layout.h"
#include "report/dump/dump_line.h"

namespace oriel::report {

// A codec of log/layout.h, for records of plain fields. A clock within is the line's time, and no field.
class RecordFields {
 public:
  explicit RecordFields(DumpLine& line) : line_(line) {}

  void byte(const char* name, uint8_t value, const char*) { line_.add(name, value); }
  void integer(const char* name, uint64_t value, const char*) { line_.add(name, value); }
  void string(const char* name, const std::string& value, const char*) { line_.add(name, value); }
  void record(const char*, const ClockPair&, const char*) {}

 private:
  DumpLine& line_;
};

}  // namespace oriel::report
