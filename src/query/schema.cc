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

// The last cell goes on below itself. `width` is the whole line's, and what `indent` takes.
void add_line(Table& table, std::vector<std::string> cells, const std::string& last, size_t width) {
  table.add(std::move(cells), [last, width](size_t room) {
    const std::string below(width > room ? width - room : 0, ' ');
    std::string text;
    for (const char c : report::wrap(last, room, "")) text += c == '\n' ? '\n' + below : std::string(1, c);
    return text.substr(0, text.find_last_not_of(" \n") + 1);
  });
}

void write_columns(const Source& source, size_t width, std::ostream& out) {
  out << source.name << ": a row is " << source.help << ".\n";
  Table table({{"column", Table::Align::kLeft}, {"is", Table::Align::kLeft}}, "what");
  for (const Column& column : source.columns) add_line(table, {column.name, column.is}, column.help, width);
  table.write(out, width, 2, report::Style(false));
}

void write_frames(size_t width, std::ostream& out) {
  out << "frames(STACK): a row is a frame of the stack.\n";
  Table table({{"column", Table::Align::kLeft}}, "what");
  for (const auto& [name, what] : kFrames) add_line(table, {name}, what, width);
  table.write(out, width, 2, report::Style(false));
}

}  // namespace

void write_table_list(size_t width, std::ostream& out) {
  Table tables({{"table", Table::Align::kLeft}}, "a row is");
  for (const Source& source : sources()) add_line(tables, {source.name}, source.help, width);
  add_line(tables, {"frames(STACK)"}, "a frame of the stack, the innermost first", width);
  tables.write(out, width, 0, report::Style(false));
  out << '\n';
  Table shown({{"view", Table::Align::kLeft}}, "shows");
  for (const View& view : views()) add_line(shown, {view.name}, view.help, width);
  shown.write(out, width, 0, report::Style(false));
  out << "\ncontains(STACK, 'Shop.*') tells whether a function of the stack matches the patterns, stack_text(STACK) "
         "is\nthe stack as text.\n";
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
    out << (std::exchange(any, true) ? "\n" : "") << view.name << ": " << view.help << ".\n" << view.sql << ";\n";
  }
  return any;
}

}  // namespace oriel::query
