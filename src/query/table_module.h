// Tables as SQLite sees them: virtual tables over the logs. Nothing is copied.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>

#include "query/log.h"
#include "query/source.h"

namespace oriel::query {

// What a connection's modules and functions refer to.
struct Asked {
  const Logs& logs;
  const std::atomic<bool>& stop;
  uint64_t looked_at = 0;  // rows of tables, since it was last set to 0
};

// Each table by its name, and frames(). Returns a code of SQLite.
int add_tables(sqlite3* database, Asked& asked);
int add_frames(sqlite3* database, Asked& asked);
// contains() and stack_text().
int add_functions(sqlite3* database, Asked& asked);

// contains(stack, patterns).
void contains_function(sqlite3_context* context, int count, sqlite3_value** values);

}  // namespace oriel::query
