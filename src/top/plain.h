// A view for pipes and files: a few lines, or one JSON object in a line.
#pragma once

#include <iosfwd>
#include <string>

#include "top/view.h"

namespace oriel::top {

// "14:03:07  Shop (4711), up 2 min 03 s   CPU 143 %   …", what head_lines() has, and the first own methods; then an
// empty line. Lines have `width` columns at most. `time` is the time of day.
void write_plain(const View& view, const std::string& time, size_t width, std::ostream& out);

// Fields: docs/GUIDE.md. `unix_us` is when the window ended.
void write_json(const View& view, int64_t unix_us, std::ostream& out);

}  // namespace oriel::top
