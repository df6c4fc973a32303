// What there is to ask, for people.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace oriel::query {

// The tables and views, each with what a row is, as lines of at most `width` columns.
void write_table_list(size_t width, std::ostream& out);

// The columns of a table, or the statement of a view; of all of them, if the name is "". False: there is none of that
// name.
bool write_schema(const std::string& name, size_t width, std::ostream& out);

}  // namespace oriel::query
