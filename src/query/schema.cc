#include "query/schema.h"

#include <fmt/format.h>

#include "query/source.h"
#include "query/views.h"
#include "report/words/table.h"
#include "report/words/text.h"

namespace oriel::query {
namespace {

using report::Table;

constexpr const char* kFrames[][2] = {{"depth", "0: the innermost"},
                                      {"method", "the function"},
                                      {"module", "the assembly or library that has it"},
                                      {"own", "it is the program's own"},
                                      {"line", "where it is in the function, as Cart.cs:42, if it is known"},
                                      {"stack", "the stack up to this frame: its number in stacks"}};

// The table puts further lines of the last cell below its first.
void add_line(Table& table, std::vector<std::string> cells, const std::string& last) {
  table.add(std::move(cells), [last](size_t room) { return report::wrap(last, room, ""); });
}

void write_columns(const Source& source, size_t width, std::ostream& out) {
  out << report::wrap(source.name + ": a row is " + source.help + ".", width, "");
  Table table({{"column", Table::Align::kLeft}, {"is", Table::Align::kLeft}}, "what");
  for (const Column& column : source.columns) add_line(table, {column.name, column.is}, column.help);
  table.write(out, width, 2, report::Style(false));
}

void write_frames(size_t width, std::ostream& out) {
  out << "frames(STACK): a row is a frame of the stack.\n";
  Table table({{"column", Table::Align::kLeft}}, "what");
  for (const auto& [name, what] : kFrames) add_line(table, {name}, what);
  table.write(out, width, 2, report::Style(false));
}

}  // namespace

void write_table_list(size_t width, std::ostream& out) {
  Table tables({{"table", Table::Align::kLeft}}, "a row is");
  for (const Source& source : sources()) add_line(tables, {source.name}, source.help);
  add_line(tables, {"frames(STACK)"}, "a frame of the stack, the innermost first");
  tables.write(out, width, 0, report::Style(false));
  out << '\n';
  Table shown({{"view", Table::Align::kLeft}}, "shows");
  for (const View& view : views()) add_line(shown, {view.name}, view.help);
  shown.write(out, width, 0, report::Style(false));
  constexpr const char* kFunctions =
      "contains(STACK, 'Shop.*') tells whether a function of the stack matches the patterns, stack_text(STACK) is the "
      "stack as text.";
  out << '\n' << report::wrap(kFunctions, width, "");
}

bool write_schema(const std::string& name, size_t width, std::ostream& out) {
  bool any = false;
  const auto is_asked = [&](const std::string& its) { return name.empty() || name == its; };
  for (const Source& source : sources()) {
    if (!is_asked(source.name)) continue;
    out << (std::exchange(any, true) ? "\n" : "");
    write_columns(source, width, out);
  }
  if (is_asked("frames")) {
    out << (std::exchange(any, true) ? "\n" : "");
    write_frames(width, out);
  }
  for (const View& view : views()) {
    if (!is_asked(view.name)) continue;
    out << (std::exchange(any, true) ? "\n" : "")
        << report::wrap(fmt::format("{}: {}.", view.name, view.help), width, "") << view.sql << ";\n";
  }
  return any;
}

}  // namespace oriel::query
