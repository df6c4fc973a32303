// Tables as SQLite sees them: virtual tables over the logs. Nothing is copied.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <string>

#include "query/log.h"
#include "query/source.h"

namespace oriel::query {

// What a connection's modules and functions refer to.
struct Asked {
  const Logs& logs;
  const std::atomic<bool>& stop;
  uint64_t looked_at = 0;  // rows of tables, since it was last set to 0
  // Of the statement that is prepared. SQLite (3.40) takes a function of ON in an outer join for a condition on the
  // rows of the left table, which stay whatever it says.
  bool has_outer_join = false;
  std::set<std::string> columns_read = {};  // "samples.at", of all statements so far
};

// Each table by its name, and frames(). Returns a code of SQLite.
int add_tables(sqlite3* database, Asked& asked);
int add_frames(sqlite3* database, Asked& asked);
// contains() and stack_text().
int add_functions(sqlite3* database, Asked& asked);

// contains(stack, patterns).
void contains_function(sqlite3_context* context, int count, sqlite3_value** values);

}  // namespace oriel::query
