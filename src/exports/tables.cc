// All tables of logs for other programs: a SQLite database, or a folder of CSV or Parquet files.
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "exports/export.h"
#include "exports/parquet_file.h"
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

// Whose answer to a table's statement is the file.
using FileOf = std::unique_ptr<query::Answers> (*)(const query::Source& source, const query::Logs& logs,
                                                   std::ostream& out);

Status write_table_file(Database& database, const query::Source& source, FileOf file_of, const std::string& path) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) return Status::error(fmt::format("'{}' cannot be written: {}", path, std::strerror(errno)));
  const auto answers = file_of(source, database.logs(), out);
  Status status = database.run(query::whole_table(source, database.logs()), *answers);
  if (status && !out.flush()) status = Status::error("the tables cannot be written; is the disk full?");
  return status;
}

Status write_folder(std::vector<profile::Profile> logs, FileOf file_of, const char* extension,
                    const std::string& place) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(place, error) && !fs::is_empty(place, error))
    return Status::error(fmt::format("'{}' is there and is no empty folder; name another one with -o", place));
  const auto database = Database::open(std::move(logs), kNeverStopped);
  if (!database) return database.status();
  fs::create_directory(place, error);
  if (error) return Status::error(fmt::format("the folder '{}' cannot be made: {}", place, error.message()));
  for (const query::Source& source : query::sources()) {
    const fs::path path = fs::path(place) / (source.name + extension);
    if (Status status = write_table_file(**database, source, file_of, path.string()); !status) return status;
  }
  return Status::ok();
}

Status write_csv_folder(std::vector<profile::Profile> logs, const std::string& place) {
  constexpr FileOf kFileOf = [](const query::Source&, const query::Logs&, std::ostream& out) {
    return query::answers_to(out, query::Form::kCsv, 0);
  };
  return write_folder(std::move(logs), kFileOf, ".csv", place);
}

Status write_parquet_folder(std::vector<profile::Profile> logs, const std::string& place) {
  constexpr FileOf kFileOf = [](const query::Source& source, const query::Logs& of,
                                std::ostream& out) -> std::unique_ptr<query::Answers> {
    std::vector<bool> is_text;
    for (const query::Column* column : query::columns_in_files(source, of)) is_text.push_back(column->is_text);
    return std::make_unique<ParquetFile>(out, std::move(is_text));
  };
  return write_folder(std::move(logs), kFileOf, ".parquet", place);
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

extern const Export kParquetExport = {
    .name = "parquet",
    .description = "all tables as a folder of Parquet files, one for each",
    .extension = ".parquet",
    .binary = true,
    .write_tables = write_parquet_folder,
    .writes_folder = true,
};

}  // namespace oriel::exports
