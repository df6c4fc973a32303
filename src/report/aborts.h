// Processes that their runtime aborted, for instance because of an unhandled exception.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "by an unhandled System.FormatException, “no number”, thrown by Input.Read(string), Input.cs:12"; for several
// processes, with the process. Clean texts, in the order of Profile::aborts.
std::vector<std::string> abort_texts(const profile::Profile& profile);

// Writes each abort with its stack.
void write_aborts(const profile::Profile& profile, const Options& options, std::ostream& out);
Json aborts_json(const profile::Profile& profile);

// An exception's message on one line, in quotation marks, in at most `width` columns.
std::string quoted(std::string_view message, size_t width);

}  // namespace oriel::report
