// The hard cases as an assembly, and what there is to cover in it.
#pragma once

#include <string>
#include <vector>

#include "coverage/build.h"

namespace oriel::coverage::test {

bool has_cases();
std::string cases_path();
// The cases, of which nothing ran.
profile::Tables cases();
// Of the cases alone, without the files that generators made.
Coverage cases_covered(const profile::Tables& counted, Choice choice = {});
// Every method ran, each of its places `count` times.
profile::Tables all_ran(uint64_t count);
const File& file_of(const Coverage& coverage, const std::string& name);
const FileLine* line_of(const File& file, uint32_t number);
// The line of a source file of the cases that has this text, from 1; 0: none has.
uint32_t line_with(const std::string& file, const std::string& text);
std::vector<std::string> source_lines(const std::string& file);

}  // namespace oriel::coverage::test
