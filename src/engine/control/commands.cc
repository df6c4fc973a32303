#include "engine/control/commands.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "base/monotonic_mutex.h"
#include "engine/attached.h"
#include "engine/engine_thread.h"
#include "engine/filters.h"
#include "engine/lifecycle.h"
#include "engine/messages.h"
#include "engine/modules.h"
#include "engine/profilers.h"
#include "oriel/oriel.h"

namespace oriel::control {
namespace {

using Is = ModuleState::Is;

constexpr int kMostMilliseconds = 50'000;  // the tool waits a little longer
constexpr size_t kMessage = 1024;

MonotonicMutex& one_at_a_time() {
  static auto* const made = new MonotonicMutex;
  return *made;
}

bool suspended = false;  // guarded by one_at_a_time

constexpr std::string_view kChangesCode = "code";

std::string word(const Words& words, size_t index) { return index < words.size() ? words[index] : ""; }

const char* text_of(Is is) {
  switch (is) {
    case Is::kRunning:
      return "running";
    case Is::kStopped:
      return "stopped";
    case Is::kWaiting:
      return "waiting";
    case Is::kWithoutLifecycle:
      break;
  }
  return "loaded";
}

Words line_of_module(const ModuleState& module) {
  return {"module", module.name, text_of(module.is), module.options, module.file, module.details};
}

// Ok where the runtime does what is asked of it. Without profilers there is nothing to ask.
Status applied() {
  if (!first_profiler() || engine_thread::wait_until_applied(kMostMilliseconds)) return Status::ok();
  return Status::error("the runtime has not done so within 50 seconds; it will once it can");
}

Answer answer_of(Status status) { return {std::move(status), {}}; }

std::vector<std::string> modules_that_are(Is is) {
  std::vector<std::string> names;
  for (const ModuleState& module : module_states()) {
    if (module.is == is) names.push_back(module.name);
  }
  return names;
}

// Does the action for a module, or for all that are so. The answer has a line for each, and the first error.
template <typename Action>
Answer for_modules(const std::string& name, Is is, Action action) {
  const std::vector<std::string> names = name.empty() ? modules_that_are(is) : std::vector{name};
  Answer answer;
  for (const std::string& one : names) {
    Status status = action(one);
    if (answer.status) answer.status = std::move(status);
  }
  if (answer.status) answer.status = applied();
  for (const ModuleState& module : module_states()) {
    if (std::ranges::find(names, module.name) != names.end()) answer.lines.push_back(line_of_module(module));
  }
  return answer;
}

Answer status(const Words&) {
  Answer answer;
  answer.lines.push_back({"engine", oriel_version(), std::to_string(getpid()), attached::is_asleep() ? "asleep" : ""});
  for (const ModuleState& module : module_states()) answer.lines.push_back(line_of_module(module));
  oriel_pace pace{};
  oriel_get_sampling_pace(&pace);
  if (pace.limit != 0)
    answer.lines.push_back(
        {"budget", std::to_string(pace.limit), std::to_string(pace.used), std::to_string(pace.pace)});
  std::vector<oriel_guest> guests(oriel_guests(nullptr, 0));
  guests.resize(std::min(guests.size(), oriel_guests(guests.data(), guests.size())));
  for (const oriel_guest& guest : guests)
    answer.lines.push_back({"guest", guest.name, guest.running ? "running" : "stopped"});
  return answer;
}

std::optional<ModuleState> state_of(const std::string& name) {
  const std::vector<ModuleState> modules = module_states();
  const auto found = std::ranges::find(modules, name, &ModuleState::name);
  return found == modules.end() ? std::nullopt : std::optional(*found);
}

// A module that ought not to have started: with it goes the file that it began.
Status unstart(const std::string& name) {
  const auto started = state_of(name);
  Status stopped = call_module(name, "stop");
  if (started && !started->file.empty()) unlink(started->file.c_str());
  return stopped;
}

// A change that needs probes, where the program's code stays as it is, is taken back.
Result<std::string> change_where_possible(const std::string& name, const std::string& set, const std::string& dropped) {
  Runtime* const runtime = current_runtime();
  const char* const of_code = runtime ? runtime->code_obstacle() : nullptr;
  const char* const of_coverage = runtime ? runtime->coverage_obstacle() : nullptr;
  if (!of_code && !of_coverage) return change_module(name, set, dropped);
  const auto before = state_of(name);
  const bool had_filters = has_filters(), had_coverage = has_coverage_filters();
  Result<std::string> told = change_module(name, set, dropped);
  if (!told) return told;
  const char* obstacle = !had_filters && has_filters() ? of_code : nullptr;
  if (!obstacle && !had_coverage && has_coverage_filters()) obstacle = of_coverage;
  if (!obstacle) return told;
  const bool ran = before && before->is == Is::kRunning;
  const Status back = ran ? apply_to_module(name, before->options) : unstart(name);
  return Status::error(back ? obstacle : back.message());
}

// What the runtime leaves out of calls that are chosen while the program runs.
void note_late_calls(const std::string& set, bool had_calls, Answer& answer) {
  const bool are_new = has_call_filters() && (!had_calls || set.find("calls") != std::string::npos);
  const char* const left_out = are_new ? oriel_event_obstacle(oriel_event_method_enter) : nullptr;
  if (answer.status && left_out) answer.lines.push_back({"note", left_out});
}

Answer start(const Words& words) {
  const bool had_calls = has_call_filters();
  std::vector<std::string> notes;
  Answer answer = for_modules(word(words, 1), Is::kWaiting, [&](const std::string& name) {
    const Result<std::string> told = change_where_possible(name, word(words, 2), word(words, 3));
    if (told && !told->empty()) notes.push_back(*told);
    return told ? Status::ok() : told.status();
  });
  for (const std::string& note : notes) answer.lines.push_back({"note", note});
  note_late_calls(word(words, 2), had_calls, answer);
  return answer;
}

Answer set(const Words& words) {
  const auto module = state_of(words[1]);
  if (!module || module->is != Is::kRunning)
    return answer_of(Status::error("the module '" + words[1] + "' does not run; start it"));
  return start(words);
}

Answer call_in_modules(const Words& words) {
  return for_modules(word(words, 1), Is::kRunning,
                     [&](const std::string& name) { return call_module(name, words[0]); });
}

// The answers of modules to an action, a line each that begins with `name`.
Answer of_modules(const Words& words, const char* name, const char* none) {
  const auto answers = answers_of_modules(words[0], word(words, 1), Status::error(none));
  if (!answers) return answer_of(answers.status());
  Answer answer;
  for (const std::string& text : *answers) answer.lines.push_back({name, text});
  return answer;
}

Answer save(const Words& words) {
  return of_modules(words, "saved", "no flight recorder runs; begin one: oriel ctl PID start recorder=60s");
}

Answer snapshot(const Words&) {
  return of_modules({"snapshot", "request"}, "snapshot", "no log is written; begin one: oriel ctl PID start log");
}

Answer mark(const Words& words) {
  return oriel_mark(words[1].c_str()) != 0
             ? Answer{}
             : answer_of(Status::error("nothing listens to marks; start the log module first"));
}

Answer load_a_module(const Words& words) {
  const bool had_calls = has_call_filters();
  if (Status status = load_module(words[1]); !status) return answer_of(std::move(status));
  Answer answer = answer_of(applied());
  note_late_calls("", had_calls, answer);
  return answer;
}

Answer load_a_guest(const Words& words) {
  char message[kMessage] = "";
  return answer_of(oriel_guest_add(words[1].c_str(), message, sizeof message) == 0 ? Status::ok()
                                                                                   : Status::error(message));
}

Answer watch(const Words&) {
  Answer answer = answer_of(attached::watch());
  if (attached::number() == 0) return answer;
  for (const std::string& message : take_messages()) answer.lines.push_back({"said", message});
  if (const auto stopped = attached::stopped_program()) answer.lines.push_back({"stopped", std::to_string(*stopped)});
  return answer;
}

Answer attach(const Words& words) { return answer_of(attached::again(words[1], word(words, 2) == kChangesCode)); }

Answer detach(const Words&) { return answer_of(attached::detach()); }

struct Command {
  std::string_view name;
  size_t least, most;  // words behind it
  Answer (*run)(const Words& words);
  bool always = false;        // beside others, and while the process ends
  bool while_asleep = false;  // also of an engine that has stayed and does nothing
};

constexpr Command kCommands[] = {
    {"status", 0, 0, status, false, true},
    {"start", 0, 3, start},
    {"set", 2, 3, set},
    {"stop", 0, 1, call_in_modules},
    {"flush", 0, 1, call_in_modules},
    {"rotate", 0, 1, call_in_modules},
    {"save", 0, 1, save},
    {"snapshot", 0, 0, snapshot},
    {"mark", 1, 1, mark},
    {"load-module", 1, 1, load_a_module},
    {"load-guest", 1, 1, load_a_guest},
    {"watch", 0, 0, watch, true, true},
    {"attach", 1, 2, attach, false, true},
    {"detach", 0, 0, detach, true, true},
};

// Waits for what is being done.
void set_suspended(bool wanted) {
  while (!is_ending()) {
    const std::unique_lock guard(one_at_a_time(), std::chrono::milliseconds(50));
    if (!guard) continue;
    suspended = wanted;
    return;
  }
}

}  // namespace

Answer execute(const Words& words) {
  const auto command = std::ranges::find(kCommands, words.empty() ? "" : words[0], &Command::name);
  if (command == std::end(kCommands))
    return answer_of(Status::error("the engine knows no command '" + word(words, 0) + "'"));
  if (words.size() - 1 < command->least || words.size() - 1 > command->most)
    return answer_of(Status::error("the command '" + words[0] + "' has too few words, or too many"));
  if (command->always) return command->run(words);
  const std::unique_lock guard(one_at_a_time(), std::chrono::milliseconds(kMostMilliseconds));
  if (!guard) return answer_of(Status::error("another command takes its time; try again"));
  if (is_ending()) return answer_of(Status::error("the process is ending"));
  if (suspended && !command->while_asleep)
    return answer_of(Status::error("its Oriel was attached and has ended; oriel attach begins anew"));
  return command->run(words);
}

void suspend_executing() { set_suspended(true); }

void resume_executing() { set_suspended(false); }

void stop_executing() {
  // Held for good: what is controlled is about to go.
  static_cast<void>(one_at_a_time().try_lock_for(std::chrono::seconds(5)));
}

}  // namespace oriel::control
