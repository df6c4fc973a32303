// The fields of the log's records and events as those of a line: named as the log's own descriptions have them, and
// shown as their kinds want it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "log/records.h"
#include "report/dump/dump_line.h"
#include "report/dump/dump_stacks.h"
#include "report/dump/dump_survey.h"

namespace oriel::report {

class DumpFields : public log::FieldVisitor {
 public:
  using Kind = log::FieldKind;

  DumpFields(const DumpSurvey& survey, const DumpStacks& stacks, DumpLine& line)
      : survey_(survey), stacks_(stacks), line_(&line) {}

  void byte(const char* name, uint8_t value, const char* doc, Kind kind = Kind::kPlain) {
    integer(name, value, doc, kind);
  }
  void integer(const char* name, uint64_t value, const char*, Kind kind = Kind::kPlain);
  void string(const char* name, const std::string& value, const char*, Kind kind = Kind::kPlain);
  void record(const char*, const ClockPair& clock, const char*) { fields(*this, clock); }
  void values(const log::Event& event);

  // Ids by their names; properties as fields of their own; points of code: 12:3, what begins at offset 12 ran three
  // times; 12/1:3, so often a branch there went the second way.
  void list(const char* name, const std::vector<uint64_t>& ids, log::Ending, const char*, Kind kind = Kind::kPlain);
  void list(const char*, const std::vector<std::pair<std::string, std::string>>& properties, log::Ending, const char*,
            Kind = Kind::kPlain);
  void list(const char* name, const std::vector<log::CoverageHit>& points, log::Ending, const char*,
            Kind = Kind::kPlain);
  // "2 Shop.Cart (48 bytes), 1 System.String (64 bytes)"
  void list(const char* name, const std::vector<log::CallAllocation>& allocations, log::Ending, const char*,
            Kind = Kind::kPlain);
  // Remembered for the names of kCoverageImage.
  void list(const char*, const std::vector<log::CoverageImage>& images, log::Ending, const char*, Kind = Kind::kPlain);
  // Other records within a record are for the caller, a line each.
  template <typename Record>
  void list(const char*, const std::vector<Record>&, log::Ending, const char*, Kind = Kind::kPlain) {}

  // Fields go here from now on.
  void into(DumpLine& line) { line_ = &line; }

  // Adds what stands last: where it is, and how it went.
  void finish();

 private:
  void add_event_value(Kind kind, const char* name, const log::Event& event, size_t index);
  void add_loaded(uint64_t bits);
  void add_stack(const char* name, uint64_t node);
  std::string name_of(Kind kind, uint64_t id) const;  // "" for what mappings do not name

  const DumpSurvey& survey_;
  const DumpStacks& stacks_;
  DumpLine* line_;
  uint64_t begin_ = 0;  // the record's kCounter
  DumpLine last_;       // fields for the line's end
  std::map<uint64_t, std::string> coverage_images_;
};

// When and on which thread a record happened; neither of those that tell of the whole log.
struct Moment : log::FieldVisitor {
  std::optional<uint64_t> counter;
  std::optional<uint64_t> thread;

  void integer(const char*, uint64_t value, const char*, log::FieldKind kind = log::FieldKind::kPlain) {
    if (kind == log::FieldKind::kCounter) counter = value;
    if (kind == log::FieldKind::kThread) thread = value;
  }
};

}  // namespace oriel::report
