// oriel attach: profiles a program that runs already.
#include <memory>

#include "commands.h"
#include "exit_codes.h"
#include "live/attach_plan.h"
#include "live/watch.h"

namespace oriel::cli {
namespace {

constexpr const char* kAttachFooter =
    R"(Without probes Oriel only watches: no code is changed, and the runtime lets go of Oriel at the end.
Options that need probes (--calls, --callgraph, --coverage, --alloc, --async), --counters and
--activities change code; then the runtime keeps Oriel, which stays in the process, switched off.
The program's output has nothing of Oriel. `oriel ps` lists the programs, and `oriel ctl` changes
what is recorded meanwhile.

Examples:
  oriel attach 4711 --for 30s                 sample the process 4711 for half a minute
  oriel attach 4711 --sample=1000 -o now.oriel
                                              until Ctrl-C, with finer samples
  oriel attach 4711 --alloc=sampled --for 1m  also which objects are allocated, and where
  oriel attach 4711 --calls='Shop.*' --for 10s
                                              each call of a namespace's methods
  oriel attach 4711 --coverage --for 10m
                              which code of the program's own ran meanwhile)";

int attach(const AttachOptions& options) {
  Result<AttachPlan> plan = plan_attach(options);
  if (plan) return watch(*plan);
  say(plan.message());
  return kFailed;
}

}  // namespace

void add_attach(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("attach", "Record a log of a running .NET program");
  auto options = std::make_shared<AttachOptions>();
  set_usage(*sub, "oriel attach PID [OPTIONS]");
  sub->add_option("pid", options->pid, "The process; oriel ps lists them")->type_name("PID")->required();
  sub->add_option("--for", options->duration, "Stop after this time, such as 30s or 2m (default: at Ctrl-C)")
      ->type_name("TIME");
  sub->add_option("-o,--output", options->output,
                  "Log file to write; %p stands for the process id, %n for the program's name (default: a new file "
                  "%n-%p.oriel)")
      ->type_name("FILE");
  options->built_in.add_to(*sub, settings::commands_of_attach());
  sub->footer(kAttachFooter);
  sub->callback([options, &exit_code] { exit_code = attach(*options); });
}

}  // namespace oriel::cli
