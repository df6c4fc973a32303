// oriel ps
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "commands.h"
#include "exit_codes.h"
#include "live/live_processes.h"
#include "live/obstacle.h"
#include "live/presence.h"
#include "live/ps_screen.h"
#include "locate.h"
#include "run/display.h"

namespace oriel::cli {
namespace {

struct PsOptions {
  bool all = false;
  bool json = false;
};

int list_processes(const PsOptions& options) {
  if (access("/proc/self/stat", R_OK) != 0) {
    say("ps: /proc cannot be read, so no processes can be found; is it mounted?");
    return kFailed;
  }
  const Result<std::string> engine = find_engine();
  std::vector<PsRow> rows;
  for (LiveProcess& live : live_processes(options.all)) {
    PsRow row{std::move(live), {}, "", 0};
    row.oriel = presence_in(row.live.process);
    row.obstacle = obstacle_to_attaching(row.live, row.oriel, engine ? *engine : "");
    row.age_s = age_of(row.live.process);
    rows.push_back(std::move(row));
  }
  if (options.json)
    write_ps_json(rows, std::cout);
  else
    write_ps_text(rows, display_of(STDOUT_FILENO), std::cout);
  if (std::cout.flush()) return 0;
  say("ps: the list cannot be written; is the disk full?");
  return kFailed;
}

}  // namespace

void add_ps(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("ps", "List .NET processes, and whether Oriel can be attached to them");
  auto options = std::make_shared<PsOptions>();
  set_usage(*sub, "oriel ps [--all] [--json]");
  sub->add_flag("--all", options->all, "Also other users' processes, as far as they can be recognized (root: always)");
  sub->add_flag("--json", options->json, "JSON for programs: an array with an object for each process");
  sub->callback([options, &exit_code] { exit_code = list_processes(*options); });
}

}  // namespace oriel::cli
