#include "top/state.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "top/screen.h"

namespace oriel::top {
namespace {

size_t index_of(PageId page) { return static_cast<size_t>(page); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

void show_page(size_t page, State& state) {
  state.page = static_cast<PageId>(page % kPages);
  state.drill.reset();
  state.selected = state.first = 0;
}

void leave_drill(State& state) {
  state.drill.reset();
  state.selected = state.selected_before;
  state.first = 0;
}

void enter_row(const View& view, State& state) {
  if (state.drill) return leave_drill(state);
  const std::vector<const Row*> rows = shown_rows(view, state);
  if (state.selected >= rows.size()) return;
  const Row& row = *rows[state.selected];
  if (details(view, state.page, row.key).empty()) {
    state.message = "nothing more is known of this row";
    return;
  }
  state.drill = Drill{row.key, state.page == PageId::kThreads ? row.note : row.name};
  state.selected_before = state.selected;
  state.selected = state.first = 0;
}

void sort_by(size_t step, const View& view, State& state) {
  const size_t columns = view.page(state.page).columns.size() + 1;
  size_t& sorted = state.sorted[index_of(state.page)];
  sorted = (sorted + step) % columns;
  state.reversed[index_of(state.page)] = false;
}

void type(const Key& key, State& state) {
  if (key.code == Key::kEnter) state.is_typing = false;
  if (key.code == Key::kEscape) {
    state.is_typing = false;
    state.filter.clear();
  }
  if (key.code == Key::kText && static_cast<unsigned char>(key.byte) >= ' ') state.filter += key.byte;
  if (key.code == Key::kBackspace)
    while (!state.filter.empty()) {
      const auto byte = static_cast<unsigned char>(state.filter.back());
      state.filter.pop_back();
      if ((byte & 0xc0) != 0x80) break;  // the rest of a letter beyond ASCII
    }
  state.selected = state.first = 0;
}

void press_letter(char letter, const View& view, State& state) {
  const size_t columns = view.page(state.page).columns.size() + 1;
  if (letter >= '1' && letter < static_cast<char>('1' + kPages))
    return show_page(static_cast<size_t>(letter - '1'), state);
  switch (letter) {
    case 'q':
      state.quits = true;
      return;
    case '/':
      state.is_typing = !state.drill;
      return;
    case 's':
    case '>':
      return sort_by(1, view, state);
    case '<':
      return sort_by(columns - 1, view, state);
    case 'r':
      state.reversed[index_of(state.page)] = !state.reversed[index_of(state.page)];
      return;
    case 'p':
    case ' ':
      state.is_frozen = !state.is_frozen;
      return;
    case 'w':
    case 'S':
      state.saves = true;
      return;
    case 'h':
    case '?':
      state.shows_help = true;
      return;
    default:
      return;
  }
}

}  // namespace

std::vector<const Row*> shown_rows(const View& view, const State& state) {
  const Page& page = view.page(state.page);
  const std::string wanted = lower(state.filter);
  std::vector<const Row*> rows;
  for (const Row& row : page.rows)
    if (wanted.empty() || lower(row.name).find(wanted) != std::string::npos ||
        lower(row.note).find(wanted) != std::string::npos)
      rows.push_back(&row);
  const size_t column = state.sorted[index_of(state.page)];
  if (column < page.columns.size())
    std::ranges::stable_sort(rows, [&](const Row* a, const Row* b) { return a->values[column] > b->values[column]; });
  else
    std::ranges::stable_sort(rows, [](const Row* a, const Row* b) { return a->name < b->name; });
  if (state.reversed[index_of(state.page)]) std::ranges::reverse(rows);
  return rows;
}

void press(const Key& key, const View& view, const Size& size, State& state) {
  state.message.clear();
  if (state.shows_help) {
    state.shows_help = false;
    return;
  }
  if (state.is_typing) return type(key, state);
  const size_t count =
      state.drill ? details(view, state.page, state.drill->key).size() : shown_rows(view, state).size();
  const size_t last = count > 0 ? count - 1 : 0;
  const size_t step = std::max<size_t>(body_rows(view, size, state), 2) - 1;
  switch (key.code) {
    case Key::kText:
      return press_letter(key.byte, view, state);
    case Key::kUp:
      state.selected -= state.selected > 0 ? 1 : 0;
      return;
    case Key::kDown:
      state.selected = std::min(state.selected + 1, last);
      return;
    case Key::kPageUp:
      state.selected -= std::min(step, state.selected);
      return;
    case Key::kPageDown:
      state.selected = std::min(state.selected + step, last);
      return;
    case Key::kHome:
      state.selected = 0;
      return;
    case Key::kEnd:
      state.selected = last;
      return;
    case Key::kEnter:
      return enter_row(view, state);
    case Key::kEscape:
    case Key::kBackspace:
    case Key::kLeft:
      if (state.drill)
        leave_drill(state);
      else if (key.code == Key::kEscape)
        state.filter.clear();
      return;
    case Key::kRight:
      if (!state.drill) enter_row(view, state);
      return;
    case Key::kTab:
      return show_page(index_of(state.page) + 1, state);
    case Key::kBackTab:
      return show_page(index_of(state.page) + kPages - 1, state);
  }
}

}  // namespace oriel::top
