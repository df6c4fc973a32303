#include "statements/moar_sql.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace oriel::statements {
namespace {

using imports::kMostMoar;
using imports::MoarCalls;
using imports::MoarProfile;

constexpr std::string_view kMoarTables[] = {"types",   "routines",    "gcs",          "calls",
                                            "profile", "allocations", "deallocations"};

struct Database {
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> open;
  uint64_t steps_left = 0;   // of a hundred operations
  bool makes_table = false;  // the statement that is being compiled
};

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

bool is_moar_table(const char* name) {
  return name != nullptr && std::ranges::find(kMoarTables, std::string_view(name)) != std::end(kMoarTables);
}

// SQLite keeps what a table is in a table of its own, which is read and written when one is made.
bool is_schema(const char* name) {
  return name != nullptr && (std::strcmp(name, "sqlite_master") == 0 || std::strcmp(name, "sqlite_schema") == 0);
}

// Whether a statement of the file may do it. Rows of constants are a SELECT to SQLite, and to make a table with a
// primary key reads its columns.
int allowed(void* told, int action, const char* first, const char* second, const char*, const char*) {
  Database& database = *static_cast<Database*>(told);
  switch (action) {
    case SQLITE_TRANSACTION:
    case SQLITE_SELECT:
      return SQLITE_OK;
    case SQLITE_CREATE_TABLE:
      database.makes_table = is_moar_table(first);
      return database.makes_table ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_CREATE_INDEX:
    case SQLITE_REINDEX:
      return database.makes_table ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_INSERT:
      return is_moar_table(first) || is_schema(first) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_READ:
      return database.makes_table && (is_moar_table(first) || is_schema(first)) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE:
      return database.makes_table && is_schema(first) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return second != nullptr && std::strcmp(second, "json_object") == 0 ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

int count_steps(void* database) {
  uint64_t& left = static_cast<Database*>(database)->steps_left;
  return left == 0 ? 1 : (--left, 0);
}

// Memory and work in proportion to the file.
Status open_database(uint64_t file_bytes, Database& database) {
  sqlite3* opened = nullptr;
  const int error = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database.open.reset(opened);
  if (error != SQLITE_OK) return Status::error("SQLite has no memory for it");
  constexpr int kLongestText = 1 << 20, kPageBytes = 4096, kStepOperations = 100;
  constexpr std::pair<int, int> kLimits[] = {{SQLITE_LIMIT_LENGTH, kLongestText}, {SQLITE_LIMIT_EXPR_DEPTH, 50},
                                             {SQLITE_LIMIT_ATTACHED, 0},          {SQLITE_LIMIT_FUNCTION_ARG, 100},
                                             {SQLITE_LIMIT_COLUMN, 100},          {SQLITE_LIMIT_COMPOUND_SELECT, 2},
                                             {SQLITE_LIMIT_TRIGGER_DEPTH, 0},     {SQLITE_LIMIT_WORKER_THREADS, 0}};
  for (const auto& [limit, most] : kLimits) sqlite3_limit(opened, limit, most);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  const std::string pages = "pragma max_page_count = " + std::to_string(1000 + file_bytes * 4 / kPageBytes);
  sqlite3_exec(opened, pages.c_str(), nullptr, nullptr, nullptr);
  database.steps_left = 10'000 + file_bytes / 4;
  sqlite3_progress_handler(opened, kStepOperations, count_steps, &database);
  sqlite3_set_authorizer(opened, allowed, &database);
  return Status::ok();
}

uint64_t line_at(const std::string& text, const char* at) {
  const char* begin = at + std::strspn(at, " \t\r\n");
  return static_cast<uint64_t>(std::count(text.data(), begin, '\n')) + 1;
}

// A file that was cut ends within a statement.
bool is_incomplete(const char* rest) { return sqlite3_complete(rest) == 0 && std::strstr(rest, ";\n") == nullptr; }

bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && sqlite3_strnicmp(text.data(), word.data(), static_cast<int>(word.size())) == 0;
}

// Whether MoarVM may have written the statement: rows of constants, and tables that have columns and keys and nothing
// that SQLite would have to work out. SQLite could do much more, at any cost.
bool is_of_moar(std::string_view statement) {
  constexpr size_t kLongestTable = 4096;
  statement.remove_prefix(std::min(statement.find_first_not_of(" \t\r\n"), statement.size()));
  if (statement.empty() || begins_with(statement, "begin") || begins_with(statement, "commit") ||
      begins_with(statement, "end"))
    return true;
  if (begins_with(statement, "insert into ")) {
    statement.remove_prefix(std::string_view("insert into ").size());
    statement.remove_prefix(std::min(statement.find_first_of(" ("), statement.size()));
    statement.remove_prefix(std::min(statement.find_first_not_of(' '), statement.size()));
    return begins_with(statement, "values");
  }
  if (!begins_with(statement, "create table ") || statement.size() > kLongestTable) return false;
  constexpr std::string_view kWorkedOut[] = {" as ",    " as(",    "generated", "check",
                                             "default", "collate", "virtual",   "select"};
  std::string lower(statement);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  std::ranges::replace(lower, '\n', ' ');
  std::ranges::replace(lower, '\t', ' ');
  const bool is_plain = lower.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_ (),;") == std::string::npos;
  return is_plain &&
         std::ranges::none_of(kWorkedOut, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

Status run_statements(const std::string& text, Database& of, std::string& cut) {
  sqlite3* database = of.open.get();
  size_t read = 0;
  for (const char* rest = text.c_str(); *rest != '\0';) {
    of.makes_table = false;
    sqlite3_stmt* prepared = nullptr;
    const char* next = rest;
    int error = sqlite3_prepare_v2(database, rest, -1, &prepared, &next);
    const Statement statement(prepared);
    if (error == SQLITE_OK && !is_of_moar({rest, static_cast<size_t>(next - rest)}))
      return Status::error("line " + std::to_string(line_at(text, rest)) + ": it is none of MoarVM's statements");
    if (error == SQLITE_OK && prepared != nullptr) error = sqlite3_step(prepared);
    const bool done = error == SQLITE_OK || error == SQLITE_DONE;
    if (!done && prepared == nullptr && is_incomplete(rest)) {
      cut = "It was cut within a statement";
      return Status::ok();
    }
    if (!done)
      return Status::error("line " + std::to_string(line_at(text, rest)) + ": " +
                           (error == SQLITE_INTERRUPT ? "it takes too long" : sqlite3_errmsg(database)));
    if (next == rest) break;
    rest = next;
    read = static_cast<size_t>(next - text.c_str());
  }
  if (text.find('\0', read) != std::string::npos) cut = "It has a byte 0, behind which nothing was read";
  return Status::ok();
}

// Rows of a table, with its columns by name; what it does not have is NULL.
class Rows {
 public:
  template <size_t Count>
  Rows(sqlite3* database, const char* table, const std::array<const char*, Count>& columns, const char* order) {
    std::string select;
    for (const char* column : columns)
      select += (select.empty() ? "select " : ", ") + (has(database, table, column) ? std::string(column) : "null");
    select += std::string(" from ") + table + (has(database, table, order) ? std::string(" order by ") + order : "");
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database, select.c_str(), -1, &prepared, nullptr) == SQLITE_OK) statement_.reset(prepared);
  }

  bool next() { return statement_ && sqlite3_step(statement_.get()) == SQLITE_ROW; }
  bool is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
  // An id may be any number; a count is none that is negative.
  uint64_t id(int column) const { return static_cast<uint64_t>(sqlite3_column_int64(statement_.get(), column)); }
  uint64_t number(int column) const {
    const int64_t value = sqlite3_column_int64(statement_.get(), column);
    return value < 0 ? 0 : std::min(static_cast<uint64_t>(value), kMostMoar);
  }
  std::string text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return text == nullptr ? ""
                           : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)));
  }

 private:
  static bool has(sqlite3* database, const char* table, const char* column) {
    return sqlite3_table_column_metadata(database, "main", table, column, nullptr, nullptr, nullptr, nullptr,
                                         nullptr) == SQLITE_OK;
  }
  Statement statement_;
};

