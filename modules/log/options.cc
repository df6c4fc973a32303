#include "options.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "base/text/words.h"
#include "log/event.h"

namespace oriel::logging {
namespace {

using modules::Argument;
using modules::ArgumentKind;
using modules::Arguments;

enum Row : size_t {
  kSample,
  kHz,
  kEvents,
  kCalls,
  kTrivial,
  kAsync,
  kAlloc,
  kAllocIn,
  kAllocStacks,
  kInlining,
  kGcPhases,
  kLocks,
  kCounters,
  kActivities,
  kNoMessages,
  kOut
};
constexpr Argument kTable[] = {
    {.name = "sample", .kind = ArgumentKind::kChoice, .words = "process|cpu|real|none"},
    {.name = "hz",
     .kind = ArgumentKind::kNumber,
     .least = 1,
     .most = ORIEL_MAX_SAMPLE_HZ,
     .note = "a rate is a whole number of samples a second"},
    {.name = "events", .kind = ArgumentKind::kText},
    {.name = "calls", .kind = ArgumentKind::kPatterns},
    {.name = "trivial", .kind = ArgumentKind::kFlag},
    {.name = "async", .kind = ArgumentKind::kPatterns},
    {.name = "alloc", .kind = ArgumentKind::kChoice, .words = "exact|sampled", .if_bare = "exact"},
    {.name = "alloc-in", .kind = ArgumentKind::kPatterns},
    {.name = "alloc-stacks", .kind = ArgumentKind::kFlag},
    {.name = "inlining", .kind = ArgumentKind::kChoice, .words = "keep|block"},
    {.name = "gc-phases", .kind = ArgumentKind::kFlag},
    {.name = "locks", .kind = ArgumentKind::kFlag},
    {.name = "counters", .kind = ArgumentKind::kNames, .if_bare = "System.Runtime"},
    {.name = "activities", .kind = ArgumentKind::kNames, .if_bare = "*"},
    {.name = "no-messages", .kind = ArgumentKind::kFlag},
    {.name = "out", .kind = ArgumentKind::kFile},
};
static_assert(std::size(kTable) == kOut + 1);

// Of the groups of events.def: those that a log has by default, and those that `events=` does not choose: arguments of
// their own do, and those of "full" it has by their kin.
constexpr std::string_view kByDefault[] = {"runtime", "loads", "threads", "gc", "exceptions", "messages"};
constexpr std::string_view kWithArguments[] = {"samples",  "calls",      "allocations", "async",
                                               "counters", "activities", "full"};

// What collections cost more for, and what keeps the runtime from collecting beside the program: not among "all".
constexpr std::string_view kOnlyByName[] = {"moves", "roots", "handles", "queued"};

bool is_one_of(std::string_view group, std::span<const std::string_view> groups) {
  return std::ranges::find(groups, group) != groups.end();
}

// Those that `events=` chooses, in the order of events.def.
std::vector<std::string_view> groups_to_choose() {
  std::vector<std::string_view> groups;
  for (const log::EventDescription& event : log::all_events()) {
    if (!is_one_of(event.group, groups) && !is_one_of(event.group, kWithArguments)) groups.push_back(event.group);
  }
  return groups;
}

void add_group(std::string_view group, EventSet& events) {
  for (const log::EventDescription& event : log::all_events()) {
    if (event.group == group) events.set(event.number);
  }
}

bool has_group(const EventSet& events, std::string_view group) {
  return std::ranges::all_of(log::all_events(), [&](const log::EventDescription& event) {
    return event.group != group || events[event.number];
  });
}

Status add_groups(std::string_view list, EventSet& events) {
  if (list == "none") return Status::ok();
  const std::vector<std::string_view> groups = groups_to_choose();
  while (!list.empty()) {
    const std::string_view name = cut(list, '+');
    bool known = name == "all";
    for (const std::string_view group : groups) {
      if (name != group && (name != "all" || is_one_of(group, kOnlyByName))) continue;
      add_group(group, events);
      known = true;
    }
    if (!known) {
      return Status::error("log: there are no events called '" + std::string(name) + "'; known: " + join(groups, ", ") +
                           ", all, none");
    }
  }
  return Status::ok();
}

void set_sampling(const Arguments& given, Options& options) {
  const std::string& mode = given.value(kSample);
  if (mode == "cpu") options.sample_mode = ORIEL_SAMPLE_PROCESS;
  if (mode == "real") options.sample_mode = ORIEL_SAMPLE_REAL;
  if (mode == "none") options.sample_mode = ORIEL_SAMPLE_NONE;
  if (given.given(kHz)) options.hz = static_cast<uint32_t>(std::atoi(given.value(kHz).c_str()));
}

Status set_events(const Arguments& given, Options& options) {
  if (given.given(kGcPhases)) {
    add_group("gc", options.events);
    add_group("phases", options.events);
  }
  if (given.given(kEvents)) {
    if (Status status = add_groups(given.value(kEvents), options.events); !status) return status;
  } else {
    for (const std::string_view group : kByDefault) add_group(group, options.events);
  }
  if (given.given(kLocks)) add_group("locks", options.events);
  const bool samples_waits =
      options.sample_mode == ORIEL_SAMPLE_PROCESS_AND_WAITS || options.sample_mode == ORIEL_SAMPLE_REAL;
  options.locks_when_seen = samples_waits && !given.given(kEvents) && !has_group(options.events, "locks");
  options.allocations_when_grown = !given.given(kEvents) && !given.given(kAlloc) && !given.given(kAllocIn);
  options.phases_when_paused = !given.given(kEvents) && !given.given(kGcPhases);
  if (given.given(kNoMessages)) options.events.reset(oriel_event_exception_message);
  return Status::ok();
}

Status set_patterns(const std::string& text, std::optional<MethodPatterns>& patterns) {
  auto parsed = MethodPatterns::parse(text);
  if (!parsed) return parsed.status();
  patterns = std::move(*parsed);
  return Status::ok();
}

Status set_allocations(const Arguments& given, Options& options) {
  options.allocations_chosen = given.given(kAllocIn);
  options.allocations_sampled = given.value(kAlloc) == "sampled";
  options.allocation_stacks = given.given(kAllocStacks);
  if (options.allocations_sampled && options.allocations_chosen) {
    return Status::error(given.said(kAlloc) + "=sampled is about the allocations of all code; leave it out, or " +
                         given.name(kAllocIn));
  }
  if (options.allocation_stacks && !given.given(kAlloc) && !options.allocations_chosen) {
    return Status::error(given.said(kAllocStacks) + " is about logged objects; give " + given.name(kAlloc) + " or " +
                         given.name(kAllocIn) + " too");
  }
  if (options.allocations_chosen) return set_patterns(given.value(kAllocIn), options.allocations);
  if (given.given(kAlloc) && !options.allocations_sampled) return set_patterns("*", options.allocations);
  return Status::ok();
}

// Names with commas between them.
std::string names_of(const Arguments& given, Row row) {
  std::string names = given.value(row);
  std::ranges::replace(names, '|', ',');
  return names;
}

Status set_watched(const Arguments& given, Options& options) {
  if (given.given(kCounters)) {
    options.meters = names_of(given, kCounters);
    add_group("counters", options.events);
  }
  if (given.given(kActivities)) {
    options.activities = names_of(given, kActivities);
    add_group("activities", options.events);
  }
  for (const std::string& name : split(options.activities, ',')) {
    if (name != "*" && name.find('*') != std::string::npos)
      return Status::error(given.said(kActivities) + "=" + name +
                           ": the runtime knows sources by their whole names; give these, or none for all");
  }
  return Status::ok();
}

// What calls, awaits and allocations need to be heard of.
void add_probes(Options& options) {
  if (options.calls) add_group("calls", options.events);
  if (options.async) add_group("async", options.events);
  if (options.allocations) options.events.set(oriel_event_gc_allocation);
  if (options.allocations_sampled) options.events |= followed_allocations();
}

}  // namespace

EventSet followed_allocations() {
  EventSet events;
  for (const uint32_t number :
       {oriel_event_gc_allocation_followed, oriel_event_gc_followed_gone, oriel_event_gc_followed_part})
    events.set(number);
  return events;
}

const std::span<const Argument> kArguments = kTable;

std::string event_groups(const EventSet& events) {
  std::vector<std::string_view> groups = groups_to_choose();
  std::erase_if(groups, [&](std::string_view group) { return !has_group(events, group); });
  return groups.empty() ? "none" : join(groups, "+");
}

Result<Options> options_of(const Arguments& given) {
  Options options;
  set_sampling(given, options);
  if (Status status = set_events(given, options); !status) return status;
  if (given.given(kCalls)) {
    if (Status status = set_patterns(given.value(kCalls), options.calls); !status) return status;
  }
  if (given.given(kAsync)) {
    if (Status status = set_patterns(given.value(kAsync), options.async); !status) return status;
  }
  if (Status status = set_allocations(given, options); !status) return status;
  options.trivial_calls = given.given(kTrivial);
  options.block_inlining = given.value(kInlining) == "block";
  add_probes(options);
  if (Status status = set_watched(given, options); !status) return status;
  if (given.given(kOut)) options.out = given.value(kOut);
  return options;
}

Result<Options> parse_options(const std::string& args) {
  Arguments given("log", kArguments);
  if (Status status = given.parse(args); !status) return status;
  return options_of(given);
}

}  // namespace oriel::logging
