#include "options.h"

#include <algorithm>
#include <string_view>

#include "base/whole_number.h"
#include "log/event.h"
#include "module/process_info.h"

namespace oriel::logging {
namespace {

// The groups of events.def that `events=` chooses; samples, calls and allocations have arguments of their own.
struct Group {
  std::string_view name;
  bool by_default;
};
constexpr Group kGroups[] = {{"runtime", true}, {"loads", true},      {"classes", false},
                             {"jit", false},    {"threads", true},    {"gc", true},
                             {"phases", false}, {"exceptions", true}, {"unwind", false}};

std::string group_names() {
  std::string names;
  for (const Group& group : kGroups) names += (names.empty() ? "" : ", ") + std::string(group.name);
  return names;
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
  while (!list.empty()) {
    const size_t plus = list.find('+');
    const std::string_view name = list.substr(0, plus);
    list = plus == std::string_view::npos ? std::string_view{} : list.substr(plus + 1);
    bool known = name == "all";
    for (const Group& group : kGroups) {
      if (name != "all" && name != group.name) continue;
      add_group(group.name, events);
      known = true;
    }
    if (!known) {
      return Status::error("log: there are no events called '" + std::string(name) + "'; known: " + group_names() +
                           ", all, none");
    }
  }
  return Status::ok();
}

Status set_patterns(std::string_view value, std::optional<MethodPatterns>& patterns) {
  auto parsed = MethodPatterns::parse(value);
  if (!parsed) return Status::error("log: " + parsed.message());
  patterns = std::move(*parsed);
  return Status::ok();
}

Status set_allocations(std::string_view value, Options& options) {
  if (value == "sampled") {
    options.allocations_sampled = true;
    return Status::ok();
  }
  if (!value.empty() && value != "exact")
    return Status::error("log: alloc=" + std::string(value) + " is unknown; use exact or sampled");
  return options.allocations ? Status::ok() : set_patterns("*", options.allocations);
}

Status set_option(std::string_view key, std::string_view value, Options& options, bool& events_given) {
  if (key == "sample") {
    if (value == "process")
      options.sample_mode = ORIEL_SAMPLE_PROCESS;
    else if (value == "real")
      options.sample_mode = ORIEL_SAMPLE_REAL;
    else if (value == "none")
      options.sample_mode = ORIEL_SAMPLE_NONE;
    else
      return Status::error("log: sample=" + std::string(value) + " is unknown; use process, real or none");
    return Status::ok();
  }
  if (key == "hz") {
    const std::optional<uint64_t> hz = whole_number(value);
    if (!hz || *hz < 1 || *hz > ORIEL_MAX_SAMPLE_HZ)
      return Status::error("log: hz=" + std::string(value) + " is no rate; use a whole number from 1 to " +
                           std::to_string(ORIEL_MAX_SAMPLE_HZ));
    options.hz = static_cast<uint32_t>(*hz);
    return Status::ok();
  }
  if (key == "events") {
    events_given = true;
    return add_groups(value, options.events);
  }
  if (key == "calls") return set_patterns(value, options.calls);
  if (key == "alloc") return set_allocations(value, options);
  if (key == "alloc-in") {
    options.allocations_chosen = true;
    return set_patterns(value, options.allocations);
  }
  if (key == "alloc-stacks") {
    if (!value.empty()) return Status::error("log: alloc-stacks has no value; leave out =" + std::string(value));
    options.allocation_stacks = true;
    return Status::ok();
  }
  if (key == "inlining") {
    if (value != "keep" && value != "block")
      return Status::error("log: inlining=" + std::string(value) + " is unknown; use keep or block");
    options.block_inlining = value == "block";
    return Status::ok();
  }
  return Status::error("log: unknown argument '" + std::string(key) +
                       "'; known: sample, hz, events, calls, alloc, alloc-in, alloc-stacks, inlining, out");
}

// What calls and allocations need to be heard of.
void add_probes(Options& options) {
  if (options.calls) add_group("calls", options.events);
  if (options.allocations) options.events.set(oriel_event_gc_allocation);
  if (options.allocations_sampled) options.events.set(oriel_event_gc_allocation_sampled);
}

}  // namespace

std::string event_groups(const EventSet& events) {
  std::string groups;
  for (const Group& group : kGroups) {
    if (has_group(events, group.name)) groups += (groups.empty() ? "" : "+") + std::string(group.name);
  }
  return groups.empty() ? "none" : groups;
}

Result<Options> parse_options(const std::string& args) {
  Options options;
  std::string_view rest = args;
  std::string_view out = "%n-%p.oriel";
  bool events_given = false;
  while (!rest.empty()) {
    if (rest.substr(0, 4) == "out=") {
      out = rest.substr(4);
      break;
    }
    const size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : item.substr(equals + 1);
    if (Status status = set_option(item.substr(0, equals), value, options, events_given); !status) return status;
  }
  if (options.allocations_sampled && options.allocations) {
    return Status::error(
        "log: alloc=sampled is about the allocations of all code; leave it out, or alloc=exact and alloc-in");
  }
  if (options.allocation_stacks && !options.allocations && !options.allocations_sampled)
    return Status::error("log: alloc-stacks is about allocations; give alloc or alloc-in too");
  if (out.empty()) return Status::error("log: out= names no file");
  if (!events_given) {
    for (const Group& group : kGroups)
      if (group.by_default) add_group(group.name, options.events);
  }
  add_probes(options);
  options.out = modules::expand_for_process(out);
  return options;
}

}  // namespace oriel::logging