void read_things(sqlite3* database, MoarProfile& profile) {
  for (Rows rows(database, "routines", std::array{"id", "name", "line", "file"}, "id"); rows.next();)
    profile.routines[rows.id(0)] = {rows.text(1), rows.text(3), rows.number(2)};
  for (Rows rows(database, "types", std::array{"id", "name"}, "id"); rows.next();)
    profile.types[rows.id(0)] = {rows.text(1), 0};
  sqlite3_stmt* prepared = nullptr;
  constexpr const char* kSizes =
      "select id, json_extract(extra_info, '$.managed_size') from types where json_valid(extra_info)";
  if (sqlite3_prepare_v2(database, kSizes, -1, &prepared, nullptr) != SQLITE_OK) return;
  const Statement sizes(prepared);
  while (sqlite3_step(prepared) == SQLITE_ROW) {
    const int64_t bytes = sqlite3_column_int64(prepared, 1);
    const auto type = profile.types.find(static_cast<uint64_t>(sqlite3_column_int64(prepared, 0)));
    if (type != profile.types.end() && bytes > 0)
      type->second.bytes = std::min(static_cast<uint64_t>(bytes), kMostMoar);
  }
}

// Callers have smaller numbers than what they call.
struct CallRows {
  std::unordered_map<uint64_t, uint32_t> roots;  // index of the thread, by the number of the row
  std::unordered_map<uint64_t, uint32_t> known;  // index in the profile
};

