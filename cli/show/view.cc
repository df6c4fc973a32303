// oriel view: shows a log in a browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

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
    R"(The address has a random part, and is this machine's alone: it reads the log to whoever knows it.
The page is like that of `oriel export --format html`, of the log as it is then, but asks for what
it draws, and so shows all of a log of any size. Its tables are those of `oriel query`.

Examples:
  oriel view                                 the newest log here
  oriel view --no-browser --port 8080 shop-4711.oriel
                                             on another machine: forward the port by ssh -L, and
                                             open the address that it says)";

// A file that leads a browser to an address: what stands in a command line can be read by every user of the machine,
// and the address is a secret. Removed with its owner.
class LeadingFile {
 public:
  explicit LeadingFile(const std::string& address) {
    const char* const folder = std::getenv("XDG_RUNTIME_DIR");
    std::string place = (folder && *folder ? std::string(folder) : "/tmp") + "/oriel-view-XXXXXX";
    if (!mkdtemp(place.data())) return;
    folder_ = place;
    std::ofstream file(path());
    std::error_code ignored;
    std::filesystem::permissions(path(), std::filesystem::perms(0600), ignored);
    file << "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=" << address << "\">\n";
  }
  ~LeadingFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  LeadingFile(const LeadingFile&) = delete;
  LeadingFile& operator=(const LeadingFile&) = delete;

  bool exists() const { return !folder_.empty(); }
  std::string path() const { return folder_ + "/oriel.html"; }

 private:
  std::string folder_;
};

bool has_screen() { return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"); }

// In the person's own browser. What it says goes nowhere.
void open_browser(const std::string& path) {
  std::string command = "xdg-open", place = path;
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
  std::optional<LeadingFile> leading;
  if (!options.no_browser && has_screen()) leading.emplace((*server)->address());
  if (leading && leading->exists()) open_browser(leading->path());
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
      ->type_name("PORT")
      ->check(whole_number_check(0, UINT16_MAX));
  sub->add_flag("--no-browser", options->no_browser, "Only say the address");
  add_sources(*sub);
  add_selection(*sub, options->selection);
  set_footer(*sub, [] { return std::string(kViewExamples); });
  sub->callback([options, &exit_code] { exit_code = run_view(*options); });
}

}  // namespace oriel::cli
