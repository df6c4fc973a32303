#include "triggers.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

#include "modules/origin.h"
#include "oriel/oriel.h"
#include "signal_trigger.h"

namespace oriel::log_module {
namespace {

using std::chrono::seconds;

// CPU above a bound counts when it has lasted that long on average.
constexpr seconds kCpuWindow{5};
constexpr seconds kCpuStep{1};

uint64_t process_cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(used.tv_nsec);
}

double usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_known = sched_getaffinity(getpid(), sizeof set, &set) == 0;
  const double count = is_known ? CPU_COUNT(&set) : static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  const double limit = modules::CpuGroup().limit();
  return std::max(0.01, limit > 0 ? std::min(limit, count) : count);
}

// "2.3 s", "150 ms"
std::string time_text(uint64_t ns) {
  char text[32];
  if (ns >= 1'000'000'000)
    std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ns) / 1e9);
  else
    std::snprintf(text, sizeof text, "%.0f ms", static_cast<double>(ns) / 1e6);
  return text;
}

// " in Shop.Pay.Charge(int)": the innermost method of the program's own, otherwise the innermost one; "" if there is
// no stack.
std::string thrown_in(const Triggers::Seen& event) {
  std::string first;
  for (const uintptr_t address : event.stack) {
    oriel_frame frame{};
    oriel_resolve_address(address - 1, event.counter, &frame);
    if (frame.kind != ORIEL_FRAME_MANAGED) continue;
    std::string name = oriel_method_short_name(frame.method);
    if (oriel_class* const klass = oriel_method_class(frame.method))
      name = std::string(oriel_class_name(klass)) + "." + name;
    if (oriel_image* const image = oriel_method_image(frame.method)) {
      oriel_assembly* const assembly = oriel_image_assembly(image);
      const std::string simple = assembly ? oriel_assembly_name(assembly) : "";
      if (modules::origin_of(oriel_image_path(image), simple).kind == log::Origin::kProject) return " in " + name;
    }
    if (first.empty()) first = " in " + name;
  }
  return first;
}

// What an activity's text says, as events.def has it.
struct ActivityText {
  std::string id, source, name, method, path;
};

ActivityText parts_of(std::string_view text) {
  constexpr size_t kId = 1, kSource = 4, kName = 5;
  ActivityText parts;
  for (size_t part = 0; !text.empty(); ++part) {
    const size_t tab = std::min(text.find('\t'), text.size());
    const std::string_view word = text.substr(0, tab);
    const auto value = [&] { return std::string(word.substr(word.find('=') + 1)); };
    if (part == kId) parts.id = word;
    if (part == kSource) parts.source = word;
    if (part == kName) parts.name = word;
    if (part > kName && word.starts_with("http.request.method=")) parts.method = value();
    if (part > kName && word.starts_with("url.path=")) parts.path = value();
    text.remove_prefix(std::min(tab + 1, text.size()));
  }
  return parts;
}

}  // namespace

void Triggers::set(const SaveWhen& when, seconds rest) {
  if (when.signal != when_.signal) watch_signal(when.signal);
  when_ = when;
  rest_ = rest;
  waits_for_events_ = !when.exceptions.empty() || when.pause_ns != 0 || when.request_ns != 0;
  classes_.clear();
  used_.clear();
  if (when.cpu_percent != 0) processors_ = usable_processors();
}

void Triggers::note(Kind kind, SaveCause cause) {
  const Clock::time_point now = Clock::now();
  Clock::time_point& not_before = not_before_[static_cast<size_t>(kind)];
  if (now < not_before) return;
  not_before = now + rest_;
  cause_ = std::move(cause);
}

bool Triggers::is_wanted_class(uint64_t id) {
  const auto known = classes_.find(id);
  if (known != classes_.end()) return known->second;
  oriel_class* const klass = oriel_class_by_id(static_cast<uint32_t>(id));
  return classes_[id] = klass && modules::matches_type(when_.exceptions, oriel_class_name(klass));
}

void Triggers::look_at(const Seen& event) {
  switch (event.number) {
    case oriel_event_exception_throw: {
      if (when_.exceptions.empty() || !is_wanted_class(event.values[0])) return;
      if (Clock::now() < not_before_[static_cast<size_t>(Kind::kException)]) return;
      oriel_class* const klass = oriel_class_by_id(static_cast<uint32_t>(event.values[0]));
      return note(Kind::kException, {"exception", std::string(oriel_class_name(klass)) + " thrown" + thrown_in(event)});
    }
    case oriel_event_resume_end: {
      const uint64_t reason = event.values[0], ns = event.values[1];
      const bool is_collection = reason == ORIEL_SUSPEND_GC || reason == ORIEL_SUSPEND_GC_PREPARE;
      if (when_.pause_ns == 0 || !is_collection || ns < when_.pause_ns) return;
      return note(Kind::kPause, {"pause", "a collection paused the program for " + time_text(ns)});
    }
    case oriel_event_activity_stopped:
      if (when_.request_ns != 0) look_at_activity(event);
      return;
    default:
      return;
  }
}

// The tags of a request come in an event of their own, just before the one that has its duration.
void Triggers::look_at_activity(const Seen& event) {
  constexpr size_t kMostRequests = 1'000;
  const uint64_t ns = event.values[0];
  ActivityText parts = parts_of(event.text);
  if (!parts.method.empty()) {
    if (requests_.size() >= kMostRequests) requests_.clear();
    requests_[parts.id] = parts.method + " " + parts.path;
  }
  if (ns == 0) return;
  const auto request = requests_.extract(parts.id);
  if (ns < when_.request_ns) return;
  const std::string name = request ? request.mapped() : parts.source + " " + parts.name;
  note(Kind::kRequest, {"request", name + " took " + time_text(ns)});
}

void Triggers::watch_cpu(Clock::time_point now) {
  if (!used_.empty() && now - used_.back().when < kCpuStep) return;
  used_.push_back({now, process_cpu_ns()});
  while (used_.size() > 2 && now - used_[1].when >= kCpuWindow) used_.pop_front();
  const auto [since, before] = used_.front();
  if (now - since < kCpuWindow) return;
  const std::chrono::duration<double, std::nano> passed = now - since;
  const double percent = 100 * static_cast<double>(used_.back().ns - before) / (passed.count() * processors_);
  if (percent < when_.cpu_percent) return;
  char text[80];
  std::snprintf(text, sizeof text, "%.0f %% of %.4g processors used over %.0f s", percent, processors_,
                passed.count() / 1e9);
  note(Kind::kCpu, {"cpu", text});
}

std::optional<SaveCause> Triggers::due(Clock::time_point now) {
  if (when_.cpu_percent != 0 && !cause_) watch_cpu(now);
  if (when_.signal != 0 && take_signal("saves nothing any more; use oriel ctl PID save"))
    return SaveCause{"signal", std::string("the signal ") + modules::name_of_signal(when_.signal) + " came"};
  return std::exchange(cause_, std::nullopt);
}

}  // namespace oriel::log_module
