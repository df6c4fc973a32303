// The screen of `oriel top` as text, for whatever terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "top/state.h"
#include "top/view.h"

namespace oriel::top {

enum class Style : uint8_t { kPlain, kTitle, kLabel, kDim, kHot, kWarm, kHeader, kSelected, kKey };

struct Span {
  std::string text;
  Style style = Style::kPlain;
};
using Line = std::vector<Span>;

// Lines of at most size.columns columns, size.rows of them at most. Keeps the selected row visible.
std::vector<Line> screen(const View& view, const Size& size, State& state);

// How many rows of a table fit.
size_t body_rows(const View& view, const Size& size, const State& state);

std::string text_of(const Line& line);

// For terminals without UTF-8: what has no ASCII letter of its own becomes "?", in as many columns.
std::string as_ascii(std::string_view text);

}  // namespace oriel::top
