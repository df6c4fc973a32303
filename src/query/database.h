// Statements over logs: read-only, and bounded in what they can take.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"
#include "query/log.h"

namespace oriel::query {

struct Cell {
  enum class Type : uint8_t { kNull, kInteger, kReal, kText, kBlob };
  Type type = Type::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view text = {};  // or bytes; valid until the next row
};

// Takes what statements answer. An error ends the statement.
class Answers {
 public:
  virtual ~Answers() = default;
  // Once for each statement that answers rows.
  virtual Status begin(const std::vector<std::string>& columns) = 0;
  virtual Status row(std::span<const Cell> cells) = 0;
  virtual Status end() = 0;
};

class Database {
 public:
  // Each log's profile for itself, not merged. Once `stop` is set, the statement that runs ends.
  static Result<std::unique_ptr<Database>> open(std::vector<profile::Profile> logs, const std::atomic<bool>& stop);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs the statements one after another, up to the first that fails. The message is one line, and says where.
  Status run(std::string_view statements, Answers& answers);

  // Whether the text ends with a whole statement: with its ';', outside of texts and comments.
  static bool is_whole(const std::string& text);
  // Whether the text has no statement yet, nor the beginning of one: only blanks and whole comments.
  static bool is_blank(std::string_view text);

  // Writes all tables and views to a database file, which is empty or not there.
  Status write_to(const std::string& file);

  const Logs& logs() const;
  // What statements have read so far, as "samples.at"; of a table that is only counted "samples.".
  const std::set<std::string>& columns_read() const;
  // How many rows of tables statements have looked at so far.
  uint64_t looked_at() const;

 private:
  struct Parts;
  explicit Database(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// The longest text of statements.
inline constexpr size_t kMostText = 1'000'000;

}  // namespace oriel::query
