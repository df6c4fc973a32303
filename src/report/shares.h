// Where the time went, in the words of who wrote the program: shares by whose code ran, and the program's own methods.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "profile/work/category.h"
#include "report/words/json.h"
#include "report/words/shown_line.h"

namespace oriel::report {

// "your code", "base library", or the name of a package or library.
std::string share_name(const profile::Share& share);

// "own", "framework", …: as in JSON.
const char* category_key(profile::Category category);

// "41.2 % your code, 20.1 % base library, …"; of a profile with samples.
std::string shares_text(const profile::Profile& profile);
Json shares_json(const profile::Profile& profile);

// The program's own methods, those first that take most time themselves and in what they call that is not own code.
// Nothing if samples met none. `lines`: as hottest_own_lines gives them; `command`: what shows more of them, or
// nothing.
void write_own_methods(const profile::Profile& profile, size_t rows, const std::map<uint32_t, ShownLine>& lines,
                       const Options& options, std::string_view command, std::ostream& out);
Json own_methods_json(const profile::Profile& profile, size_t rows);

}  // namespace oriel::report
