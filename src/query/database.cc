#include "query/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text/edit_distance.h"
#include "base/text/trimmed.h"
#include "query/database_file.h"
#include "query/table_module.h"
#include "query/views.h"
#include "report/words/text.h"

namespace oriel::query {
namespace {

constexpr const char* kOnlyReading =
    "only reading is possible, by SELECT, WITH, VALUES or EXPLAIN: a log stays as it is";

constexpr int64_t kMostMemory = int64_t{1} << 30;

// Statements are limited where a short one could otherwise take much time or memory.
constexpr std::pair<int, int> kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},         {SQLITE_LIMIT_SQL_LENGTH, kMostText}, {SQLITE_LIMIT_COLUMN, 500},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},          {SQLITE_LIMIT_COMPOUND_SELECT, 100},  {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},      {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Tells, too, which columns a statement reads.
int authorize(void* asked, int action, const char* of, const char* name, const char*, const char*) {
  if (action == SQLITE_READ && of && name)
    static_cast<Asked*>(asked)->columns_read.insert(fmt::format("{}.{}", of, name));
  if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE) return SQLITE_OK;
  const bool is_harmless = action == SQLITE_FUNCTION && name && sqlite3_stricmp(name, "load_extension") != 0 &&
                           sqlite3_stricmp(name, "fts3_tokenizer") != 0;
  return is_harmless ? SQLITE_OK : SQLITE_DENY;
}

Status make_views(sqlite3* database) {
  for (const View& view : views()) {
    const std::string statement = fmt::format("CREATE VIEW {} AS {}", view.name, view.sql);
    if (sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      return Status::error(sqlite3_errmsg(database));
  }
  return Status::ok();
}

// Whether the statements may have an outer join: a word in a text or a name is taken for one, too.
bool may_have_outer_join(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::any_of(std::array{"left", "right", "full"},
                             [&](const char* word) { return text.find(word) != std::string::npos; });
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

// "; did you mean samples?" of "no such table: sample".
std::string meant_table(std::string_view message) {
  constexpr std::string_view kNone = "no such table: ";
  if (!message.starts_with(kNone)) return "";
  std::vector<std::string> names = {"frames"};
  for (const Source& source : sources()) names.push_back(source.name);
  for (const View& view : views()) names.emplace_back(view.name);
  const std::string nearest = nearest_word(std::string(message.substr(kNone.size())), names);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

// ", in line 2 at "FORM samples"": where in the statements the fault is, up to the end of that line.
std::string place_in(std::string_view statements, size_t at) {
  constexpr size_t kShown = 24;
  const auto line = std::ranges::count(statements.substr(0, at), '\n') + 1;
  const std::string_view rest_of_line = statements.substr(at, statements.find_first_of("\r\n", at) - at);
  const std::string rest = report::clean(rest_of_line.substr(0, kShown * 4));
  const std::string before = rest.empty() ? " at its end" : fmt::format(" at \"{}\"", report::cut_end(rest, kShown));
  return line > 1 ? fmt::format(", in line {}{}", line, before) : "," + before;
}

Cell cell_of(sqlite3_stmt* statement, int column) {
  const auto bytes = [&](const void* data) {
    return std::string_view(static_cast<const char*>(data),
                            data ? static_cast<size_t>(sqlite3_column_bytes(statement, column)) : 0);
  };
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return {Cell::Type::kInteger, sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return {Cell::Type::kReal, 0, sqlite3_column_double(statement, column)};
    case SQLITE_TEXT:
      return {Cell::Type::kText, 0, 0, bytes(sqlite3_column_text(statement, column))};
    case SQLITE_BLOB:
      return {Cell::Type::kBlob, 0, 0, bytes(sqlite3_column_blob(statement, column))};
    default:
      return {};
  }
}

// Names that are there twice get a number, as rows are written by them.
std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    std::string unique = name ? name : "";
    for (int number = 2; std::ranges::find(names, unique) != names.end(); ++number)
      unique = fmt::format("{}_{}", name ? name : "", number);
    names.push_back(std::move(unique));
  }
  return names;
}

}  // namespace

struct Database::Parts {
  Parts(std::vector<profile::Profile> profiles, const std::atomic<bool>& stop)
      : logs(std::move(profiles)), asked{logs, stop} {}
  ~Parts() { sqlite3_close(database); }
  Parts(const Parts&) = delete;

