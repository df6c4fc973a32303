// The texts of a view's figures. All are clean (report/words/text.h).
#pragma once

#include <string>
#include <vector>

#include "top/view.h"

namespace oriel::top {

// "12.3", "1.23 MB", "4.5 ms"; "" of nothing.
std::string cell_text(Unit unit, double value);

// "Shop (4711), up 2 min 03 s", "CPU 143 %", "23 threads", "181 MB".
std::vector<std::string> title_parts(const View& view);

struct HeadLine {
  const char* label;
  std::vector<std::string> parts;  // the most important first

  // As many of them as fit, with commas.
  std::string text(size_t width) const;
};
// What is known beside the tables, the most important first.
std::vector<HeadLine> head_lines(const View& view);

}  // namespace oriel::top
