#include "report/dump/dump_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/words/json.h"
#include "report/words/json_text.h"
#include "report/words/text.h"

namespace oriel::report {
namespace {

std::string text_of(const DumpLine::Field& field) {
  switch (field.type) {
    case DumpLine::Type::kNumber:
      return std::to_string(field.number);
    case DumpLine::Type::kFlag:
      return field.number != 0 ? "yes" : "no";
    case DumpLine::Type::kText:
      return clean(field.text);
    case DumpLine::Type::kList:
      break;
  }
  return clean(fmt::format("{}", fmt::join(field.list, " < ")));
}

void add_to(Json& json, const DumpLine::Field& field) {
  switch (field.type) {
    case DumpLine::Type::kNumber:
      json[field.name] = field.number;
      return;
    case DumpLine::Type::kFlag:
      json[field.name] = field.number != 0;
      return;
    case DumpLine::Type::kText:
      json[field.name] = field.text;
      return;
    case DumpLine::Type::kList:
      json[field.name] = field.list;
      return;
  }
}

}  // namespace

bool DumpLine::mentions(std::string_view part) const {
  const auto has = [part](const std::string& text) { return text.find(part) != std::string::npos; };
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    return (field.type == Type::kText && has(field.text)) || std::any_of(field.list.begin(), field.list.end(), has);
  });
}

// Columns that line up: seconds, kind, thread, then name=value.
void write_text_line(const DumpLine& line, std::ostream& out) {
  const std::string time = line.ns ? fmt::format("{:.6f}", static_cast<double>(*line.ns) / 1e9) : "";
  std::string text = fmt::format("{:>13}  {:<22}  {}", time, line.kind, pad_right(cut_end(line.thread, 20), 20));
  // Not by fmt, which took a tenth of a dump.
  for (const DumpLine::Field& field : line.fields)
    text.append("  ").append(field.name).append("=").append(text_of(field));
  text.resize(text.find_last_not_of(' ') + 1);
  out << text << '\n';
}

void write_json_line(const DumpLine& line, std::ostream& out) {
  Json json = {{"kind", line.kind}};
  if (line.ns) json["ns"] = *line.ns;
  if (line.thread_id) {
    json["thread_id"] = *line.thread_id;
    json["thread"] = line.thread;
  }
  for (const DumpLine::Field& field : line.fields) add_to(json, field);
  out << json_text(json) << '\n';
}

}  // namespace oriel::report
