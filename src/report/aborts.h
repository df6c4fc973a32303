// How processes ended that their runtime aborted: by an exception that nobody caught, for one.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "by an unhandled System.FormatException, “no number”, thrown by Input.Read(string), Input.cs:12"; of several
// processes, with which it was. Clean texts, in the order of Profile::aborts.
std::vector<std::string> abort_texts(const profile::Profile& profile);

// Each with the stack that it came about on.
void write_aborts(const profile::Profile& profile, const Options& options, std::ostream& out);
Json aborts_json(const profile::Profile& profile);

// An exception's message on one line, in quotation marks, in at most `width` columns.
std::string quoted(std::string_view message, size_t width);

}  // namespace oriel::report
