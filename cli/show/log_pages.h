// The pages of `oriel view`, and what they ask for.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"
#include "query/database.h"
#include "serve/page_server.h"

namespace oriel::cli {

// One thread's.
class LogPages {
 public:
  // Reads the logs.
  static Result<std::unique_ptr<LogPages>> open(const std::vector<std::string>& files, const profile::Filter& filter);

  // "": the page of `oriel export --format html`, of the logs as they are now; "tables": one with their tables;
  // "schema.json" and "query.json?sql=…": what that page asks. Does not throw.
  serve::Answer answer(const serve::Request& request);

 private:
  LogPages(const std::vector<std::string>& files, const profile::Filter& filter) : files_(files), filter_(filter) {}
  Status read();
  serve::Answer overview();
  serve::Answer schema();
  serve::Answer rows(const std::string& sql);

  const std::vector<std::string> files_;
  const profile::Filter filter_;
  uint64_t size_ = 0;  // of the files when they were read
  std::string page_;
  std::atomic<bool> stop_{false};
  std::unique_ptr<query::Database> database_;
};

}  // namespace oriel::cli