  Status set_up() {
    // Without SQLITE_OPEN_MEMORY, which databases that write_to() attaches would have too.
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &database, kFlags, nullptr) != SQLITE_OK) return fault();
    sqlite3_extended_result_codes(database, 1);
    for (const int option : {SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
      sqlite3_db_config(database, option, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    if (add_tables(database, asked) != SQLITE_OK || add_frames(database, asked) != SQLITE_OK ||
        add_functions(database, asked) != SQLITE_OK)
      return fault();
    if (Status status = make_views(database); !status) return status;
    if (Status status = connect_tables(); !status) return status;
    sqlite3_hard_heap_limit64(kMostMemory);
    limit();
    constexpr int kSteps = 10'000;
    sqlite3_progress_handler(
        database, kSteps, [](void* its) { return static_cast<const Asked*>(its)->stop.load() ? 1 : 0; }, &asked);
    return Status::ok();
  }

  // A table is declared when it is first named. That counts as making a table, which statements may not. SQLite's own
  // table-valued functions are no different.
  Status connect_tables() {
    std::string all = "SELECT 1 FROM frames(0), json_each('[]'), json_tree('[]')";
    for (const Source& source : sources()) all += "; SELECT 1 FROM " + source.name + " WHERE rowid = -1";
    return sqlite3_exec(database, all.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK ? Status::ok() : fault();
  }

  void limit() {
    for (const auto& [limit, most] : kLimits) sqlite3_limit(database, limit, most);
    sqlite3_set_authorizer(database, authorize, &asked);
  }

  Status fault() const { return Status::error(report::clean(sqlite3_errmsg(database))); }

  // Of a statement that begins at `begin` of the text.
  Status fault(int code, std::string_view text, size_t begin) const {
    const int primary = code & 0xFF;
    if (primary == SQLITE_INTERRUPT) return Status::error("the statement was interrupted");
    if (primary == SQLITE_AUTH) return Status::error(kOnlyReading);
    if (primary == SQLITE_NOMEM) return Status::error("the statement needs more than 1 GB of memory; ask for less");
    const std::string message = report::clean(sqlite3_errmsg(database));
    for (const char* told : {"may not be modified", "may not be dropped", "may not be altered", "because it is a view"})
      if (message.find(told) != std::string::npos) return Status::error(kOnlyReading);
    const int offset = sqlite3_error_offset(database);
    const std::string place = offset < 0 ? "" : place_in(text, begin + static_cast<size_t>(offset));
    return Status::error(message + place + meant_table(message));
  }

  Logs logs;
  Asked asked;
  sqlite3* database = nullptr;
};

Database::Database(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(std::vector<profile::Profile> logs, const std::atomic<bool>& stop) {
  auto parts = std::make_unique<Parts>(std::move(logs), stop);
  if (Status status = parts->set_up(); !status) return status;
  return std::unique_ptr<Database>(new Database(std::move(parts)));
}

bool Database::is_whole(const std::string& text) { return sqlite3_complete(text.c_str()) != 0; }

bool Database::is_blank(std::string_view text) {
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const bool is_line = text.starts_with("--");
    if (!is_line && !text.starts_with("/*")) return false;
    const size_t end = is_line ? text.find('\n') : text.find("*/", 2);
    if (end == std::string_view::npos) return is_line;
    text.remove_prefix(end + (is_line ? 1 : 2));
  }
  return true;
}

Status Database::write_to(const std::string& file) {
  sqlite3_set_authorizer(parts_->database, nullptr, nullptr);
  sqlite3_limit(parts_->database, SQLITE_LIMIT_ATTACHED, 1);
  Status status = write_database(parts_->database, parts_->logs, file);
  parts_->limit();
  return status;
}

const Logs& Database::logs() const { return parts_->logs; }
const std::set<std::string>& Database::columns_read() const { return parts_->asked.columns_read; }
uint64_t Database::looked_at() const { return parts_->asked.looked_at; }

Status Database::run(std::string_view text, Answers& answers) {
  if (text.size() >= kMostText) return Status::error("the statement is too long: more than a million characters");
  if (text.find('\0') != std::string_view::npos) return Status::error("the statement has a character 0");
  parts_->asked.has_outer_join = may_have_outer_join(std::string(text));
  for (size_t begin = 0; begin < text.size();) {
    const char* rest = nullptr;
    sqlite3_stmt* made = nullptr;
    int code = sqlite3_prepare_v3(parts_->database, text.data() + begin, static_cast<int>(text.size() - begin), 0,
                                  &made, &rest);
    const Statement statement(made);
    if (code != SQLITE_OK) return parts_->fault(code, text, begin);
    const size_t end = static_cast<size_t>(rest - text.data());
    if (made && sqlite3_stmt_readonly(made) == 0) return Status::error(kOnlyReading);
    if (made) {
      if (Status status = answers.begin(column_names(made)); !status) return status;
      std::vector<Cell> cells(static_cast<size_t>(sqlite3_column_count(made)));
      while ((code = sqlite3_step(made)) == SQLITE_ROW) {
        for (size_t i = 0; i < cells.size(); ++i) cells[i] = cell_of(made, static_cast<int>(i));
        if (Status status = answers.row(cells); !status) return status;
      }
      if (code != SQLITE_DONE) return parts_->fault(code, text, begin);
      if (Status status = answers.end(); !status) return status;
    }
    begin = end;
  }
  return Status::ok();
}

}  // namespace oriel::query
