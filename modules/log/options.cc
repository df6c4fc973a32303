#include "options.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "base/whole_number.h"
#include "module/output_path.h"

namespace oriel::logging {
namespace {

struct Group {
  std::string_view name;
  bool by_default;
  std::initializer_list<uint32_t> events;
};

const Group kGroups[] = {
    {"runtime", true, {oriel_event_runtime_initialized, oriel_event_runtime_shutdown_begin}},
    {"loads",
     true,
     {oriel_event_domain_loading, oriel_event_domain_loaded, oriel_event_domain_unloading, oriel_event_domain_unloaded,
      oriel_event_assembly_loading, oriel_event_assembly_loaded, oriel_event_assembly_unloading,
      oriel_event_assembly_unloaded, oriel_event_image_loading, oriel_event_image_loaded, oriel_event_image_failed,
      oriel_event_image_unloading, oriel_event_image_unloaded}},
    {"classes",
     false,
     {oriel_event_class_loading, oriel_event_class_loaded, oriel_event_class_failed, oriel_event_class_unloading,
      oriel_event_class_unloaded}},
    {"jit", false, {oriel_event_jit_begin, oriel_event_jit_done, oriel_event_jit_failed}},
    {"threads", true, {oriel_event_thread_started, oriel_event_thread_stopped, oriel_event_thread_name}},
    {"gc",
     true,
     {oriel_event_gc_begin, oriel_event_gc_end, oriel_event_suspend_begin, oriel_event_suspend_end,
      oriel_event_suspend_aborted, oriel_event_resume_begin, oriel_event_resume_end}},
    {"exceptions", true, {oriel_event_exception_throw, oriel_event_exception_clause}},
    {"unwind", false, {oriel_event_exception_unwind}},
};

std::string group_names() {
  std::string names;
  for (const Group& group : kGroups) names += (names.empty() ? "" : ", ") + std::string(group.name);
  return names;
}

void add_group(const Group& group, std::bitset<256>& events) {
  for (const uint32_t number : group.events) events.set(number);
}

Status add_groups(std::string_view list, std::bitset<256>& events) {
  if (list == "none") return Status::ok();
  while (!list.empty()) {
    const size_t plus = list.find('+');
    const std::string_view name = list.substr(0, plus);
    list = plus == std::string_view::npos ? std::string_view{} : list.substr(plus + 1);
    bool known = name == "all";
    for (const Group& group : kGroups) {
      if (name != "all" && name != group.name) continue;
      add_group(group, events);
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
    if (!hz || *hz < 1 || *hz > 10000)
      return Status::error("log: hz=" + std::string(value) + " is no rate; use a whole number from 1 to 10000");
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
  if (options.calls) {
    for (const auto number : {oriel_event_method_enter, oriel_event_method_leave, oriel_event_method_tail_call,
                              oriel_event_method_exception_leave})
      options.events.set(number);
  }
  if (options.allocations) options.events.set(oriel_event_gc_allocation);
  if (options.allocations_sampled) options.events.set(oriel_event_gc_allocation_sampled);
}

}  // namespace

std::string event_groups(const std::bitset<256>& events) {
  std::string groups;
  for (const Group& group : kGroups) {
    if (std::all_of(group.events.begin(), group.events.end(), [&](uint32_t number) { return events[number]; }))
      groups += (groups.empty() ? "" : "+") + std::string(group.name);
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
      if (group.by_default) add_group(group, options.events);
  }
  add_probes(options);
  options.out = modules::expand_path(out);
  return options;
}

}  // namespace oriel::logging
