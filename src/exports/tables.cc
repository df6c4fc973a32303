// All tables of logs for other programs: a SQLite database, or a folder of CSV files.
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "exports/export.h"
#include "query/answers.h"
#include "query/database.h"
#include "query/database_file.h"

namespace oriel::exports {
namespace {

using query::Database;

const std::atomic<bool> kNeverStopped{false};

Status write_sqlite(std::vector<profile::Profile> logs, const std::string& place) {
  const auto database = Database::open(std::move(logs), kNeverStopped);
  return database ? (*database)->write_to(place) : database.status();
}

Status write_csv_file(Database& database, const query::Source& source, const std::string& path) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) return Status::error(fmt::format("'{}' cannot be written: {}", path, std::strerror(errno)));
  const auto answers = query::answers_to(out, query::Form::kCsv, 0);
  Status status = database.run(query::whole_table(source, database.logs()), *answers);
  if (status && !out.flush()) status = Status::error("the tables cannot be written; is the disk full?");
  return status;
}

Status write_csv_folder(std::vector<profile::Profile> logs, const std::string& place) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(place, error) && !fs::is_empty(place, error))
    return Status::error(fmt::format("'{}' is there and is no empty folder; name another one with -o", place));
  const auto database = Database::open(std::move(logs), kNeverStopped);
  if (!database) return database.status();
  fs::create_directory(place, error);
  if (error) return Status::error(fmt::format("the folder '{}' cannot be made: {}", place, error.message()));
  for (const query::Source& source : query::sources()) {
    const fs::path path = fs::path(place) / (source.name + ".csv");
    if (Status status = write_csv_file(**database, source, path.string()); !status) return status;
  }
  return Status::ok();
}

}  // namespace

extern const Export kSqliteExport = {
    .name = "sqlite",
    .description = "all tables and views as a SQLite database (docs/TABLES.md)",
    .extension = ".sqlite",
    .binary = true,
    .write_tables = write_sqlite,
};

extern const Export kCsvExport = {
    .name = "csv",
    .description = "all tables as a folder of CSV files, one for each",
    .extension = ".csv",
    .binary = true,
    .write_tables = write_csv_folder,
    .writes_folder = true,
};

}  // namespace oriel::exports
