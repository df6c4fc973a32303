#include "show/log_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "base/monotonic_condition.h"
#include "exports/export.h"
#include "exports/page_collections.h"
#include "exports/page_parts.h"
#include "exports/text.h"
#include "exports/viewer_files.h"
#include "profile/trees/weight.h"
#include "query/source.h"
#include "query/views.h"
#include "report/words/notes.h"
#include "show/bearable.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

using nlohmann::json;

constexpr const char* kHtml = "text/html; charset=utf-8";

serve::Answer json_answer(const json& value) {
  return {.type = "application/json", .body = value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

serve::Answer problem(const std::string& text) { return json_answer({{"problem", text}}); }

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  const size_t at = text.find(what);
  if (at == text.npos) return std::string(text);
  return fmt::format("{}{}{}", text.substr(0, at), with, text.substr(at + what.size()));
}

std::string tables_page() {
  std::ostringstream out;
  exports::PageParts page(exports::kTablesHtml, out);
  page.up_to("/*oriel:style*/");
  out << exports::kTablesCss;
  page.up_to("/*oriel:script*/");
  out << exports::kTablesScript;
  page.rest();
  return out.str();
}

// Numbers that a browser's cannot be go as text.
json value_of(const query::Cell& cell) {
  constexpr int64_t kMost = int64_t{1} << 53;
  switch (cell.type) {
    case query::Cell::Type::kNull:
      return nullptr;
    case query::Cell::Type::kInteger:
      return cell.integer > -kMost && cell.integer < kMost ? json(cell.integer) : json(std::to_string(cell.integer));
    case query::Cell::Type::kReal:
      return cell.real;
    case query::Cell::Type::kText:
      return cell.text;
    case query::Cell::Type::kBlob:
      return fmt::format("{} bytes", cell.text.size());
  }
  return nullptr;
}

// The rows of one statement, up to a number of them.
class Rows : public query::Answers {
 public:
  Status begin(const std::vector<std::string>& columns) override {
    answer["columns"] = columns;
    answer["rows"] = json::array();
    return Status::ok();
  }
  Status row(std::span<const query::Cell> cells) override {
    constexpr size_t kMost = 1'000;
    if (answer["rows"].size() == kMost) return Status::ok();
    json values = json::array();
    for (const query::Cell& cell : cells) values.push_back(value_of(cell));
    answer["rows"].push_back(std::move(values));
    return Status::ok();
  }
  Status end() override { return Status::ok(); }

  json answer = {{"columns", json::array()}, {"rows", json::array()}};
};

// Sets the flag after a time, unless it is destroyed before.
class StopsLater {
 public:
  StopsLater(std::atomic<bool>& stop, std::chrono::seconds time)
      : thread_([this, &stop, time] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, time, [this] { return done_; })) stop = true;
        }) {}
  ~StopsLater() {
    {
      const std::lock_guard guard(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  StopsLater(const StopsLater&) = delete;
  StopsLater& operator=(const StopsLater&) = delete;

 private:
  std::mutex mutex_;
  MonotonicCondition changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<LogPages>> LogPages::open(const std::vector<std::string>& files, const profile::Filter& filter) {
  std::unique_ptr<LogPages> pages(new LogPages(files, filter));
  if (Status status = pages->read(); !status) return status;
  return pages;
}

Status LogPages::read() {
  const auto size = bytes_of(files_);
  Result<std::vector<profile::Profile>> logs = read_each_log(files_, filter_);
  if (!logs) return logs.status();
  view_.reset();
  merged_.reset();
  page_.clear();
  if (logs->size() != 1) {
    Result<profile::Profile> all = read_logs(files_, filter_);
    if (!all) return all.status();
    merged_ = std::move(*all);
  }
  auto database = query::Database::open(std::move(*logs), stop_);
  if (!database) return database.status();
  database_ = std::move(*database);
  ++reading_;
  const Status made = make_view();
  problem_ = made.message();
  size_ = size;
  return Status::ok();
}

const profile::Profile& LogPages::shown() const { return merged_ ? *merged_ : database_->logs()[0].profile(); }

Status LogPages::make_view() {
  const profile::Profile& profile = shown();
  const Result<const exports::Export*> html = exports::find_export("html");
  if (!html) return html.status();
  const std::unique_ptr<exports::Options> details = (*html)->own({});
  details->weight = profile::natural_weight(profile);
  details->recursion = bearable_recursion(profile);
  if (details->weight == profile::WeightKind::kSamples && profile.total_periods() == 0 &&
      profile.heap_snapshots.empty())
    return Status::error(report::why_no_samples(profile));
  auto view = exports::PageView::make(profile, *details);
  if (!view) return view.status();
  view_ = std::move(*view);
  return Status::ok();
}

serve::Answer LogPages::overview() {
  if (bytes_of(files_) != size_) {
    if (Status status = read(); !status) return {.status = 500, .body = status.message() + "\n"};
  }
  if (!view_)
    return {
        .type = kHtml,
        .body = fmt::format("<!DOCTYPE html><meta charset=utf-8><title>Oriel</title><p>{}</p><p><a href=\"tables\">Its "
                            "tables</a></p>\n",
                            exports::markup(problem_))};
  if (page_.empty()) {
    std::ostringstream page;
    view_->write_page(page);
    // The link is hidden in a page that is a file.
    page_ = replaced(page.str(), R"(href="tables" hidden)", R"(href="tables")");
    page_ = replaced(page_, "<body>", fmt::format(R"(<body data-reading="{}">)", reading_));
  }
  return {.type = kHtml, .body = page_};
}

// What is selected on the page.
serve::Answer LogPages::selected(const serve::Request& request) {
  const Result<exports::PageSelection> selection = exports::parse_selection(request.query);
  if (!selection) return problem(selection.message());
  if (!view_) return problem(problem_);
  // Its frames and threads have other numbers now.
  const auto reading = request.query.find("reading");
  if (reading != request.query.end() && reading->second != std::to_string(reading_))
    return problem("the log has grown, and another page has it as it is now: reload this one");
  if (request.path == "names.json") return json_answer(view_->names());
  if (request.path == "collections.json")
    return json_answer(exports::page_collections(shown(), selection->from_ns.value_or(INT64_MIN),
                                                 selection->to_ns.value_or(INT64_MAX)));
  const json answer = request.path == "graph.json"    ? view_->graph(*selection)
                      : request.path == "method.json" ? view_->method(*selection)
                                                      : view_->methods(*selection);
  return answer.is_null() ? problem("the page asked for something that there is not: reload it") : json_answer(answer);
}

serve::Answer LogPages::schema() {
  json all = json::array();
  for (const query::View& view : query::views()) {
    Rows columns;
    json names = json::array();
    stop_ = false;
    if (database_->run(fmt::format("select * from {} limit 0", view.name), columns)) {
      for (const json& name : columns.answer["columns"]) names.push_back({{"name", name}, {"help", ""}});
    }
    all.push_back({{"name", view.name}, {"help", view.help}, {"view", true}, {"columns", names}});
  }
  for (const query::Source& source : query::sources()) {
    json columns = json::array();
    for (const query::Column& column : source.columns) {
      if (!query::is_hidden(column, database_->logs()))
        columns.push_back({{"name", column.name}, {"help", fmt::format("{}: {}", column.is, column.help)}});
    }
    size_t rows = 0;
    for (size_t log = 0; log < database_->logs().size(); ++log) rows += source.rows(database_->logs()[log]);
    all.push_back({{"name", source.name},
                   {"help", "a row is " + source.help},
                   {"view", false},
                   {"rows", rows},
                   {"columns", std::move(columns)}});
  }
  return json_answer(all);
}

serve::Answer LogPages::rows(const std::string& sql) {
  constexpr std::chrono::seconds kMost{10};
  if (sql.size() > query::kMostText) return problem("the statement is too long");
  Rows rows;
  stop_ = false;
  Status status = Status::ok();
  {
    const StopsLater later(stop_, kMost);
    status = database_->run(sql, rows);
  }
  if (stop_) return problem(fmt::format("the statement took longer than {} seconds", kMost.count()));
  return status ? json_answer(rows.answer) : problem(status.message());
}

serve::Answer LogPages::answer(const serve::Request& request) {
  try {
    if (request.path.empty()) return overview();
    if (request.path == "tables") return {.type = kHtml, .body = tables_page()};
    if (request.path == "schema.json") return schema();
    constexpr std::string_view kOfSelection[] = {"graph.json", "method.json", "methods.json", "collections.json",
                                                 "names.json"};
    if (std::ranges::find(kOfSelection, request.path) != std::end(kOfSelection)) return selected(request);
    const auto sql = request.query.find("sql");
    if (request.path == "query.json" && sql != request.query.end()) return rows(sql->second);
    return {.status = 404, .body = "There is nothing here.\n"};
  } catch (const std::exception&) {
    return {.status = 500, .body = "out of memory\n"};
  }
}

}  // namespace oriel::cli
