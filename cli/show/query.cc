// oriel query: asks logs in SQL.
#include <fmt/ranges.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/text/trimmed.h"
#include "commands.h"
#include "exit_codes.h"
#include "query/answers.h"
#include "query/database.h"
#include "query/schema.h"
#include "query/source.h"
#include "report/words/text.h"
#include "run/display.h"
#include "run/newest.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

struct QueryOptions {
  std::vector<std::string> words;  // [FILE…] [STATEMENT]
  bool json = false;
  bool csv = false;
  Selection selection;
};

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// While it is there, Ctrl-C ends the statement that runs, or drops the one that is typed, and not the command.
class EndsStatement {
 public:
  EndsStatement() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    sigaction(SIGINT, &action, &before_);
  }
  ~EndsStatement() { sigaction(SIGINT, &before_, nullptr); }
  EndsStatement(const EndsStatement&) = delete;
  EndsStatement& operator=(const EndsStatement&) = delete;

 private:
  struct sigaction before_ {};
};

constexpr const char* kShellHelp =
    R"(Statements end with ';' and may take several lines. Ctrl-C ends one that runs, and drops one that is typed.
  .tables          the tables and views
  .schema [NAME]   the columns of all of them, or of one
  .help            this
  .quit            leave; so does Ctrl-D
)";

bool is_leaving(std::string_view line) { return line == ".quit" || line == ".exit"; }

// ".tables", ".schema samples": what a line that begins so asks for.
Status answer_word(const std::string& line, size_t width, std::ostream& out) {
  const size_t space = line.find(' ');
  const std::string word = line.substr(0, space);
  const std::string name(space == std::string::npos ? "" : trimmed(line.substr(space)));
  if (word == ".help") {
    out << kShellHelp;
  } else if (word == ".tables") {
    query::write_table_list(width, out);
  } else if (word == ".schema") {
    if (!query::write_schema(name, width, out))
      return Status::error(fmt::format("there is no table '{}'; .tables lists them", report::clean(name)));
  } else if (!is_leaving(word)) {
    return Status::error(fmt::format("there is no '{}'; .help lists what there is", report::clean(word)));
  }
  return Status::ok();
}

// Says, once each, what rows that were read do not say of themselves.
class Remarks {
 public:
  explicit Remarks(const profile::Filter& filter)
      : is_part_(filter.has_time() || !filter.from_mark.empty() || !filter.to_mark.empty() || !filter.thread.empty() ||
                 !filter.method.empty()) {}

  void say_new(const query::Database& database) {
    const std::set<std::string>& read = database.columns_read();
    std::vector<std::string> whole;
    for (const query::Source& source : query::sources())
      if (source.is_whole && is_part_ && is_read(source, read) && said_.insert(source.name).second)
        whole.push_back(source.name);
    if (!whole.empty())
      say(fmt::format("The filter does not choose among the rows of {}, which are of the whole log.",
                      fmt::join(whole, ", ")));
    if (!(read.contains("samples.at") || read.contains("waits.at")) || !said_.insert("at").second) return;
    for (size_t i = 0; i < database.logs().size(); ++i) say_times_within(database.logs()[i].profile());
  }

 private:
  static bool is_read(const query::Source& source, const std::set<std::string>& read) {
    const auto first = read.lower_bound(source.name + ".");
    return first != read.end() && first->starts_with(source.name + ".");
  }

  const bool is_part_;
  std::set<std::string> said_;
};

class Session {
 public:
  Session(query::Database& database, query::Answers& answers, size_t width, const profile::Filter& filter)
      : database_(database), answers_(answers), width_(width), remarks_(filter) {}

  Status run(const std::string& text) {
    const EndsStatement guard;
    Status status = database_.run(text, answers_);
    std::cout.flush();
    if (status) remarks_.say_new(database_);
    return status;
  }

  // Statements from stdin, each as soon as it is whole. A person may go on after an error.
  Status run_stdin() {
    const bool is_person = isatty(STDIN_FILENO) == 1;
    std::optional<EndsStatement> guard;
    if (is_person) guard.emplace();
    if (is_person) fmt::print("Statements end with ';'. .help lists what else there is.\n");
    std::string text;
    for (std::string line; read_line(is_person, text, line);) {
      if (text.empty() && trimmed(line).starts_with('.')) {
        const std::string word(trimmed(line));
        if (is_leaving(word)) return Status::ok();
        if (Status status = answer_word(word, width_, std::cout); !goes_on(status, is_person)) return status;
        continue;
      }
      text += line + '\n';
      if (query::Database::is_blank(text)) text.clear();
      if (text.empty()) continue;
      if (text.size() < query::kMostText && !query::Database::is_whole(text)) continue;
      if (Status status = run(std::exchange(text, "")); !goes_on(status, is_person)) return status;
    }
    return trimmed(text).empty() ? Status::ok() : run(text);
  }

