// All tables and views as a database file of its own.
#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

#include "base/status.h"
#include "query/log.h"
#include "query/source.h"

namespace oriel::query {

// The columns of a table that files have, in their order.
std::vector<const Column*> columns_in_files(const Source& source, const Logs& logs);
// "SELECT …": a table's rows as files have them. Stacks that rows of other tables have are there as text.
std::string whole_table(const Source& source, const Logs& logs);

// Of a connection that has the tables, and that may attach a database. The file is empty or not there; it is whole only
// if all went well.
Status write_database(sqlite3* database, const Logs& logs, const std::string& file);

}  // namespace oriel::query
