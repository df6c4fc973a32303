// The pages of `oriel view`, and what they ask for.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "exports/page_view.h"
#include "profile/profile.h"
#include "query/database.h"
#include "serve/page_server.h"

namespace oriel::cli {

// One thread's.
class LogPages {
 public:
  // Reads the logs.
  static Result<std::unique_ptr<LogPages>> open(const std::vector<std::string>& files, const profile::Filter& filter);

  // "": a page as `oriel export --format html` makes it, of the logs as they are now; "graph.json", "method.json",
  // "methods.json", "collections.json", "names.json": what it asks (exports/page_selection.h); "tables": one with their
  // tables; "schema.json" and "query.json?sql=…": what that page asks. Does not throw.
  serve::Answer answer(const serve::Request& request);

 private:
  LogPages(const std::vector<std::string>& files, const profile::Filter& filter) : files_(files), filter_(filter) {}
  Status read();
  const profile::Profile& shown() const;
  Status make_view();
  serve::Answer overview();
  serve::Answer selected(const serve::Request& request);
  serve::Answer schema();
  serve::Answer rows(const std::string& sql);

  const std::vector<std::string> files_;
  const profile::Filter filter_;
  uint64_t size_ = 0;     // of the files when they were read
  uint64_t reading_ = 0;  // how often they were read; a page asks of the reading that it shows
  std::string page_;      // once it was asked for
  std::string problem_;   // why there is no view
  std::atomic<bool> stop_{false};
  std::unique_ptr<query::Database> database_;
  std::optional<profile::Profile> merged_;   // of several logs, which are one page, as they are one report
  std::unique_ptr<exports::PageView> view_;  // of that, or of the database's log
};

}  // namespace oriel::cli
