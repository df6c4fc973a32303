// oriel run: starts a program with the engine in it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/files/file_template.h"
#include "base/process/mono_environment.h"
#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "exit_codes.h"
#include "locate.h"
#include "log/stream.h"
#include "run/environment.h"
#include "run/followed_log.h"
#include "run/gathered_messages.h"
#include "run/guests.h"
#include "run/launch.h"
#include "run/log_files.h"
#include "run/missing_log.h"
#include "run/module_options.h"
#include "run/newest.h"
#include "run/program.h"
#include "run/run_top.h"
#include "run/streamed_log.h"
#include "show/callgraph_file.h"

namespace oriel::cli {
namespace {

struct RunOptions {
  std::string output;
  std::string config;        // add_settings has read it
  bool children = false;     // --children
  bool no_children = false;  // --no-children
  bool paused = false;
  bool top = false;
  bool no_redact = false;
  ModuleOptions built_in;
  std::vector<std::string> modules;
  GuestOptions guests;
  std::vector<std::string> command;
  bool is_launcher = false;  // whether the command is one

  // The SDK and scripts run programs in child processes. A script with a single log file is not included: the log is
  // that of the started process, which may exec another program.
  bool with_children() const {
    const bool may_have_several = output.empty() || output.find("%p") != std::string::npos;
    return children || (!no_children && (!sdk_verb(command).empty() || (is_launcher && may_have_several)));
  }
};

struct RunPlan {
  LogTemplate log;
  std::string engine;
  std::vector<PlannedModule> built_in;  // the first writes the log; each other one writes a file beside it
  std::string other_modules;            // each with a ';' before it
  Guests guests;
};

constexpr const char* kFooter =
    R"(COMMAND is everything after the options; "--" may precede it. By default each thread is sampled 250
times per second of CPU time that it uses.

Examples:
  oriel run -- dotnet Shop.dll --port 8080    profile Shop, write Shop-PID.oriel here
  oriel run --sample=1000 -- ./Shop           a published program, finer samples
  oriel run --sample-real -- dotnet Shop.dll  where threads wait, not only where they compute
  oriel run -- dotnet test                    each process writes a log of its own; the report is of
                                              the tests, not of the SDK
  oriel run --callgraph -- dotnet Shop.dll    count your own code's calls and their times only
  oriel run --callgraph='Shop.*,!*.ToString' --sample -- dotnet Shop.dll
                                              these methods' calls, and a sampled log beside them
  oriel run --calls='Shop.*,!*.ToString' -- dotnet Shop.dll
                                              each call of a namespace's methods except ToString
  oriel run --calls='[Shop.Core]' --alloc -- dotnet Shop.dll
                                              the calls of an assembly, and every object allocated
  oriel run --module log:events=all -- dotnet Shop.dll
                                              every event that the log module knows, the JIT's too
  oriel run --no-sample --module /opt/mine/liboriel-mine.so:verbose -- dotnet Shop.dll

PATTERNS are separated by commas; a repeated option adds more. Each is an assembly in brackets, a
name, or both: [Shop.Core], Shop, Shop.Cart, Shop.Cart.Add, *.Add, [Shop*]*.Add. A name is
Namespace.Type.Method without parameters and generic arguments, and includes everything in it.
* matches any text, ? any character. A leading "!" excludes. The last pattern that matches decides.
Samples are taken as well, and include the time that logging takes; --no-sample turns them off.

The exit code is the program's, or 128 + n if signal n ended it; 125 if Oriel failed, or if the
program returned 0 and no log was written; 126 if the program cannot be executed, 127 if it is not
found.)";

// Arguments for a module that is loaded anyway are added to it; other modules are loaded after the built-in ones.
Status add_modules(const RunOptions& options, const std::string& module_path, std::vector<PlannedModule>& given,
                   RunPlan& plan) {
  for (const std::string& text : options.modules) {
    const Result<ModuleRequest> module = find_module(text, plan.engine, module_path);
    if (!module) return module.status();
    // A module given by its path is the user's own, whatever its name.
    PlannedModule* own =
        module->description.starts_with(module->name) ? settings::find_loaded(module->name, given) : nullptr;
    Status status = own ? settings::add_text(*own, module->args) : try_module(*module, plan.engine);
    if (!status) return status;
    if (!own) plan.other_modules += ";" + module->description;
  }
  return Status::ok();
}

// The file of the module with this index, if the first writes to `log`.
LogTemplate file_of(const RunPlan& plan, size_t module, const LogTemplate& log) {
  return module == 0 ? log : beside(log, plan.built_in[module].command->file_ending);
}

// `dotnet watch` takes every file that is written in its folder for a change of the program.
std::string output_of(const RunOptions& options) {
  if (!options.output.empty() || !options.with_children() || sdk_verb(options.command) != "watch")
    return options.output;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? "" : (folder / "%n-%p.oriel").string();
}

Result<RunPlan> make_plan(const RunOptions& options, const Environment& environment) {
  if (Status status = check_environment(environment); !status) return status;
  Result<std::vector<PlannedModule>> given = options.built_in.given();
  if (!given) return given.status();
  RunPlan plan;
  Result<Guests> guests = find_guests(options.guests, environment);
  if (!guests) return guests.status();
  plan.guests = std::move(*guests);
  const Result<std::string> engine = find_engine();
  if (!engine) return engine.status();
  plan.engine = *engine;
  const std::string module_path = value_of(environment, "ORIEL_MODULE_PATH");
  if (Status status = add_modules(options, module_path, *given, plan); !status) return status;
  Result<std::vector<PlannedModule>> loaded = modules_to_load(std::move(*given));
  if (!loaded) return loaded.status();
  plan.built_in = std::move(*loaded);
  const bool unasked = options.with_children() && !options.children;
  const Result<LogTemplate> log = log_template(output_of(options), options.with_children(),
                                               unasked ? "'dotnet " + sdk_verb(options.command) + "'" : "");
  if (!log) return log.status();
  plan.log = *log;
  for (size_t i = 0; i < plan.built_in.size(); ++i) {
    const Result<ModuleRequest> file = find_module(plan.built_in[i].command->name(), plan.engine, module_path);
    if (!file) return file.status();
    if (i == 0) continue;  // log_template checked its place
    if (Status status = check_place(file_of(plan, i, plan.log)); !status) return status;
  }
  return plan;
}

// The pipe or socket that the log is to go to; nullptr if it goes into a file.
Result<std::unique_ptr<StreamedLog>> open_stream(const RunOptions& options, RunPlan& plan) {
  const std::string path = plan.log.folder + "/" + plan.log.name;
  if (log::is_stream(path)) {
    if (options.top) return Status::error("run: --top shows a log in a file; leave out -o, or name a file");
    for (const char* several : {"rotate", "recorder"})
      if (!plan.built_in[0].text_of(several).empty())
        return Status::error(
            fmt::format("'{}' is a pipe or a socket, which takes one log from its beginning to its end; leave {} out",
                        path, std::string("--") + several));
  }
  return StreamedLog::open(path);
}

// The log of process `pid`, or of all processes if each has its own.
LogTemplate log_of(const RunPlan& plan, const RunOptions& options, pid_t pid) {
  return options.with_children() ? plan.log : expand(plan.log, program_name(options.command), pid);
}

// Modules of the user's may, too.
bool adds_to_code(const RunPlan& plan, const std::vector<std::string>& command) {
  if (std::ranges::any_of(command, wants_precompiled)) return false;
  return !plan.other_modules.empty() || std::ranges::any_of(plan.built_in, [](const PlannedModule& module) {
    return module.command->counts_each || module.is_given("calls");
  });
}

ProcessResult start(RunPlan& plan, const RunOptions& options, const Environment& environment, const std::string& path,
                    StartTime now, const GatheredMessages& messages, FollowedLog& followed, const LogFiles& before) {
  const auto look = [&](pid_t pid) { return followed.look(log_of(plan, options, pid), before, name_of_run(pid, now)); };
  const std::string name = program_name(options.command);
  std::optional<SilentInput> input;
  if (options.top) input.emplace();
  const auto environment_for = [&](pid_t pid) {
    if (input) redirect_for_top(name, pid, *input);
    ProfilingSetup setup{plan.engine, options.with_children(), name_of_run(pid, now), messages.path(), plan.guests};
    setup.paused = options.paused;
    setup.no_redact = options.no_redact;
    setup.adds_to_code = adds_to_code(plan, options.command);
    Environment profiled = profiled_environment(environment, setup, pid);
    const LogTemplate log = log_of(plan, options, pid);
    const auto file_of_module = [&](size_t module) { return file_of(plan, module, log).argument(); };
    load_in(profiled, plan.built_in, file_of_module, plan.other_modules);
    return profiled;
  };
  if (!options.top) return launch(path, options.command, environment_for, look);
  return launch(path, options.command, environment_for, look, [&](pid_t pid, const std::function<void()>& pass_on) {
    show_top(
        name, pid, [&look, &followed, pid] { return look(pid) ? followed.now_at() : std::string(); }, pass_on);
  });
}

void say_file(const std::string& path, uint64_t size, const char* shown_by) {
  say(fmt::format("wrote {} ({}). See it: oriel {} {}", path, human_size(size), shown_by, shown_shell_word(path)));
}

// Arguments for `oriel report` that select these logs.
std::string words_for(const std::vector<std::string>& files) {
  std::string words;
  for (const std::string& file : files) {
    if (!file.ends_with(".oriel")) return fmt::format(" {}", fmt::join(files, " "));
    const std::string folder = std::filesystem::path(file).parent_path().string();
    words = folder.empty() ? "" : " " + shown_shell_word(folder);
  }
  return words;
}

// For several logs of one run: says which is the program's, and how to see them.
void say_where_all(const RunLogs& run, uint64_t size, const std::string& verb, const char* shown_by) {
  const std::vector<std::string> files = run.files(), program_logs = run.program_logs().files();
  const std::string words = words_for(files);
  if (program_logs.size() == 1)
    say(fmt::format("wrote {}, the log of the program. See it: oriel {} {}", program_logs[0], shown_by,
                    shown_shell_word(program_logs[0])));
  else if (program_logs.size() < files.size())
    say(fmt::format("wrote {} logs of the program, one per process. See them as one: oriel {}{}", program_logs.size(),
                    shown_by, words));
  if (program_logs.size() < files.size())
    say(fmt::format(
        "wrote {} more, of 'dotnet {}' itself and its other processes. See what each took: oriel report processes{}",
        files.size() - program_logs.size(), verb, words));
  else
    say(fmt::format(
        "wrote {} logs, one per process ({}). See them as one: oriel {}{}; what each took: oriel report processes{}",
        files.size(), human_size(size), shown_by, words, words));
}

// For the files that one process wrote one after another.
void say_where_parts(const std::vector<std::string>& files, uint64_t size, const char* shown_by) {
  std::string words;
  for (const std::string& file : files) words += " " + shown_shell_word(file);
  say(fmt::format("wrote {} files, one after another ({}). See them as one: oriel {}{}", files.size(), human_size(size),
                  shown_by, words));
}

// Says what the first module wrote. `verb` is the SDK's verb, or "".
void say_where(const std::vector<std::pair<std::string, uint64_t>>& logs, const std::string& verb,
               const char* shown_by) {
  std::vector<std::string> files;
  uint64_t size = 0;
  for (const auto& [path, bytes] : logs) {
    files.push_back(path);
    size += bytes;
  }
  const std::vector<RunLogs> runs = runs_of_files(files);
  const auto is_of_first = [&](const profile::Process& process) { return process.pid == runs[0].processes[0].pid; };
  if (logs.size() > 1 && runs.size() == 1 && std::ranges::all_of(runs[0].processes, is_of_first))
    return say_where_parts(files, size, shown_by);
  if (logs.size() > 1 && runs.size() == 1) return say_where_all(runs[0], size, verb, shown_by);
  for (const auto& [path, bytes] : logs) say_file(path, bytes, shown_by);
  if (logs.size() == 1 && runs[0].of_sdk_alone())
    say(fmt::format(
        "this is the log of 'dotnet {}' itself: its child processes wrote none. Native and NativeAOT programs "
        "cannot be profiled",
        verb));
}

using NewLogs = std::vector<std::pair<std::string, uint64_t>>;

// Logs that this run wrote since `before`: another run may use the same place.
NewLogs written(const LogFiles& before, const LogFiles& after, const std::string& run, std::string& of_another) {
  NewLogs logs = changed(before, after);
  std::erase_if(logs, [&](const auto& log) {
    if (!is_of_another_run(log.first, run)) return false;
    of_another = log.first;
    return true;
  });
  return logs;
}

// Files beside the log, by module.
std::vector<LogFiles> find_others(const RunPlan& plan, const LogTemplate& log) {
  std::vector<LogFiles> found;
  for (size_t i = 1; i < plan.built_in.size(); ++i) found.push_back(find_logs(file_of(plan, i, log)));
  return found;
}

void say_others(const RunPlan& plan, const std::vector<LogFiles>& before, const std::vector<LogFiles>& after,
                const std::string& run) {
  std::string of_another;
  for (size_t i = 1; i < plan.built_in.size(); ++i) {
    for (const auto& [path, size] : written(before[i - 1], after[i - 1], run, of_another))
      say_file(path, size, plan.built_in[i].command->shown_by);
  }
}

// For a log that was moved or removed. If it was removed, the log module has reported that, unless the program was
// killed.
void say_where_to(const FollowedLog& log, bool killed, const char* shown_by) {
  const std::string path = log.now_at();
  if (path.empty()) {
    if (killed)
      say(fmt::format("the log {} was removed while the program ran, and its contents are lost", log.begun_at()));
  } else {
    say(fmt::format("wrote {} ({}), moved from {} while the program ran. See it: oriel {} {}", path,
                    human_size(log.size()), log.begun_at(), shown_by, shown_shell_word(path)));
  }
}

// Builds run without servers, which would outlive the build and keep their logs open.
void say_slower(const std::string& verb) {
  if (builds(verb))
    say(fmt::format(
        "'dotnet {}' ran without build servers, so that the logs have all of its work; it took longer than usual",
        verb));
}

int run(RunOptions options) {
  if (options.command.empty()) {
    say("run: name the program to profile: oriel run -- dotnet Shop.dll (see oriel run --help)");
    return kRunFailed;
  }
  const Environment environment = current_environment();
  const Executable executable = find_executable(options.command[0], value_of(environment, "PATH"));
  if (executable.exit_code != 0) {
    const bool is_rate = options.command[0].find_first_not_of("0123456789") == std::string::npos;
    const std::string for_pattern = options.built_in.option_for_pattern();
    if (is_rate)
      say(fmt::format("there is no program '{0}'; if it is a rate, write --sample={0}", options.command[0]));
    else if (!for_pattern.empty() && options.command[0].find('/') == std::string::npos)
      say(fmt::format("there is no program '{0}'; if it is a pattern, write {1}={0}", options.command[0], for_pattern));
    else
      say(executable.message);
    return executable.exit_code;
  }
  options.is_launcher = is_launcher(executable.path);
  if (options.top) {
    Status status = check_top();
    if (status && options.with_children())
      status = Status::error("run: --top shows one process; name the program itself, or give --no-children");
    if (!status) {
      say(status.message());
      return kRunFailed;
    }
  }
  Result<RunPlan> plan = make_plan(options, environment);
  if (!plan) {
    say(plan.message());
    return kRunFailed;
  }
  const Result<std::unique_ptr<StreamedLog>> streamed = open_stream(options, *plan);
  if (!streamed) {
    say(streamed.message());
    return kRunFailed;
  }
  const LogFiles before = find_logs(plan->log);
  const std::vector<LogFiles> others_before = find_others(*plan, plan->log);
  GatheredMessages messages;
  if (options.with_children()) messages.start();
  FollowedLog followed;
  const StartTime now = std::chrono::system_clock::now();
  const ProcessResult ending = start(*plan, options, environment, executable.path, now, messages, followed, before);
  if (options.top) say_output(program_name(options.command), ending.pid);
  if (!ending.message.empty()) {
    say(ending.message);
    return ending.exit_code;
  }
  const LogTemplate expected = log_of(*plan, options, ending.pid);
  const std::string run = name_of_run(ending.pid, now);
  std::string of_another;
  const NewLogs logs = written(before, find_logs(expected), run, of_another);
  for (const std::string& message : summarized(messages.take(), logs.size())) say(message);
  if (!logs.empty()) {
    if (options.with_children()) say_slower(sdk_verb(options.command));
    say_where(logs, sdk_verb(options.command), plan->built_in[0].command->shown_by);
    say_others(*plan, others_before, find_others(*plan, expected), run);
    return ending.exit_code;
  }
  if (!of_another.empty()) {
    say(fmt::format("no log was written: '{}' belongs to another run at the same time; name another file with -o",
                    of_another));
    return ending.exit_code != 0 ? ending.exit_code : kRunFailed;
  }
  if (followed.was_there()) {
    say_where_to(followed, ending.signal != 0, plan->built_in[0].command->shown_by);
    return ending.exit_code;
  }
  if (options.paused) {
    say("nothing was recorded: the program ended before oriel ctl started anything in it");
    return ending.exit_code;
  }
  if (*streamed && (*streamed)->was_written()) return ending.exit_code;
  say(why_no_log(options.command, executable.path, options.with_children()));
  return ending.exit_code != 0 ? ending.exit_code : kRunFailed;
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& command, int& exit_code) {
  CLI::App* sub = app.add_subcommand("run", "Run a .NET program and record a log of what it does");
  auto options = std::make_shared<RunOptions>();
  options->command = command;
  set_usage(*sub, "oriel run [OPTIONS] -- COMMAND…");
  sub->add_option("-o,--output", options->output,
                  "Log file to write, or a pipe or socket; %p stands for the process id, %n for the program's name "
                  "(default: %n-%p.oriel)")
      ->type_name("FILE");
  sub->add_option(
         "--config", options->config,
         "Settings: a JSON file with the names of these options, such as {\"sample\": 500}; options given here "
         "go before it (default: the file in ORIEL_CONFIG, if set)")
      ->type_name("FILE");
  options->built_in.add_to(*sub);
  sub->add_option("--module", options->modules,
                  "Load a profiler module: NAME[:ARGS], or mono:NAME[:ARGS] for one that is compiled for Mono, or the "
                  "path of a liboriel-NAME.so[:ARGS] or libmono-profiler-NAME.so[:ARGS]; may be repeated")
      ->type_name("NAME[:ARGS]")
      ->allow_extra_args(false);
  sub->add_option(
         "--clr-profiler", options->guests.profilers,
         "Load another profiler, unmodified, into the same process: its class id and its library; may be repeated")
      ->type_name("{CLSID}=PATH")
      ->allow_extra_args(false);
  sub->add_option("--clr-profiler-config", options->guests.config, "File that lists such profilers, one per line")
      ->type_name("FILE");
  sub->add_flag("--no-guests", options->guests.none,
                "Leave out the profiler that the environment names, instead of running beside it");
  CLI::Option* children = sub->add_flag("--children", options->children,
                                        "Profile child processes too, each with its own log (default for dotnet run, "
                                        "test, build and the like, scripts and shells)");
  sub->add_flag("--no-children", options->no_children, "Profile only the command's own process")->excludes(children);
  sub->add_flag("--paused", options->paused,
                "Record nothing until `oriel ctl PID start`: what the options ask for waits for that");
  sub->add_flag("--top", options->top,
                "Show live what the program does, as oriel top. What it would print on the terminal goes into the file "
                "%n-%p-output.txt, and it reads nothing from there");
  sub->add_flag("--no-redact", options->no_redact,
                "Log texts unredacted. By default, values that are named like a secret, values in URLs' queries and "
                "literals in SQL are left out (docs/PRIVACY.md)");
  sub->footer(kFooter);
  sub->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace oriel::cli
