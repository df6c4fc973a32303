// oriel view: shows a log in a browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "commands.h"
#include "cover/source_folders.h"
#include "exit_codes.h"
#include "run/newest.h"
#include "serve/page_server.h"
#include "show/log_pages.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

struct ViewOptions {
  std::vector<std::string> files;
  uint16_t port = 0;
  bool no_browser = false;
  Selection selection;
};

constexpr const char* kViewExamples =
    R"(The address has a random part, and is this machine's alone: nobody else can read the log. The
page that it opens is that of `oriel export --format html`, of the log as it is then; its tables
are those of `oriel query`.

Examples:
  oriel view                                 the newest log here
  oriel view --no-browser --port 8080 shop-4711.oriel
                                             on another machine: forward the port by ssh -L, and
                                             open the address that it says)";

// In the person's own browser, if there is a screen. What it says goes nowhere.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string command = "xdg-open", place = address;
  char* const words[] = {command.data(), place.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  posix_spawnp(&child, words[0], &files, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&files);
}

Status serve_logs(const ViewOptions& options, const profile::Filter& filter) {
  const Result<std::vector<std::string>> logs = chosen_logs("view", options.files, false);
  if (!logs) return logs.status();
  const auto pages = LogPages::open(*logs, filter);
  if (!pages) return pages.status();
  const auto server = serve::PageServer::open(options.port);
  if (!server) return Status::error("view: " + server.message());
  std::cout << (*server)->address() << std::endl;
  say("this address shows the log until Ctrl-C");
  if (!options.no_browser) open_browser((*server)->address());
  return (*server)->serve([&](const serve::Request& request) { return (*pages)->answer(request); });
}

int run_view(const ViewOptions& options) {
  const Result<profile::Filter> filter = to_filter(options.selection);
  if (!filter) {
    say(filter.message());
    return kUsage;
  }
  const Status status = serve_logs(options, *filter);
  if (status) return 0;
  say(status.message());
  return kFailed;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("view", "Show a log in the browser");
  auto options = std::make_shared<ViewOptions>();
  set_usage(*sub, "oriel view [OPTIONS] [FILE…]");
  sub->add_option("files", options->files, "The logs (default: the newest here)")->type_name("[FILE…]");
  sub->add_option("--port", options->port, "Listen on this port of 127.0.0.1 (default: any that is free)")
      ->type_name("PORT");
  sub->add_flag("--no-browser", options->no_browser, "Only say the address");
  add_sources(*sub);
  add_selection(*sub, options->selection);
  set_footer(*sub, [] { return std::string(kViewExamples); });
  sub->callback([options, &exit_code] { exit_code = run_view(*options); });
}

}  // namespace oriel::cli
