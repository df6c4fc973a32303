// oriel ctl
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text/whole_number.h"
#include "commands.h"
#include "diagnostics/process.h"
#include "exit_codes.h"
#include "live/control_client.h"
#include "live/control_words.h"
#include "modules/command.h"
#include "report/report.h"
#include "report/words/json_text.h"
#include "report/words/text.h"

namespace oriel::cli {
namespace {

using control::Answer;
using control::Words;
using report::Json;

constexpr const char* kFooter =
    R"(Commands:
  status                   what Oriel does in the process (also without a command)
  start [FEATURE[=VALUE]]  start features, or modules by their name; without any: what waits
                           (oriel run --paused)
  set FEATURE=VALUE        change features of what runs
  stop [FEATURE|MODULE]    stop features or modules; without any: all modules
  mark TEXT                put a mark into the log
  save [FILE]              save what a flight recorder holds (oriel run --recorder)
  snapshot                 put a snapshot of the heap into the log (oriel report heap)
  flush                    write what has happened into the files
  rotate [MODULE]          end the file, and begin the next one
  load-module NAME[:ARGS]  load a profiler module
  load-guest {CLSID}=PATH  load another profiler beside Oriel
  detach                   end what oriel attach has begun

A FEATURE is an option of oriel run or attach without its dashes. A command answers when it is so.

Examples:
  oriel ctl 4711                          what runs there
  oriel ctl 4711 start sample=500         sample 500 times a second
  oriel ctl 4711 set calls='Shop.*'       log these methods' calls from now on
  oriel ctl 4711 stop calls sample        stop both; the log goes on with events
  oriel ctl 4711 mark "deploy 2"
  oriel ctl 4711 stop                     end all logs; the program runs on)";

struct CtlOptions {
  pid_t pid = 0;
  std::vector<std::string> words;
  std::string output;
  bool json = false;
};

struct CtlCommand {
  std::string_view name;
  size_t least, most;
  const char* usage;
};

constexpr size_t kAny = 1000;
constexpr CtlCommand kCtlCommands[] = {
    {"status", 0, 0, "status"},
    {"start", 0, kAny, "start [FEATURE[=VALUE]]…"},
    {"set", 1, kAny, "set FEATURE=VALUE…"},
    {"stop", 0, kAny, "stop [FEATURE|MODULE]…"},
    {"mark", 1, 1, "mark TEXT"},
    {"save", 0, 1, "save [FILE]"},
    {"snapshot", 0, 0, "snapshot"},
    {"flush", 0, 1, "flush [MODULE]"},
    {"rotate", 0, 1, "rotate [MODULE]"},
    {"load-module", 1, 1, "load-module NAME[:ARGS]"},
    {"load-guest", 1, 1, "load-guest {CLSID}=PATH"},
    {"detach", 0, 0, "detach"},
};

Status check_words(const Words& words) {
  const auto command = std::ranges::find(kCtlCommands, words[0], &CtlCommand::name);
  if (command == std::end(kCtlCommands))
    return Status::error(fmt::format("there is no command '{}' (see oriel ctl --help)", words[0]));
  if (words.size() - 1 >= command->least && words.size() - 1 <= command->most) return Status::ok();
  return Status::error(fmt::format("write: oriel ctl PID {}", command->usage));
}

// A module's options without its file, which has a line of its own.
std::string without_file(const std::string& module, std::string options) {
  const modules::Command* const command = modules::find_command(module);
  const size_t file = command ? options.find(std::string(command->table.file().name) + "=") : std::string::npos;
  if (file != std::string::npos && (file == 0 || options[file - 1] == ',')) options.resize(file == 0 ? 0 : file - 1);
  return options.empty() ? "as by default" : options;
}

std::string at(const Words& words, size_t index) { return index < words.size() ? words[index] : ""; }

double number(const std::string& word) { return static_cast<double>(whole_number(word).value_or(0)); }

void write_text(const std::vector<Words>& lines, std::ostream& out) {
  for (const Words& line : lines) {
    if (line[0] == "engine") {
      const bool asleep = at(line, 3) == "asleep";
      out << fmt::format("Oriel {} in process {}{}\n", at(line, 1), at(line, 2),
                         asleep ? ", switched off; oriel attach begins anew" : "");
    } else if (line[0] == "module") {
      out << report::clean(
                 fmt::format("{:<10} {:<8} {}", at(line, 1), at(line, 2), without_file(at(line, 1), at(line, 3))))
          << '\n';
      if (!at(line, 4).empty()) out << report::clean(fmt::format("{:<19} writes {}", "", at(line, 4))) << '\n';
      if (!at(line, 5).empty()) out << report::clean(fmt::format("{:<19} {}", "", at(line, 5))) << '\n';
    } else if (line[0] == "saved") {
      out << report::clean(fmt::format("saved {}", at(line, 1))) << '\n';
    } else if (line[0] == "note") {
      out << report::clean(fmt::format("{:<19} {}", "", at(line, 1))) << '\n';
    } else if (line[0] == "snapshot") {
      out << report::clean(at(line, 1)) << '\n';
    } else if (line[0] == "budget") {
      out << fmt::format("{:<19} Oriel takes {:.2f} % of {} %, sampling at {:.0f} % of the rate\n", "budget",
                         number(at(line, 2)) / 10'000, number(at(line, 1)) / 10'000, number(at(line, 3)) / 10);
    } else {
      out << report::clean(fmt::format("{:<10} {:<8} {}", at(line, 0), at(line, 2), at(line, 1))) << '\n';
    }
  }
}

void write_json(pid_t pid, const std::vector<Words>& lines, std::ostream& out) {
  Json whole{{"pid", pid}, {"modules", Json::array()}, {"guests", Json::array()}};
  for (const Words& line : lines) {
    if (line[0] == "engine")
      whole["version"] = at(line, 1);
    else if (line[0] == "module")
      whole["modules"].push_back({{"name", at(line, 1)},
                                  {"state", at(line, 2)},
                                  {"options", at(line, 3)},
                                  {"file", at(line, 4)},
                                  {"details", at(line, 5)}});
    else if (line[0] == "saved")
      whole["saved"].push_back(at(line, 1));
    else if (line[0] == "note")
      whole["notes"].push_back(at(line, 1));
    else if (line[0] == "snapshot")
      whole["snapshots"].push_back(at(line, 1));
    else if (line[0] == "budget")
      whole["budget"] = {{"limit", number(at(line, 1)) / 1'000'000},
                         {"used", number(at(line, 2)) / 1'000'000},
                         {"pace", number(at(line, 3)) / 1'000}};
    else
      whole["guests"].push_back({{"name", at(line, 1)}, {"state", at(line, 2)}});
  }
  out << report::json_text(whole, 2) << '\n';
}

Status check_beside_what_runs(ControlClient& client, const std::vector<Words>& requests) {
  const Result<Answer> answer = client.ask({"status"});
  if (!answer) return answer.status();
  return check_together(answer->lines, requests);
}

Result<std::vector<Words>> ask_all(const CtlOptions& options, const std::vector<Words>& requests) {
  std::optional<diagnostics::Process> process = diagnostics::read_process(options.pid);
  if (!process) return Status::error(fmt::format("there is no process {}; oriel ps lists those of .NET", options.pid));
  diagnostics::read_inside(*process);
  Result<ControlClient> client = ControlClient::connect(*process);
  if (!client) return client.status();
  if (Status status = check_beside_what_runs(*client, requests); !status) return status;
  std::vector<Words> lines;
  for (const Words& request : requests) {
    Result<Answer> answer = client->ask(request);
    if (!answer) return answer.status();
    if (!answer->status) return answer->status;
    std::ranges::move(answer->lines, std::back_inserter(lines));
  }
  return lines;
}

int control_process(CtlOptions options) {
  if (options.words.empty()) options.words = {"status"};
  if (!options.output.empty()) options.output = std::filesystem::absolute(options.output).string();
  Status status = check_words(options.words);
  if (options.words[0] == "save" && options.words.size() > 1)
    options.words[1] = std::filesystem::absolute(options.words[1]).string();
  Result<std::vector<Words>> requests = status ? requests_for(options.words, options.output) : status;
  if (!requests) {
    say("ctl: " + requests.message());
    return kUsage;
  }
  const Result<std::vector<Words>> lines = ask_all(options, *requests);
  if (!lines) {
    say("ctl: " + lines.message());
    return kFailed;
  }
  if (options.json)
    write_json(options.pid, *lines, std::cout);
  else
    write_text(*lines, std::cout);
  if (std::cout.flush()) return 0;
  say("ctl: the answer cannot be written; is the disk full?");
  return kFailed;
}

}  // namespace

void add_ctl(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("ctl", "Change what Oriel does in a running program");
  auto options = std::make_shared<CtlOptions>();
  set_usage(*sub, "oriel ctl [--json] PID [COMMAND [WORDS…]]");
  sub->add_option("PID", options->pid, "The process; oriel ps lists those of .NET")->required()->type_name("PID");
  sub->add_option("COMMAND", options->words, "What to do, with its words; without one: status")->type_name("COMMAND");
  sub->add_option("-o,--output", options->output, "With start: the file that the module writes")->type_name("FILE");
  sub->add_flag("--json", options->json, "JSON for programs");
  sub->footer(kFooter);
  sub->callback([options, &exit_code] { exit_code = control_process(*options); });
}

}  // namespace oriel::cli