void read_threads(sqlite3* database, MoarProfile& profile, CallRows& calls) {
  Rows rows(database, "profile", std::array{"thread_id", "first_entry_time", "total_time", "root_node"}, "thread_id");
  while (rows.next()) {
    if (!rows.is_null(3)) calls.roots.try_emplace(rows.id(3), static_cast<uint32_t>(profile.threads.size()));
    profile.threads.push_back({rows.id(0), rows.number(1), rows.number(2)});
  }
}

void read_calls(sqlite3* database, MoarProfile& profile, CallRows& calls) {
  Rows rows(database, "calls",
            std::array{"id", "parent_id", "routine_id", "entries", "spesh_entries", "jit_entries", "inlined_entries",
                       "osr", "deopt_one", "deopt_all", "inclusive_time", "exclusive_time"},
            "id");
  while (rows.next()) {
    const auto root = calls.roots.find(rows.id(0));
    const auto caller = calls.known.find(rows.id(1));
    MoarCalls row{0,
                  0,
                  rows.id(2),
                  rows.number(3),
                  rows.number(4),
                  rows.number(5),
                  rows.number(6),
                  rows.number(7),
                  rows.number(8),
                  rows.number(9),
                  rows.number(10),
                  rows.number(11)};
    if (root != calls.roots.end()) {
      row.thread = root->second;
    } else if (caller != calls.known.end()) {
      row.parent = caller->second + 1;
      row.thread = profile.calls[caller->second].thread;
    } else if (rows.id(0) == rows.id(1)) {  // the first; threads stand at the end of a file
      row.thread = static_cast<uint32_t>(profile.threads.size());
      profile.threads.push_back({0, 0, row.inclusive});
    } else {
      ++profile.of_no_thread;
      continue;
    }
    calls.known.emplace(rows.id(0), static_cast<uint32_t>(profile.calls.size()));
    profile.calls.push_back(row);
  }
}

void read_allocations(sqlite3* database, MoarProfile& profile, const CallRows& calls) {
  Rows rows(database, "allocations", std::array{"call_id", "type_id", "count", "replaced"}, "call_id");
  while (rows.next())
    if (const auto known = calls.known.find(rows.id(0)); known != calls.known.end())
      profile.allocations.push_back({known->second, rows.id(1), rows.number(2), rows.number(3)});
}

void read_left_out(sqlite3* database, MoarProfile& profile) {
  for (Rows rows(database, "deallocations", std::array{"type_id"}, "rowid"); rows.next();) ++profile.freed;
  for (Rows rows(database, "profile", std::array{"spesh_time"}, "thread_id"); rows.next();)
    if (rows.number(0) > 0) ++profile.specializing;
}

void read_gcs(sqlite3* database, MoarProfile& profile) {
  Rows rows(database, "gcs",
            std::array{"thread_id", "sequence_num", "start_time", "time", "responsible", "full", "retained_bytes",
                       "promoted_bytes", "cleared_bytes", "gen2_roots"},
            "sequence_num");
  while (rows.next())
    profile.gcs.push_back({rows.id(0), rows.number(1), rows.number(2), rows.number(3), rows.number(4) != 0,
                           rows.number(5) != 0, rows.number(6), rows.number(7), rows.number(8), rows.number(9)});
}

}  // namespace

Status read_moar_sql(const std::string& text, MoarProfile& profile, std::string& cut) {
  Database database;
  if (Status status = open_database(text.size(), database); !status) return status;
  sqlite3* open = database.open.get();
  if (Status status = run_statements(text, database, cut); !status) return status;
  sqlite3_set_authorizer(open, nullptr, nullptr);
  sqlite3_progress_handler(open, 0, nullptr, nullptr);
  CallRows calls;
  read_things(open, profile);
  read_threads(open, profile, calls);
  read_calls(open, profile, calls);
  read_allocations(open, profile, calls);
  read_gcs(open, profile);
  read_left_out(open, profile);
  return Status::ok();
}

}  // namespace oriel::statements
