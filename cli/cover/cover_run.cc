#include "cover/cover_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "base/process/mono_environment.h"
#include "commands.h"
#include "cover/cover_folder.h"
#include "cover/coverage_results.h"
#include "exit_codes.h"
#include "locate.h"
#include "run/environment.h"
#include "run/gathered_messages.h"
#include "run/guests.h"
#include "run/launch.h"
#include "run/log_files.h"
#include "run/missing_log.h"
#include "run/module_options.h"
#include "run/program.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

struct CoverPlan {
  std::vector<CoverFile> files;
  std::vector<Threshold> thresholds;
  LogTemplate logs;
  ProfilingSetup setup;
  std::vector<PlannedModule> modules;  // the one for coverage
};

// The coverage module with what was asked of it.
Result<PlannedModule> planned_module(const CoverRunOptions& options) {
  PlannedModule module(*modules::find_command("coverage"));
  std::string text = "mode=" + (options.mode.empty() ? "hit" : options.mode);
  if (options.per_test) text += ",per-test";
  if (const std::string list = options.choice.included(); !list.empty()) text += ",include=" + list;
  if (const std::string list = options.choice.excluded(); !list.empty()) text += ",exclude=" + list;
  if (Status status = module.read(text); !status) return status;
  return module;
}

Status plan_module(const CoverRunOptions& options, const Environment& environment, const std::string& folder,
                   CoverPlan& plan) {
  if (Status status = check_environment(environment); !status) return status;
  const Result<LogTemplate> logs = log_template((fs::path(folder) / "%n-%p.oriel").string(), true);
  if (!logs) return logs.status();
  plan.logs = *logs;
  Result<Guests> guests = find_guests({}, environment);
  if (!guests) return guests.status();
  const Result<std::string> engine = find_engine();
  if (!engine) return engine.status();
  plan.setup.engine = *engine;
  Result<PlannedModule> planned = planned_module(options);
  if (!planned) return planned.status();
  plan.modules.push_back(std::move(*planned));
  plan.setup.children = true;
  plan.setup.sequential_tests = options.per_test;
  plan.setup.no_redact = options.no_redact;
  plan.setup.adds_to_code = std::ranges::none_of(options.command, wants_precompiled);
  plan.setup.run = name_of_run(getpid());
  plan.setup.guests = std::move(*guests);
  const Result<ModuleRequest> module =
      find_module(plan.modules.front().command->name(), *engine, value_of(environment, "ORIEL_MODULE_PATH"));
  return module ? Status::ok() : module.status();
}

Result<CoverPlan> make_plan(const CoverRunOptions& options, const Environment& environment, const std::string& folder) {
  if (!options.mode.empty() && options.mode != "hit" && options.mode != "count")
    return Status::error(fmt::format("--mode={}: use hit or count", options.mode));
  CoverPlan plan;
  const Result<std::vector<Threshold>> thresholds = parse_thresholds(options.fail_under);
  if (!thresholds) return thresholds.status();
  plan.thresholds = *thresholds;
  if (const Result<coverage::Choice> choice = choice_of(options.choice); !choice) return choice.status();
  Result<std::vector<CoverFile>> files = files_for(options.output);
  if (!files) return files.status();
  plan.files = std::move(*files);
  Status status = plan_module(options, environment, folder, plan);
  return status ? Result<CoverPlan>(std::move(plan)) : Result<CoverPlan>(std::move(status));
}

// Drops messages of single processes about --include: another process may have had the code.
std::string without_patterns(const std::string& gathered) {
  std::string kept;
  std::istringstream lines(gathered);
  for (std::string line; std::getline(lines, line);)
    if (line.find(" --include") == std::string::npos) kept += line + '\n';
  return kept;
}

// "" if no log is kept.
std::string log_of(const std::vector<CoverFile>& files) {
  const auto log = std::ranges::find(files, nullptr, &CoverFile::format);
  return log == files.end() || log->path == "-" ? "" : log->path;
}

// Notes for users of --per-test.
void say_of_tests(const coverage::Coverage& coverage) {
  if (coverage.tests.empty()) {
    say("--per-test: no test started; tests are recognized by the attributes of xunit, NUnit, MSTest and TUnit");
    return;
  }
  const auto shared = std::ranges::count(coverage.tests, true, &coverage::Test::shared);
  if (shared == 0) return;
  say(
      fmt::format("{} of {} tests ran in parallel with others, so a line may be attributed to the wrong test; run one "
                  "at a time: dotnet test -- RunConfiguration.DisableParallelization=true, or "
                  "\"parallelizeTestCollections\": false in xunit.runner.json",
                  shared, coverage.tests.size()));
}

// Finishes a run. Returns the exit code for a program that returned 0. `said`: its processes printed messages, which
// explain missing coverage.
int finish(const CoverRunOptions& options, const CoverPlan& plan, const std::vector<std::string>& logs, bool said) {
  Result<Covered> covered = read_counted(logs);
  if (!covered) {
    const Result<coverage::Choice> choice = choice_of(options.choice);
    say(said ? "nothing is covered: see above" : why_nothing(options.choice, *choice));
    return kRunFailed;
  }
  Status status = show(options.choice, *covered);
  if (status) {
    tell(covered->coverage, log_of(plan.files));
    if (options.per_test) say_of_tests(covered->coverage);
    status = write_files(plan.files, *covered);
  }
  if (status) return check_thresholds(plan.thresholds, totals_of(covered->coverage));
  say(status.message());
  return kRunFailed;
}

}  // namespace

int cover_run(const CoverRunOptions& options) {
  if (options.command.empty()) {
    say("cover: name the program to run: oriel cover -- dotnet test (see oriel cover --help)");
    return kRunFailed;
  }
  const Environment environment = current_environment();
  const Executable executable = find_executable(options.command[0], value_of(environment, "PATH"));
  if (executable.exit_code != 0) {
    say(executable.message);
    return executable.exit_code;
  }
  report_abandoned_folders();
  CoverFolder folder;
  const Status made = folder.make();
  Result<CoverPlan> plan = made ? make_plan(options, environment, folder.path()) : Result<CoverPlan>(made);
  if (!plan) {
    say(plan.message());
    return kRunFailed;
  }
  GatheredMessages messages;
  messages.start(folder.path());
  plan->setup.messages = messages.path();
  const ProcessResult ending = launch(executable.path, options.command, [&](pid_t pid) {
    Environment profiled = profiled_environment(environment, plan->setup, pid);
    load_in(profiled, plan->modules, [&](size_t) { return plan->logs.argument(); });
    return profiled;
  });
  if (!ending.message.empty()) {
    say(ending.message);
    return ending.exit_code;
  }
  const std::vector<std::string> logs = folder.logs();
  const std::vector<std::string> said = summarized(without_patterns(messages.take()), logs.size());
  for (const std::string& message : said) say(message);
  int code = kRunFailed;
  if (logs.empty())
    say(why_no_log(options.command, executable.path, true));
  else
    code = finish(options, *plan, logs, !said.empty());
  return ending.exit_code != 0 ? ending.exit_code : code;
}

}  // namespace oriel::cli
