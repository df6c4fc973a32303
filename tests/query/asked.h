// Asks profiles, and has the answers as JSON.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "query/answers.h"
#include "query/database.h"

namespace oriel::testing {

struct AskedDatabase {
  explicit AskedDatabase(std::vector<profile::Profile> profiles) {
    auto opened = query::Database::open(std::move(profiles), stop);
    EXPECT_TRUE(opened) << opened.message();
    if (opened) database = std::move(*opened);
  }
  explicit AskedDatabase(profile::Profile profile) : AskedDatabase(one(std::move(profile))) {}

  std::string text(const std::string& statement, query::Form form = query::Form::kTable, size_t width = 100) {
    std::ostringstream out;
    const Status status = database->run(statement, *query::answers_to(out, form, width));
    EXPECT_TRUE(status) << statement << ": " << status.message();
    return out.str();
  }
  nlohmann::json rows(const std::string& statement) {
    return nlohmann::json::parse(text(statement, query::Form::kJson));
  }
  // The only cell of the only row.
  nlohmann::json cell(const std::string& statement) {
    const nlohmann::json all = rows(statement);
    EXPECT_EQ(all.size(), 1u) << all;
    return all.size() == 1 && !all[0].empty() ? *all[0].begin() : nlohmann::json();
  }
  // What it says of a statement that is not answered.
  std::string error(const std::string& statement) {
    std::ostringstream out;
    const Status status = database->run(statement, *query::answers_to(out, query::Form::kTable, 100));
    EXPECT_FALSE(status) << statement;
    return status ? "" : status.message();
  }
  // How many rows of tables a statement looks at.
  uint64_t looked_at(const std::string& statement) {
    const uint64_t before = database->looked_at();
    text(statement);
    return database->looked_at() - before;
  }

  std::atomic<bool> stop{false};
  std::unique_ptr<query::Database> database;

 private:
  static std::vector<profile::Profile> one(profile::Profile profile) {
    std::vector<profile::Profile> all;
    all.push_back(std::move(profile));
    return all;
  }
};

}  // namespace oriel::testing
