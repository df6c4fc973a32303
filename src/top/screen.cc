#include "top/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/words/function_name.h"
#include "report/words/text.h"
#include "top/words.h"

namespace oriel::top {
namespace {

using report::cut_end;
using report::display_width;
using report::pad_left;
using report::pad_right;

constexpr size_t kLabelWidth = 12, kGap = 2;

constexpr const char* kHelp[] = {
    "1-7, Tab     your methods, functions of all code, memory, exceptions, waits,",
    "             threads, requests",
    "Up, Down     choose a row; also PageUp, PageDown, Home, End",
    "Enter        its callers, or the places that allocate or throw; again: back",
    "s, <, >      sort by another column; r: the other way round",
    "/            show rows with a text only; Esc: all again",
    "p, Space     freeze the screen; recording goes on",
    "w, S         save what the screen is made of as a log, for oriel report",
    "q, Ctrl-C    quit; Oriel leaves the program if this command brought it",
    "",
    "CPU% is of one processor: four busy threads are 400 %. All figures are of",
    "the last seconds, which the first line names, and estimated from samples.",
};

size_t width_of(const Line& line) {
  size_t width = 0;
  for (const Span& span : line) width += display_width(span.text);
  return width;
}

// Adds what still fits.
void add(std::string text, Style style, size_t columns, Line& line) {
  const size_t used = width_of(line);
  if (used >= columns || text.empty()) return;
  line.push_back({cut_end(text, columns - used), style});
}

void fill(Style style, size_t columns, Line& line) {
  const size_t used = width_of(line);
  if (used < columns) line.push_back({std::string(columns - used, ' '), style});
}

Line title_line(const View& view, const State& state, size_t columns) {
  Line line;
  std::vector<std::string> parts = title_parts(view);
  const std::string end = state.is_frozen ? "frozen" : fmt::format("last {:.0f} s", std::max(1.0, view.window.seconds));
  // What does not fit beside the end is left out, from the right.
  while (parts.size() > 1 && display_width(fmt::format("{}", fmt::join(parts, "   "))) + kGap + end.size() > columns)
    parts.pop_back();
  add(fmt::format("{}", fmt::join(parts, "   ")), Style::kTitle, columns, line);
  const size_t used = width_of(line);
  if (used + kGap + end.size() <= columns)
    line.push_back({std::string(columns - used - end.size(), ' ') + end, Style::kTitle});
  fill(Style::kTitle, columns, line);
  return line;
}

size_t most_head_lines(const Size& size) { return size.rows < 12 ? 1 : size.rows / 3; }

std::vector<Line> head(const View& view, const Size& size) {
  std::vector<Line> lines;
  for (const HeadLine& told : head_lines(view)) {
    if (lines.size() == most_head_lines(size)) break;
    Line line;
    add(pad_right(told.label, kLabelWidth), Style::kLabel, size.columns, line);
    add(told.text(size.columns - std::min(size.columns, kLabelWidth)), Style::kPlain, size.columns, line);
    lines.push_back(std::move(line));
  }
  return lines;
}

// Widths of the columns, for the rows that there are.
std::vector<size_t> widths(const Page& page, const std::vector<const Row*>& rows) {
  constexpr size_t kMostMeasured = 200;
  std::vector<size_t> result;
  for (size_t column = 0; column < page.columns.size(); ++column) {
    size_t width = display_width(page.columns[column].title) + 1;  // the mark of the sorted one
    for (size_t i = 0; i < std::min(rows.size(), kMostMeasured); ++i)
      width = std::max(width, display_width(cell_text(page.columns[column].unit, rows[i]->values[column])));
    result.push_back(width);
  }
  return result;
}

size_t note_width(const Page& page, const std::vector<const Row*>& rows, size_t columns) {
  constexpr size_t kLeastColumns = 60;  // names are more important
  if (page.note_title.empty() || columns < kLeastColumns) return 0;
  size_t width = page.note_title.size();
  for (const Row* row : rows) width = std::max(width, display_width(row->note));
  const size_t most = columns < 100 ? 18 : 28;
  return std::min(width, most);
}

Line header_line(const Page& page, const std::vector<size_t>& wide, size_t note, const State& state, size_t columns) {
  const size_t sorted = state.sorted[static_cast<size_t>(state.page)];
  const char* const mark = state.reversed[static_cast<size_t>(state.page)] ? "▲" : "▼";
  Line line;
  for (size_t i = 0; i < page.columns.size(); ++i)
    add(pad_left(std::string(page.columns[i].title) + (i == sorted ? mark : ""), wide[i]) + std::string(kGap, ' '),
        Style::kHeader, columns, line);
  if (note > 0) add(pad_right(page.note_title, note) + std::string(kGap, ' '), Style::kHeader, columns, line);
  add(page.name_title + (sorted == page.columns.size() ? mark : ""), Style::kHeader, columns, line);
  fill(Style::kHeader, columns, line);
  return line;
}

// How much a first figure stands out.
Style heat(Unit unit, double value) {
  if (unit != Unit::kPercent) return Style::kPlain;
  return value >= 10 ? Style::kHot : value >= 2 ? Style::kWarm : Style::kPlain;
}

Line row_line(const Row& row, const Page& page, const std::vector<size_t>& wide, size_t note, bool selected,
              size_t columns) {
  Line line;
  const auto style = [&](Style usual) { return selected ? Style::kSelected : usual; };
  for (size_t i = 0; i < page.columns.size(); ++i) {
    const Unit unit = page.columns[i].unit;
    add(pad_left(cell_text(unit, row.values[i]), wide[i]) + std::string(kGap, ' '),
        style(i == 0 ? heat(unit, row.values[i]) : Style::kPlain), columns, line);
  }
  if (note > 0)
    add(pad_right(cut_end(row.note, note), note) + std::string(kGap, ' '), style(Style::kDim), columns, line);
  const size_t used = width_of(line);
  if (used < columns) add(report::fit_name(row.name, columns - used), style(Style::kPlain), columns, line);
  if (selected) fill(Style::kSelected, columns, line);
  return line;
}

Line detail_line(const Detail& detail, bool selected, size_t columns) {
  constexpr size_t kMostDepth = 20;
  Line line;
  const auto style = [&](Style usual) { return selected ? Style::kSelected : usual; };
  const std::string part = detail.part < 0 ? "" : fmt::format("{:.1f} %", detail.part * 100);
  add(pad_left(part, 7) + std::string(kGap + std::min<size_t>(detail.depth, kMostDepth) * 2, ' '),
      style(detail.part >= 0.1 ? Style::kWarm : Style::kPlain), columns, line);
  const size_t used = width_of(line);
  if (used < columns) add(report::fit_name(detail.name, columns - used), style(Style::kPlain), columns, line);
  if (selected) fill(Style::kSelected, columns, line);
  return line;
}

void keep_visible(size_t count, size_t rows, State& state) {
  state.selected = std::min(state.selected, count > 0 ? count - 1 : 0);
  if (rows == 0) return;
  if (state.selected < state.first) state.first = state.selected;
  if (state.selected >= state.first + rows) state.first = state.selected - rows + 1;
  if (state.first + rows > count) state.first = count > rows ? count - rows : 0;
}

const char* what_details_are(PageId page) {
  switch (page) {
    case PageId::kMethods:
    case PageId::kFunctions:
      return "CALLERS OF ";
    case PageId::kMemory:
      return "CODE THAT ALLOCATES ";
    case PageId::kExceptions:
      return "MESSAGES AND STACKS OF ";
    case PageId::kWaits:
      return "STACK OF A WAIT IN ";
    case PageId::kThreads:
      return "FUNCTIONS OF THREAD ";
    case PageId::kRequests:
      return "PARTS OF ";
  }
  return "";
}

void add_details(const View& view, const Size& size, size_t rows, State& state, std::vector<Line>& lines) {
  const std::vector<Detail> all = details(view, state.page, state.drill->key);
  Line title;
  const std::string what = std::string("   PART  ") + what_details_are(state.page);
  add(what, Style::kHeader, size.columns, title);
  if (what.size() < size.columns)
    add(report::fit_name(state.drill->name, size.columns - what.size()), Style::kHeader, size.columns, title);
  fill(Style::kHeader, size.columns, title);
  lines.push_back(std::move(title));
  keep_visible(all.size(), rows, state);
  if (all.empty()) lines.push_back({{"  not in the last seconds", Style::kDim}});
  for (size_t i = state.first; i < std::min(all.size(), state.first + rows); ++i)
    lines.push_back(detail_line(all[i], i == state.selected, size.columns));
}

void add_table(const View& view, const Size& size, size_t rows, State& state, std::vector<Line>& lines) {
  const Page& page = view.page(state.page);
  const std::vector<const Row*> shown = shown_rows(view, state);
  const std::vector<size_t> wide = widths(page, shown);
  const size_t note = note_width(page, shown, size.columns);
  lines.push_back(header_line(page, wide, note, state, size.columns));
  keep_visible(shown.size(), rows, state);
  if (shown.empty()) {
    Line line;
    add("  " + (page.rows.empty() ? page.why_empty : "no row has \"" + report::clean(state.filter) + "\""), Style::kDim,
        size.columns, line);
    lines.push_back(std::move(line));
  }
  for (size_t i = state.first; i < std::min(shown.size(), state.first + rows); ++i)
    lines.push_back(row_line(*shown[i], page, wide, note, i == state.selected, size.columns));
}

Line last_line(const View& view, const State& state, size_t columns) {
  Line line;
  if (!state.message.empty()) {
    add(report::clean(state.message), Style::kLabel, columns, line);
    return line;
  }
  if (state.is_typing || !state.filter.empty()) {
    add("/" + report::clean(state.filter) + (state.is_typing ? "_" : ""), Style::kLabel, columns, line);
    add(state.is_typing ? "   Enter keeps it, Esc clears it" : "   Esc clears it", Style::kDim, columns, line);
    return line;
  }
  constexpr std::string_view kKeys = "Enter callers  / filter  s sort  p freeze  w save  q quit  h help";
  constexpr std::string_view kFewKeys = "h help";
  for (size_t i = 0; i < kPages; ++i) {
    const bool is_shown = i == static_cast<size_t>(state.page);
    const std::string text = fmt::format("{} {}", i + 1, view.pages[i].title);
    if (width_of(line) + text.size() + 1 + kFewKeys.size() > columns) break;
    add(text, is_shown ? Style::kSelected : Style::kKey, columns, line);
    add(" ", Style::kPlain, columns, line);
  }
  const size_t left = columns - std::min(columns, width_of(line));
  std::string_view keys = left >= kFewKeys.size() ? kFewKeys : "";
  // From the right, as many as fit.
  for (size_t at = 0; at < kKeys.size(); at = std::min(kKeys.find("  ", at), kKeys.size() - 2) + 2)
    if (kKeys.size() - at + 1 <= left) {
      keys = kKeys.substr(at);
      break;
    }
  add(std::string(left - std::min(left, keys.size()), ' ') + std::string(keys), Style::kDim, columns, line);
  return line;
}

}  // namespace

size_t body_rows(const View& view, const Size& size, const State&) {
  const size_t used = 3 + std::min(head_lines(view).size(), most_head_lines(size));  // title, header, keys
  return size.rows > used ? size.rows - used : 0;
}

std::vector<Line> screen(const View& view, const Size& size, State& state) {
  std::vector<Line> lines = {title_line(view, state, size.columns)};
  if (state.shows_help) {
    for (const char* text : kHelp) {
      Line line;
      add(text, Style::kPlain, size.columns, line);
      lines.push_back(std::move(line));
    }
  } else {
    for (Line& line : head(view, size)) lines.push_back(std::move(line));
    const size_t rows = body_rows(view, size, state);
    if (state.drill)
      add_details(view, size, rows, state, lines);
    else
      add_table(view, size, rows, state, lines);
  }
  const size_t body = size.rows > 0 ? size.rows - 1 : 0;
  lines.resize(body);
  if (size.rows > 0)
    lines.push_back(state.shows_help ? Line{{"any key: back", Style::kDim}} : last_line(view, state, size.columns));
  return lines;
}

std::string text_of(const Line& line) {
  std::string text;
  for (const Span& span : line) text += span.text;
  return text;
}

std::string as_ascii(std::string_view text) {
  constexpr std::pair<std::string_view, char> kKnown[] = {{"…", '~'}, {"▼", 'v'}, {"▲", '^'}, {"µ", 'u'}};
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80) ++length;
    const std::string_view letter = text.substr(at, length);
    at += length;
    if (length == 1) {
      result += letter;
      continue;
    }
    const auto known = std::ranges::find(kKnown, letter, &std::pair<std::string_view, char>::first);
    result += known != std::end(kKnown) ? std::string(1, known->second) : std::string(display_width(letter), '?');
  }
  return result;
}

}  // namespace oriel::top
