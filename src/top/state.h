// What a person has chosen on the screen, and how keys change that.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "top/view.h"

namespace oriel::top {

struct Key {
  enum Code {
    kText,
    kUp,
    kDown,
    kLeft,
    kRight,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kTab,
    kBackTab,
    kBackspace
  };
  Code code = kText;
  char byte = 0;  // of kText; letters beyond ASCII come as several keys
};

struct Size {
  size_t rows = 24;
  size_t columns = 80;
};

struct Drill {
  std::string key;  // of the row
  std::string name;
};

struct State {
  PageId page = PageId::kMethods;
  size_t selected = 0;                     // of the rows that are shown, or of a row's details
  size_t first = 0;                        // the row at the top
  std::array<size_t, kPages> sorted = {};  // by this column; the number of columns stands for the names
  std::array<bool, kPages> reversed = {};
  std::string filter;
  std::optional<Drill> drill;
  size_t selected_before = 0;  // where `drill` began
  bool is_typing = false;      // the filter
  bool is_frozen = false;
  bool shows_help = false;
  std::string message;  // shown until the next key
  // What the caller is to do.
  bool quits = false;
  bool saves = false;
};

// The rows of the page that pass the filter, sorted.
std::vector<const Row*> shown_rows(const View& view, const State& state);

void press(const Key& key, const View& view, const Size& size, State& state);

}  // namespace oriel::top
