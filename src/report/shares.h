// Where the time went: shares by whose code ran, and the program's own methods.
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

// "own", "framework", …: the key in JSON.
const char* category_key(profile::Category category);

// "41.2 % your code, 20.1 % base library, …"; for a profile with samples.
std::string shares_text(const profile::Profile& profile);
Json shares_json(const profile::Profile& profile);

// The program's own methods by self time with library callees, descending. Writes nothing if no sample is below one.
// `lines` come from hottest_own_lines; `command` shows more methods; it may be empty.
void write_own_methods(const profile::Profile& profile, size_t rows, const std::map<uint32_t, ShownLine>& lines,
                       const Options& options, std::string_view command, std::ostream& out);
Json own_methods_json(const profile::Profile& profile, size_t rows);

}  // namespace oriel::report
