// oriel push: sends profiles to servers that collect those of many processes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/text/path.h"
#include "base/text/whole_number.h"
#include "commands.h"
#include "diagnostics/process.h"
#include "exit_codes.h"
#include "fleet/destination.h"
#include "fleet/log_parcels.h"
#include "fleet/running_log.h"
#include "interrupts.h"
#include "report/words/notes.h"
#include "report/words/text.h"
#include "run/log_files.h"
#include "run/newest.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kPushFooter =
    R"(Of a process, what was recorded since the last push is sent every few seconds, until Ctrl-C or its
end. A log that it writes already goes on; otherwise one is recorded for the push alone.

Examples:
  oriel push Shop-4711.oriel --to http://pyroscope:4040 --service shop
  oriel push 4711 --to http://collector:4318 --label service.version=1.4 --spool /var/spool/shop
                                          what the process does, every 15 s, over OTLP
  ORIEL_PUSH_HEADERS=Authorization=Bearer%20… oriel push 4711 --to https://profiles.example.com)";

struct PushOptions {
  std::vector<std::string> words;
  std::string service, weight, every, duration;
  std::vector<std::string> labels;
  DestinationOptions destination;
  Selection selection;
};

// What was asked for, checked.
struct Plan {
  Destination destination;
  push::Labels labels;
  std::string service;                        // "": by the environment or the program
  std::optional<profile::WeightKind> weight;  // none: the usual ones
  profile::Filter filter;
  milliseconds every{15'000};
  std::optional<milliseconds> duration;
};

std::string variable_of_own(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

push::FromEnvironment own_environment() {
  return {variable_of_own("OTEL_SERVICE_NAME"), variable_of_own("OTEL_RESOURCE_ATTRIBUTES")};
}

push::FromEnvironment environment_of(const diagnostics::Process& process) {
  return {std::string(diagnostics::variable(process, "OTEL_SERVICE_NAME").value_or("")),
          std::string(diagnostics::variable(process, "OTEL_RESOURCE_ATTRIBUTES").value_or(""))};
}

push::Identity identity_in(const Plan& plan, const std::vector<push::FromEnvironment>& environments,
                           const profile::Profile& profile) {
  const std::string program = profile.processes.empty() ? "" : profile.processes[0].name;
  return push::identity_of(plan.service, plan.labels, environments, program.empty() ? "unknown_service" : program);
}

Result<LogParcels> parcels_in(const Plan& plan, const profile::Profile& profile, const push::Identity& identity) {
  const std::vector<profile::WeightKind> weights = plan.weight ? std::vector{*plan.weight} : usual_weights(profile);
  return parcels_of(profile, weights, plan.destination.server, identity);
}

// Says what became of all that was pushed; the exit code.
int finish(const push::Sender::Counts& counts) {
  if (counts.kept > 0) say(fmt::format("push: requests kept in the spool, for the next push: {}", counts.kept));
  if (counts.lost > 0) say(fmt::format("push: requests not delivered, and lost: {}", counts.lost));
  return counts.kept + counts.lost == 0 ? 0 : kFailed;
}

Status push_log(const Plan& plan, const std::string& file, push::Sender& sender, Interrupts& interrupts) {
  const Result<profile::Profile> profile = read_logs({file}, plan.filter);
  if (!profile) return profile.status();
  const push::Identity identity = identity_in(plan, {own_environment()}, *profile);
  const Result<LogParcels> parcels = parcels_in(plan, *profile, identity);
  if (!parcels) return parcels.status();
  if (parcels->parcels.empty())
    return Status::error(fmt::format("{}: nothing to push. {}", file, report::why_no_samples(*profile)));
  interrupts.hold();
  const size_t before = sender.counts().kept + sender.counts().lost;
  for (const push::Parcel& parcel : parcels->parcels) sender.send(parcel, plan.destination.retry);
  if (sender.counts().kept + sender.counts().lost == before)
    say(report::clean(fmt::format("pushed {} to {} as {}: {} ({})", file, plan.destination.server.url, identity.service,
                                  parcels->contents, human_size(parcels->bytes))));
  return Status::ok();
}

int push_logs(const PushOptions& options, const Plan& plan) {
  const Result<std::vector<std::string>> logs = chosen_logs("push", options.words, false);
  if (!logs) {
    say(logs.message());
    return kFailed;
  }
  Interrupts interrupts;
  Result<push::Sender> sender = plan.destination.sender(interrupts, 1);
  if (!sender) {
    say("push: " + sender.message());
    return kFailed;
  }
  int code = 0;
  for (const std::string& log : *logs) {
    const Status status = push_log(plan, log, *sender, interrupts);
    if (!status) say("push: " + report::clean(status.message()));
    if (!status) code = kFailed;
    if (interrupts.count() > 0) break;
    interrupts.release();
  }
  return std::max(code, finish(sender->counts()));
}

class ProcessPush {
 public:
  ProcessPush(const Plan& plan, const diagnostics::Process& process, RunningLog log, push::Sender& sender)
      : plan_(plan), environments_{own_environment(), environment_of(process)}, log_(std::move(log)), sender_(sender) {}

  // Until an interrupt, the end of the process or of the time.
  void run(Interrupts& interrupts) {
    const auto end = plan_.duration ? steady_clock::now() + *plan_.duration : steady_clock::time_point::max();
    bool is_last = false;
    for (auto due = steady_clock::now() + plan_.every; !is_last && !log_.is_over();
         due = std::max(due + plan_.every, steady_clock::now())) {
      is_last = !wait_until(std::min(due, end), interrupts) || due >= end;
      push_next(is_last);
    }
  }

 private:
  // Until then, or until the program has ended. False after an interrupt.
  bool wait_until(steady_clock::time_point time, Interrupts& interrupts) const {
    constexpr milliseconds kLook{500};
    for (;;) {
      const auto left = std::chrono::ceil<milliseconds>(time - steady_clock::now());
      if (!interrupts.wait(std::clamp(left, milliseconds(0), kLook))) return false;
      if (left <= kLook || log_.program_has_ended()) return true;
    }
  }

  void push_next(bool is_last) {
    const Result<std::vector<LogPart>> parts = log_.next(is_last);
    if (!parts) return tell(parts.message());
    for (const LogPart& part : *parts) {
      if (const Status status = push_part(part); !status) tell(status.message());
    }
  }

  Status push_part(const LogPart& part) {
    const Result<profile::Filter> filter = filter_for(part, plan_.filter);
    if (!filter) return filter.status();
    const Result<profile::Profile> profile = profile::load({part.file}, *filter, {});
    if (!profile) return profile.status();
    log_.has_read(part);
    const Result<LogParcels> parcels = parcels_in(plan_, *profile, identity_in(plan_, environments_, *profile));
    if (!parcels) return parcels.status();
    for (const push::Parcel& parcel : parcels->parcels)
      sender_.send(parcel, std::min(plan_.destination.retry, plan_.every));
    return Status::ok();
  }

  // What repeats itself, once.
  void tell(const std::string& message) {
    if (message != std::exchange(told_, message)) say("push: " + report::clean(message));
  }

  const Plan& plan_;
  const std::vector<push::FromEnvironment> environments_;
  RunningLog log_;
  push::Sender& sender_;
  std::string told_;
};

int push_process(pid_t pid, const Plan& plan) {
  std::optional<diagnostics::Process> process = diagnostics::read_process(pid);
  if (!process) {
    say(fmt::format("push: there is no process {}; oriel ps lists those of .NET", pid));
    return kFailed;
  }
  diagnostics::read_inside(*process);
  Interrupts interrupts;
  interrupts.hold();
  // The first interrupt asks for the rest of the log, the second ends this.
  Result<push::Sender> sender = plan.destination.sender(interrupts, 2);
  Result<RunningLog> log = sender ? RunningLog::open(*process) : sender.status();
  if (!log) {
    say("push: " + report::clean(log.message()));
    return kFailed;
  }
  say(fmt::format("{} process {} every {:.3g} s to {}; Ctrl-C ends it",
                  log->is_users() ? "pushing the log of" : "recording and pushing", pid,
                  static_cast<double>(plan.every.count()) / 1000, plan.destination.server.url));
  ProcessPush(plan, *process, std::move(*log), *sender).run(interrupts);
  say(fmt::format("pushed process {}; requests delivered: {}", pid, sender->counts().delivered));
  return finish(sender->counts());
}

// The process that the only word names, unless a file has this name.
std::optional<pid_t> process_in(const std::vector<std::string>& words) {
  constexpr uint64_t kMost = INT32_MAX;
  if (words.size() != 1 || access(words[0].c_str(), F_OK) == 0) return std::nullopt;
  const std::optional<uint64_t> number = whole_number(words[0]);
  return number && *number <= kMost ? std::optional(static_cast<pid_t>(*number)) : std::nullopt;
}

Result<milliseconds> interval_of(const std::string& text, const std::string& option) {
  const Result<int64_t> ns = parse_duration(text, option);
  if (!ns) return ns.status();
  if (*ns < 1'000'000) return Status::error(fmt::format("{} {}: this is too short", option, text));
  return milliseconds(*ns / 1'000'000);
}

Result<Plan> plan_of(const PushOptions& options, bool is_process) {
  Plan plan;
  Result<Destination> destination = destination_of(options.destination);
  if (!destination) return destination.status();
  plan.destination = std::move(*destination);
  plan.service = options.service;
  for (const std::string& text : options.labels) {
    Result<push::Label> label = push::parse_label(text);
    if (!label) return label.status();
    push::set_label(plan.labels, std::move(*label));
  }
  if (!options.weight.empty()) {
    const Result<profile::WeightKind> weight = profile::parse_weight(options.weight);
    if (!weight) return weight.status();
    plan.weight = *weight;
  }
  Result<profile::Filter> filter = to_filter(options.selection);
  if (!filter) return filter.status();
  plan.filter = std::move(*filter);
  if (is_process && !(options.selection.from + options.selection.to).empty())
    return Status::error("push: --from and --until are for files; of a process, --for limits the time");
  if (!is_process && !(options.every + options.duration).empty())
    return Status::error("push: --every and --for are for processes; of files, --from and --until choose a part");
  if (!options.every.empty()) {
    const Result<milliseconds> every = interval_of(options.every, "--every");
    if (!every) return every.status();
    plan.every = *every;
  }
  if (!options.duration.empty()) {
    const Result<milliseconds> duration = interval_of(options.duration, "--for");
    if (!duration) return duration.status();
    plan.duration = *duration;
  }
  return plan;
}

int run_push(const PushOptions& options) {
  const std::optional<pid_t> process = process_in(options.words);
  const Result<Plan> plan = plan_of(options, process.has_value());
  if (!plan) {
    say(report::clean(plan.message()));
    return kUsage;
  }
  return process ? push_process(*process, *plan) : push_logs(options, *plan);
}

}  // namespace

void add_push(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("push", "Send profiles to a server (Pyroscope, OTLP)");
  auto options = std::make_shared<PushOptions>();
  set_usage(*sub, "oriel push --to URL [OPTIONS] [FILE… | PID]");
  sub->add_option("files", options->words, "Logs (default: the newest here), or a process that Oriel is in")
      ->type_name("[FILE…]");
  sub->add_option("--service", options->service,
                  "The service's name (default: OTEL_SERVICE_NAME, here or in the process, or the program's)")
      ->type_name("NAME");
  sub->add_option("--label", options->labels,
                  "A label, such as service.version=1.4 or k8s.pod.name=shop-7; may be repeated (default: those in "
                  "OTEL_RESOURCE_ATTRIBUTES)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--weight", options->weight, "What stacks are weighted by (default: samples, and bytes if there are)")
      ->type_name("WEIGHT");
  sub->add_option("--every", options->every, "Of a process: how often (default 15s)")->type_name("TIME");
  sub->add_option("--for", options->duration, "Of a process: for how long (default: until Ctrl-C or its end)")
      ->type_name("TIME");
  add_destination(*sub, options->destination);
  options->selection.to_option = "--until";  // --to is the server
  add_selection(*sub, options->selection);
  sub->footer(kPushFooter);
  sub->callback([options, &exit_code] { exit_code = run_push(*options); });
}

}  // namespace oriel::cli
