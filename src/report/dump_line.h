// A line of a dump: what happened, when, on which thread, and named values; as text or as a JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel::report {

struct DumpLine {
  enum class Type { kNumber, kFlag, kText, kList };
  struct Field {
    const char* name = "";
    Type type = Type::kNumber;
    uint64_t number = 0;  // of a flag: 0 or 1
    std::string text;
    std::vector<std::string> list;
  };

  std::string_view kind;
  std::optional<int64_t> ns;  // since the start of the log
  std::optional<uint64_t> thread_id;
  std::string thread;  // its label
  std::vector<Field> fields;

  void add(const char* name, uint64_t value) { field(name, Type::kNumber).number = value; }
  void add_flag(const char* name, bool value) { field(name, Type::kFlag).number = value ? 1 : 0; }
  void add(const char* name, std::string value) { field(name, Type::kText).text = std::move(value); }
  void add(const char* name, std::vector<std::string> value) { field(name, Type::kList).list = std::move(value); }

  // Whether any text in the fields contains `part`.
  bool mentions(std::string_view part) const;

 private:
  Field& field(const char* name, Type type) {
    Field& made = fields.emplace_back();
    made.name = name;
    made.type = type;
    return made;
  }
};

void write_text_line(const DumpLine& line, std::ostream& out);
void write_json_line(const DumpLine& line, std::ostream& out);

}  // namespace oriel::report
