// oriel run: starts a program with the engine in it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file_template.h"
#include "base/whole_number.h"
#include "callgraph_file.h"
#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "followed_log.h"
#include "gathered_messages.h"
#include "instrumentation.h"
#include "launch.h"
#include "locate.h"
#include "log_files.h"
#include "oriel/oriel.h"
#include "program.h"

namespace oriel::cli {
namespace {

struct RunOptions {
  std::string output;
  std::string sample;  // rate as given, "" if not
  std::string sample_real;
  bool no_sample = false;
  bool children = false;
  std::string callgraph;  // patterns; "" if not asked for
  bool callgraph_allocations = false;
  InstrumentationOptions instrumentation;
  std::vector<std::string> modules;
  std::vector<std::string> command;
};

struct Plan {
  LogTemplate log;
  std::string engine;
  std::string log_arguments;  // of the log module, but for where to
  std::string other_modules;  // each with a ';' before it
  bool has_log = true;        // else the log's place is the call graph's
  std::string callgraph;      // arguments of that module, but for where to
};

constexpr const char* kFooter =
    R"(COMMAND is everything after the options; "--" may stand before it. Without a --sample option each
thread is sampled 250 times a second of the CPU time it uses.

Examples:
  oriel run -- dotnet Shop.dll --port 8080    profile Shop, write Shop-PID.oriel here
  oriel run --sample=1000 -- ./Shop           a published program, finer samples
  oriel run --sample-real -- dotnet Shop.dll  where threads wait, not only where they compute
  oriel run -o /tmp/build-%p.oriel --children -- dotnet build
                                              each process writes a log of its own
  oriel run --callgraph -- dotnet Shop.dll    count your own code's calls and their times only
  oriel run --callgraph='Shop.*,!*.ToString' --sample -- dotnet Shop.dll
                                              these methods' calls, and a sampled log beside them
  oriel run --calls='Shop.*,!*.ToString' -- dotnet Shop.dll
                                              each call of a namespace's methods, but of no ToString
  oriel run --calls='[Shop.Core]' --alloc -- dotnet Shop.dll
                                              the calls of an assembly, and every object allocated
  oriel run --module log:events=all -- dotnet Shop.dll
                                              every event that the log module knows, the JIT's too
  oriel run --no-sample --module /opt/mine/liboriel-mine.so:verbose -- dotnet Shop.dll

PATTERNS are joined by commas, also those of an option that is repeated. One is an assembly in
brackets, a name or both: [Shop.Core], Shop, Shop.Cart, Shop.Cart.Add, *.Add, [Shop*]*.Add. A name
is Namespace.Type.Method, without parameters and generic arguments, and stands for all that is in
it; * is any text, ? any character; "!" takes away, and of several that match the last decides.
Samples are taken besides, and show the time that logging takes too: --no-sample leaves them out.

The exit code is the program's; 128 + n if signal n ended it; 125 if Oriel failed or no log was
written by a program that returned 0, 126 if the program cannot be executed, 127 if it is not found.)";

Result<std::string> sampling_argument(const RunOptions& options) {
  if (options.no_sample) return std::string("sample=none");
  const bool real = !options.sample_real.empty();
  const std::string& rate = real ? options.sample_real : options.sample;
  if (rate.empty()) return std::string("sample=process,hz=250");
  const std::optional<uint64_t> hz = whole_number(rate);
  if (!hz || *hz < 1 || *hz > ORIEL_MAX_SAMPLE_HZ) {
    return Status::error(fmt::format("--sample{}={}: a rate is a whole number of samples a second, from 1 to {}",
                                     real ? "-real" : "", rate, ORIEL_MAX_SAMPLE_HZ));
  }
  return fmt::format("sample={},hz={}", real ? "real" : "process", *hz);
}

// What was given for the log module goes to the one that writes the log; the others are loaded after it.
Status add_modules(const RunOptions& options, const std::string& module_path, Plan& plan) {
  for (const std::string& text : options.modules) {
    const Result<ModuleRequest> module = find_module(text, plan.engine, module_path);
    if (!module) return module.status();
    if (text == "log" || text.starts_with("log:")) {
      if (text.size() > 4) plan.log_arguments = text.substr(4) + "," + plan.log_arguments;
      continue;
    }
    if (Status status = try_module(*module, plan.engine); !status) return status;
    plan.other_modules += ";" + module->description;
  }
  return Status::ok();
}

// Without any other wish, --callgraph is all that is done: what else a log would hold costs time of its own.
bool wants_log(const RunOptions& options) {
  const bool sampling = !options.sample.empty() || !options.sample_real.empty() || options.no_sample;
  const bool log_module = std::any_of(options.modules.begin(), options.modules.end(), [](const std::string& text) {
    return text == "log" || text.starts_with("log:");
  });
  const bool events = !options.instrumentation.calls.empty() || !options.instrumentation.alloc.empty() ||
                      !options.instrumentation.alloc_in.empty() || options.instrumentation.alloc_stacks;
  return options.callgraph.empty() || sampling || events || log_module;
}

Status plan_callgraph(const RunOptions& options, const std::string& module_path, Plan& plan) {
  if (options.callgraph.empty()) {
    if (!options.callgraph_allocations) return Status::ok();
    return Status::error("--callgraph-alloc counts with a call graph; give --callgraph too");
  }
  plan.has_log = wants_log(options);
  const Result<ModuleRequest> module = find_module("callgraph", plan.engine, module_path);
  if (!module) return module.status();
  const Result<std::string> arguments =
      callgraph_arguments(options.callgraph, options.callgraph_allocations, options.instrumentation.inlining);
  if (!arguments) return arguments.status();
  plan.callgraph = "callgraph:" + *arguments;
  return check_place(plan.has_log ? beside_log(plan.log) : plan.log);
}

// The modules to load, with their arguments; `log` is where to write.
std::string profilers(const Plan& plan, const LogTemplate& log) {
  std::string text;
  if (plan.has_log) text = fmt::format("log:{},out={}", plan.log_arguments, log.argument());
  if (!plan.callgraph.empty()) {
    const LogTemplate graph = plan.has_log ? beside_log(log) : log;
    text += fmt::format("{}{}out={}", plan.has_log ? ";" : "", plan.callgraph, graph.argument());
  }
  return text + plan.other_modules;
}

// --inlining=block does something to methods whose calls are asked for. A log module may be asked by its own arguments.
Status check_inlining(const RunOptions& options) {
  const bool log_module = std::any_of(options.modules.begin(), options.modules.end(),
                                      [](const std::string& text) { return text.starts_with("log:"); });
  if (options.instrumentation.inlining != "block" || log_module) return Status::ok();
  if (!options.instrumentation.calls.empty() || !options.callgraph.empty()) return Status::ok();
  return Status::error(
      "--inlining=block is about the methods that --calls or --callgraph choose; give one of them too");
}

Result<Plan> make_plan(const RunOptions& options, const Environment& environment) {
  if (Status status = check_environment(environment); !status) return status;
  if (Status status = check_inlining(options); !status) return status;
  Plan plan;
  const Result<std::string> sampling = sampling_argument(options);
  if (!sampling) return sampling.status();
  const Result<std::string> instrumentation = instrumentation_arguments(options.instrumentation);
  if (!instrumentation) return instrumentation.status();
  plan.log_arguments = *sampling + *instrumentation;
  const Result<std::string> engine = find_engine();
  if (!engine) return engine.status();
  plan.engine = *engine;
  const Result<LogTemplate> log = log_template(options.output, options.children);
  if (!log) return log.status();
  plan.log = *log;
  const std::string module_path = value_of(environment, "ORIEL_MODULE_PATH");
  if (Status status = add_modules(options, module_path, plan); !status) return status;
  if (Status status = plan_callgraph(options, module_path, plan); !status) return status;
  return plan;
}

// Of the process `pid`, or of all where each has its own.
LogTemplate log_of(const Plan& plan, const RunOptions& options, pid_t pid) {
  return options.children ? plan.log : expand(plan.log, program_name(options.command), pid);
}

Ending start(const Plan& plan, const RunOptions& options, const Environment& environment, const std::string& path,
             const GatheredMessages& messages, const std::function<bool(pid_t)>& look) {
  const auto environment_for = [&](pid_t pid) {
    const std::string modules = profilers(plan, log_of(plan, options, pid));
    const ProfilingSetup setup{plan.engine, modules, options.children, messages.path()};
    return profiled_environment(environment, setup, pid);
  };
  return launch(path, options.command, environment_for, look);
}

// Only the engine knows whether it was there; what it had to say it said on stderr.
std::string why_no_log(const RunOptions& options, const std::string& path) {
  const std::string verb = sdk_verb(options.command);
  std::string reason = fmt::format("'{}' ran no .NET code itself", options.command[0]);
  if (is_script(path)) reason = fmt::format("'{}' is a script", options.command[0]);
  if (!verb.empty()) reason = fmt::format("'dotnet {}' left the work to other processes", verb);
  const std::string advice = options.children ? "" : "add --children if a child process is the .NET program; ";
  return fmt::format(
      "no log was written. If Oriel gave no reason above: {}; {}native, NativeAOT and Mono programs cannot be profiled",
      reason, advice);
}

std::string shell_quoted(const std::string& text) {
  if (text.find_first_of(" \t'\"\\$`;&|<>()*?#~!") == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

void say_graphs(const std::vector<std::pair<std::string, uint64_t>>& graphs) {
  for (const auto& [path, size] : graphs)
    say(fmt::format("wrote {} ({}). See it: oriel report callgraph {}", path, human_size(size), shell_quoted(path)));
}

void say_where(const std::vector<std::pair<std::string, uint64_t>>& logs) {
  if (logs.size() == 1) {
    say(fmt::format("wrote {} ({}). See it: oriel report {}", logs[0].first, human_size(logs[0].second),
                    shell_quoted(logs[0].first)));
    return;
  }
  say(fmt::format("wrote {} logs, one a process. See one: oriel report FILE", logs.size()));
  for (const auto& [path, size] : logs) say(fmt::format("  {} ({})", path, human_size(size)));
}

// Of a log that is no more where it was begun. That it was removed the log module has said, unless it was killed.
void say_where_to(const FollowedLog& log, bool killed) {
  const std::string path = log.now_at();
  if (path.empty()) {
    if (killed)
      say(fmt::format("the log {} was removed while the program ran, and what was in it is gone", log.begun_at()));
  } else {
    say(fmt::format("wrote {} ({}), where {} was moved to while the program ran. See it: oriel report {}", path,
                    human_size(log.size()), log.begun_at(), shell_quoted(path)));
  }
}

int run(const RunOptions& options) {
  if (options.command.empty()) {
    say("run: name the program to profile: oriel run -- dotnet Shop.dll (oriel run --help tells more)");
    return kRunFailed;
  }
  const Environment environment = current_environment();
  const Executable executable = find_executable(options.command[0], value_of(environment, "PATH"));
  if (executable.exit_code != 0) {
    const bool is_rate = options.command[0].find_first_not_of("0123456789") == std::string::npos;
    const bool is_pattern = options.instrumentation.calls == "|" || options.instrumentation.alloc == "exact";
    if (is_rate)
      say(fmt::format("there is no program '{0}'; if it is a rate, write --sample={0}", options.command[0]));
    else if (is_pattern && options.command[0].find('/') == std::string::npos)
      say(fmt::format("there is no program '{0}'; if it is a pattern, write --calls={0}", options.command[0]));
    else
      say(executable.message);
    return executable.exit_code;
  }
  const Result<Plan> plan = make_plan(options, environment);
  if (!plan) {
    say(plan.message());
    return kRunFailed;
  }
  const LogFiles before = find_logs(plan->log);
  const LogFiles graphs_before = find_logs(beside_log(plan->log));
  GatheredMessages messages;
  if (options.children) messages.start();
  FollowedLog followed;
  const Ending ending = start(*plan, options, environment, executable.path, messages,
                              [&](pid_t pid) { return followed.look(log_of(*plan, options, pid), before); });
  if (!ending.message.empty()) {
    say(ending.message);
    return ending.exit_code;
  }
  const LogTemplate expected = log_of(*plan, options, ending.pid);
  const auto logs = changed(before, find_logs(expected));
  for (const std::string& message : summarized(messages.take(), logs.size())) say(message);
  if (!logs.empty()) {
    plan->has_log ? say_where(logs) : say_graphs(logs);
    if (plan->has_log && !plan->callgraph.empty()) say_graphs(changed(graphs_before, find_logs(beside_log(expected))));
    return ending.exit_code;
  }
  if (followed.was_there()) {
    say_where_to(followed, ending.signal != 0);
    return ending.exit_code;
  }
  say(why_no_log(options, executable.path));
  return ending.exit_code != 0 ? ending.exit_code : kRunFailed;
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& command, int& exit_code) {
  CLI::App* sub = app.add_subcommand("run", "Run a .NET program and write a log of what it does");
  auto options = std::make_shared<RunOptions>();
  options->command = command;
  set_usage(*sub, "oriel run [OPTIONS] -- COMMAND…");
  sub->add_option("-o,--output", options->output,
                  "Log to write; %p in it is the process id, %n the program's name (default: %n-%p.oriel)")
      ->type_name("FILE");
  auto* process =
      sub->add_flag("--sample{250}", options->sample, "Sample each thread HZ times a second of its CPU time")
          ->type_name("HZ");
  auto* real = sub->add_flag("--sample-real{250}", options->sample_real,
                             "Sample all threads HZ times a second of real time, also those that wait")
                   ->type_name("HZ");
  auto* none = sub->add_flag("--no-sample", options->no_sample, "Take no samples: only events");
  process->excludes(real)->excludes(none);
  real->excludes(none);
  sub->add_flag("--callgraph{-}", options->callgraph,
                "Count the calls of the methods that PATTERNS mean (default: your own code), their times and callers, "
                "without logging each. Alone it is all that is done, and -o names its file; with other options it "
                "goes to NAME.callgraph.oriel beside the log")
      ->type_name("PATTERNS")
      ->join();
  sub->add_flag("--callgraph-alloc", options->callgraph_allocations,
                "With --callgraph: count the objects that each call path allocates, by type");
  add_instrumentation_options(*sub, options->instrumentation);
  sub->add_option("--module", options->modules,
                  "Load a profiler module: NAME[:ARGS], or the path of a liboriel-NAME.so[:ARGS]; may be repeated")
      ->type_name("NAME[:ARGS]")
      ->allow_extra_args(false);
  sub->add_flag("--children", options->children, "Profile child processes too, each into a log of its own");
  sub->footer(kFooter);
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace oriel::cli
