// What `oriel ctl` and the engine of a running program say to each other. Both directions are lines of UTF-8, whose
// words have tabs between them; in a word \t, \n and \\ stand for a tab, a line's end and a backslash. A request is one
// line; the next one may come once it is answered. An answer is "ok", or "error" and a message; then any lines; then an
// empty line. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::control {

using Words = std::vector<std::string>;

inline constexpr size_t kMostRequest = 16 * 1024;  // bytes of a line, with its end
inline constexpr size_t kMostAnswer = 1024 * 1024;

// A line with its end.
std::string line_of(const Words& words);
// The words of a line without its end. The message says what is wrong with it.
Result<Words> words_of(std::string_view line);

struct Answer {
  Status status = Status::ok();
  std::vector<Words> lines;  // none has no words
};

std::string text_of(const Answer& answer);
// Whether the text is a whole answer, or more.
bool is_whole_answer(std::string_view text);
Result<Answer> read_answer(std::string_view text);

}  // namespace oriel::control
