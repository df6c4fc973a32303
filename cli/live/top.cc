// oriel top: what a running program does, as a screen or as lines.
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <memory>

#include "base/files/file_template.h"
#include "base/files/open_file.h"
#include "base/text/whole_number.h"
#include "commands.h"
#include "exit_codes.h"
#include "fleet/running_log.h"
#include "interrupts.h"
#include "live/attach_plan.h"
#include "live/control_client.h"
#include "live/top_session.h"
#include "live/watch.h"
#include "report/words/text.h"
#include "run/log_files.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;

constexpr const char* kTopFooter =
    R"(The program is only watched: no code of it is changed, and Oriel leaves it at the end. Where Oriel is
in it already, what is recorded there is shown, and goes on afterwards. `h` on the screen explains the
keys. Where stdout is no terminal, there are lines.

Examples:
  oriel top 4711                              the screen; q quits
  oriel top 4711 --interval 10s >> shop.txt   a few lines every ten seconds
  oriel top 4711 --json --count 1             what it did in two seconds, for programs)";

struct TopOptions {
  std::string pid;
  std::string interval;
  std::string duration;
  uint64_t count = 0;
  uint32_t hz = 100;
  bool json = false;
};

Result<milliseconds> time_of(const std::string& text, const char* option) {
  constexpr int64_t kLeast = 100'000'000, kMost = 86'400'000'000'000;  // nanoseconds
  const Result<int64_t> ns = parse_duration(text, option);
  if (!ns) return ns.status();
  if (*ns < kLeast || *ns > kMost)
    return Status::error(fmt::format("{} {}: give a time from 100ms to 24h", option, text));
  return milliseconds(*ns / 1'000'000);
}

Result<TopSettings> settings_of(const TopOptions& options) {
  TopSettings settings;
  settings.count = options.count;
  settings.json = options.json;
  settings.screen = !options.json && isatty(STDOUT_FILENO) == 1;
  if (!options.interval.empty()) {
    const Result<milliseconds> interval = time_of(options.interval, "--interval");
    if (!interval) return interval.status();
    settings.interval = *interval;
  }
  if (options.duration.empty()) return settings;
  const Result<milliseconds> duration = time_of(options.duration, "--for");
  if (!duration) return duration.status();
  settings.duration = *duration;
  return settings;
}

// What `oriel top` wants recorded, in the words of the log module. A file that is full is removed here: `keep` would
// remove older logs of the process too, which are somebody else's.
std::string log_options(uint32_t hz) { return fmt::format("hz={},alloc=sampled,rotate=16MB", hz); }
std::vector<std::string> start_words(uint32_t hz) {
  return {fmt::format("sample={}", hz), "alloc=sampled", "rotate=16MB"};
}

// Whether an engine in the process is at work, started with the program or by another oriel attach.
bool is_oriel_at_work(const diagnostics::Process& process) {
  Result<ControlClient> client = ControlClient::try_to_connect(process);
  const auto status = client ? client->ask({"status"}) : client.status();
  if (!status || !status->status) return false;
  constexpr size_t kState = 3;  // engine/control/commands.h
  return status->lines.empty() || status->lines[0].size() <= kState || status->lines[0][kState] != "asleep";
}

int outcome(const TopSession& session, int code) {
  if (session.failure()) return code;
  say("top: " + report::clean(session.failure().message()));
  return kFailed;
}

int show_log_of(const diagnostics::Process& process, uint32_t hz, TopSession& session) {
  Interrupts interrupts;
  interrupts.hold();
  Result<RunningLog> log = RunningLog::open(process, start_words(hz));
  if (!log) {
    say("top: " + report::clean(log.message()));
    return kFailed;
  }
  const OpenFile ended(static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0)));
  const auto path = [&] { return log->written(); };
  if (log->is_users())
    session.begin_with_past(path);
  else
    session.begin(path);
  for (;;) {
    pollfd files[] = {
        {interrupts.descriptor(), POLLIN, 0}, {ended.number(), POLLIN, 0}, {session.descriptor(), POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(session.next_turn() - TopSession::Clock::now());
    poll(files, std::size(files), static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1'000)));
    const bool has_ended = files[1].revents != 0;
    const bool goes_on = session.turn() && !interrupts.take() && !has_ended;
    if (goes_on) continue;
    session.end(has_ended);
    return outcome(session, 0);
  }
}

int top(const TopOptions& options) {
  signal(SIGPIPE, SIG_IGN);  // a pipe that is closed is an end in good order
  const Result<TopSettings> settings = settings_of(options);
  if (!settings) {
    say("top: " + settings.message());
    return kUsage;
  }
  std::optional<diagnostics::Process> process = diagnostics::read_process(
      static_cast<pid_t>(std::min<uint64_t>(whole_number(options.pid).value_or(0), INT32_MAX)));
  if (process) diagnostics::read_inside(*process);
  if (process && is_oriel_at_work(*process)) {
    TopSession session(*settings, {program_name(process->command), process->pid}, process->start_ticks);
    return show_log_of(*process, options.hz, session);
  }
  Result<AttachPlan> plan = plan_watching(options.pid, fmt::format("{}.oriel", kCompanionLog), log_options(options.hz));
  if (!plan) {
    say(plan.message());
    return kFailed;
  }
  TopSession session(*settings, {plan->name, plan->live.process.pid}, plan->live.process.start_ticks);
  const int code = watch(*plan, &session);
  return outcome(session, code);
}

}  // namespace

void add_top(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("top", "Show live what a running .NET program does");
  auto options = std::make_shared<TopOptions>();
  set_usage(*sub, "oriel top PID [OPTIONS]");
  sub->add_option("pid", options->pid, "The process; oriel ps lists them")->type_name("PID")->required();
  sub->add_option("--interval", options->interval, "How often to show it anew (default: 2s)")->type_name("TIME");
  sub->add_option("--count", options->count, "End after this many times (default: no end)")
      ->type_name("N")
      ->check(whole_number_check(1));
  sub->add_option("--for", options->duration, "End after this time, such as 30s or 2m (default: no end)")
      ->type_name("TIME");
  sub->add_option("--sample", options->hz,
                  "Sample each thread HZ times per second of its CPU time (default: 100); of no effect where Oriel "
                  "records the program already")
      ->type_name("HZ")
      ->check(whole_number_check(1, 10'000));
  sub->add_flag("--json", options->json, "One JSON object a line (docs/GUIDE.md)");
  sub->footer(kTopFooter);
  sub->callback([options, &exit_code] { exit_code = top(*options); });
}

}  // namespace oriel::cli
