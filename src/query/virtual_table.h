// What every virtual table of SQLite does in the same way. A Table derives from sqlite3_vtab, a Cursor from
// sqlite3_vtab_cursor.
#pragma once

#include <sqlite3.h>

#include <new>

namespace oriel::query {

// A copy of `its` as the table that a statement has.
template <typename Table>
int connect_as(const Table& its, const char* declaration, sqlite3* database, sqlite3_vtab** table) {
  const int code = sqlite3_declare_vtab(database, declaration);
  if (code != SQLITE_OK) return code;
  *table = new (std::nothrow) Table(its);
  return *table ? SQLITE_OK : SQLITE_NOMEM;
}
template <typename Table>
int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

template <typename Cursor>
int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  *cursor = new (std::nothrow) Cursor{};
  return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}
template <typename Cursor>
int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

// Ends the statement with that message.
inline int fail(sqlite3_vtab& table, const char* message) {
  sqlite3_free(table.zErrMsg);
  table.zErrMsg = sqlite3_mprintf("%s", message);
  return SQLITE_ERROR;
}

}  // namespace oriel::query
