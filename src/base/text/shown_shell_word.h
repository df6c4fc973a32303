// Words that came from elsewhere (a file's name, a method's) in a command that a terminal shows, to be pasted into a
// shell.
#pragma once

#include <string>
#include <string_view>

namespace oriel {

// Whether a terminal would act on the character instead of showing it: controls, separators of lines, and those that
// turn the direction of writing.
bool acts_on_terminal(char32_t code);

// The text itself, or quoted if a shell would split or expand it: 'two words', or if a terminal cannot show all of its
// bytes, $'two\nlines'. The shell makes the same text of it.
std::string shown_shell_word(std::string_view text);

}  // namespace oriel