 private:
  static bool goes_on(const Status& status, bool is_person) {
    if (!status && is_person) say(status.message());
    return status || is_person;
  }

  // False at the end. `text`: what there is of the statement so far.
  static bool read_line(bool is_person, std::string& text, std::string& line) {
    for (;;) {
      if (is_person) std::cout << (text.empty() ? "oriel> " : "   ...> ") << std::flush;
      if (std::getline(std::cin, line)) return true;
      if (is_person) std::cout << '\n';
      if (!is_person || !interrupted.exchange(false)) return false;
      std::cin.clear();
      std::clearerr(stdin);
      text.clear();
    }
  }

  query::Database& database_;
  query::Answers& answers_;
  const size_t width_;
  Remarks remarks_;
};

// The last word is a statement if it is neither a file nor named like one.
std::string take_statement(std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string& last = words.back();
  std::error_code error;
  const bool is_path = std::filesystem::exists(last, error) || last.ends_with(".oriel");
  const bool is_statement = last.find_first_of(" \t\n;") != std::string::npos || last.starts_with('.');
  if (is_path || !is_statement) return "";
  std::string statement = last;
  words.pop_back();
  return statement;
}

Status ask(const QueryOptions& options, const profile::Filter& filter) {
  std::vector<std::string> words = options.words;
  const std::string statement = take_statement(words);
  const Result<std::vector<std::string>> files = chosen_logs("query", words, false);
  if (!files) return files.status();
  Result<std::vector<profile::Profile>> logs = read_each_log(*files, filter);
  if (!logs) return logs.status();
  auto database = query::Database::open(std::move(*logs), interrupted);
  if (!database) return database.status();
  const size_t width = display_of(STDOUT_FILENO).width;
  const query::Form form = options.json ? query::Form::kJson : options.csv ? query::Form::kCsv : query::Form::kTable;
  // Another program gets texts whole.
  const bool is_fitted = isatty(STDOUT_FILENO) == 1 || std::getenv("COLUMNS") != nullptr;
  const std::unique_ptr<query::Answers> answers =
      query::answers_to(std::cout, form, is_fitted ? width : query::kNoWidth);
  Session session(**database, *answers, width, filter);
  if (statement.starts_with('.')) return answer_word(statement, width, std::cout);
  const query::Logs& asked = (*database)->logs();
  for (size_t i = 0; i < asked.size(); ++i)
    say_incomplete(asked[i].profile(), asked.size() == 1 ? "" : asked[i].profile().file);
  if (statement.empty()) return session.run_stdin();
  return session.run(statement);
}

int run_query(const QueryOptions& options) {
  const Result<profile::Filter> filter = to_filter(options.selection);
  if (!filter) {
    say(filter.message());
    return kUsage;
  }
  if (!options.words.empty() && trimmed(options.words.back()).empty()) {
    say("the statement is empty; .tables lists what there is to ask");
    return kUsage;
  }
  const Status status = ask(options, *filter);
  if (status) return 0;
  say(status.message());
  return interrupted ? kSignalBase + SIGINT : kFailed;
}

std::string query_help() {
  return R"help(Tables and views are those of docs/TABLES.md. Times and durations are in nanoseconds. Without a
statement, statements are read from stdin, each up to its ';'.

Examples:
  oriel query shop-4711.oriel .tables            what there is to ask
  oriel query shop-4711.oriel "select * from methods limit 10"
                                                 the functions with most samples
  oriel query shop-4711.oriel "select thread, sum(periods) from samples where at < 1e9 group by 1"
                                                 the first second, by thread
  oriel query shop-4711.oriel "select count(*) from samples where contains(stack, 'Shop.*')"
                                                 samples under own code
  oriel query --csv shop-4711.oriel "select * from collections"
                                                 for other programs; so does --json)help";
}

}  // namespace

void add_query(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("query", "Ask logs in SQL");
  auto options = std::make_shared<QueryOptions>();
  set_usage(*sub, "oriel query [OPTIONS] [FILE…] [STATEMENT]");
  sub->add_option("words", options->words, "The logs (default: the newest here), and what to ask (default: stdin)")
      ->type_name("[FILE…] [STATEMENT]");
  CLI::Option* json = sub->add_flag("--json", options->json, "Write a JSON array of objects");
  sub->add_flag("--csv", options->csv, "Write CSV")->excludes(json);
  add_selection(*sub, options->selection);
  set_footer(*sub, query_help);
  sub->callback([options, &exit_code] { exit_code = run_query(*options); });
}

}  // namespace oriel::cli
