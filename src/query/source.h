// The tables that statements ask: those of docs/TABLES.md, and what their rows refer to.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "query/log.h"

namespace oriel::query {

struct Column {
  // By what a scan can leave out rows before SQLite sees them.
  enum class By : uint8_t {
    kNothing,
    kTime,      // `number` is the value, but for what is not known
    kThread,    // `number` is an index into the log's threads; the value is the name
    kFunction,  // into its functions
    kStack,     // a stack's index in its log
    kRow,       // the row's own number: its index and `first`
  };

  std::string name;
  const char* is = "";  // as docs/TABLES.md says it: "duration, ns"
  std::string help = {};
  bool is_text = false;
  void (*show)(const Log& log, size_t row, sqlite3_context* to) = nullptr;
  By by = By::kNothing;
  int64_t (*number)(const Log& log, size_t row) = nullptr;
  int64_t first = 0;
  bool hidden = false;  // not among the columns that * stands for
  bool of_log = false;  // the same in all rows of a log: hidden where there is only one
};
inline bool is_hidden(const Column& column, const Logs& logs) {
  return column.hidden || (column.of_log && logs.size() == 1);
}

struct Source {
  std::string name;
  std::string help;  // what a row is
  std::vector<Column> columns;
  size_t (*rows)(const Log& log) = nullptr;
  bool is_whole = false;   // its rows are of the whole log, whatever part is asked for
  bool made_late = false;  // rows are made when they are first needed, which takes time: nobody counts them before
};

// The last two columns of each are the process and the run, unless it has a process of its own.
const std::vector<Source>& sources();
// Null if there is none of that name.
const Source* find_source(const std::string& name);

// By its index in the log, whether a row of another table has the stack.
const std::vector<uint8_t>& used_stacks(const Log& log);

// Those that no log's table is: stacks, threads, functions, processes.
void add_dictionaries(std::vector<Source>& to);

// That of covered_lines.h.
void add_covered_lines(std::vector<Source>& to);

// Values as SQLite takes them. Text is valid UTF-8 to whoever reads it.
void show_text(const std::string& text, sqlite3_context* to);          // the text is copied
void show_kept_text(const std::string& text, sqlite3_context* to);     // it outlives the statement, and is valid UTF-8
void show_kept_or_null(const std::string& text, sqlite3_context* to);  // likewise; null if it is empty: not known
void show_count(uint64_t count, sqlite3_context* to);                  // the largest number, if it is more than that
void show_os_id(uint64_t id, sqlite3_context* to);                     // of a thread; 0: not known

}  // namespace oriel::query
