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
    std::string name;
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

  void add(std::string name, uint64_t value) { field(std::move(name), Type::kNumber).number = value; }
  void add_flag(std::string name, bool value) { field(std::move(name), Type::kFlag).number = value ? 1 : 0; }
  void add(std::string name, std::string value) { field(std::move(name), Type::kText).text = std::move(value); }
  void add(std::string name, std::vector<std::string> value) {
    field(std::move(name), Type::kList).list = std::move(value);
  }

  // Whether any text in the fields contains `part`.
  bool mentions(std::string_view part) const;

 private:
  Field& field(std::string name, Type type) {
    Field& made = fields.emplace_back();
    made.name = std::move(name);
    made.type = type;
    return made;
  }
};

void write_text_line(const DumpLine& line, std::ostream& out);
void write_json_line(const DumpLine& line, std::ostream& out);

}  // namespace oriel::report
