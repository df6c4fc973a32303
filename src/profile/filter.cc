#include "profile/profile.h"
#include "profile/table/keep.h"
#include "profile/waiting/waits.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace oriel::profile {
namespace {

std::optional<uint64_t> number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// By node index: whether it or one of its callers is in one of the functions.
std::vector<bool> nodes_under(const std::vector<bool>& named, const std::vector<Node>& nodes) {
  std::vector<bool> keep(nodes.size());
  for (size_t i = 1; i < keep.size(); ++i) keep[i] = named[nodes[i].function] || keep[nodes[i].parent];
  return keep;
}

// By function index: whether its name contains `part`.
std::vector<bool> functions_named(const std::string& part, const Profile& profile) {
  std::vector<bool> named(profile.functions.size());
  for (size_t i = 1; i < named.size(); ++i) named[i] = profile.functions[i].name.find(part) != std::string::npos;
  return named;
}

}  // namespace

std::vector<bool> matching_threads(const std::string& wanted, const std::vector<Thread>& threads) {
  if (wanted.empty()) return std::vector<bool>(threads.size(), true);
  const std::optional<uint64_t> os_id = number(wanted);
  const auto is_it = [&](const Thread& thread) { return thread.name == wanted || (os_id && thread.os_id == *os_id); };
  const bool exact = std::any_of(threads.begin(), threads.end(), is_it);
  std::vector<bool> keep(threads.size());
  for (size_t i = 0; i < threads.size(); ++i)
    keep[i] = exact ? is_it(threads[i]) : threads[i].name.find(wanted) != std::string::npos;
  return keep;
}

Status check_thread(const std::string& wanted, const std::vector<Thread>& threads) {
  const std::vector<bool> keep = matching_threads(wanted, threads);
  if (wanted.empty() || std::find(keep.begin(), keep.end(), true) != keep.end()) return Status::ok();
  return Status::error("no thread has \"" + wanted +
                       "\" in its name or as its OS id; oriel report threads FILE lists them");
}

Status check_matches(const Filter& filter, const Profile& profile) {
  if (Status status = check_thread(filter.thread, profile.threads); !status) return status;
  if (filter.from_ns > profile.wall_ns) {
    return Status::error("--from is after the log's end, " + std::to_string(profile.wall_ns / 1'000'000) + "ms");
  }
  if (filter.method.empty()) return Status::ok();
  const std::vector<bool> named = functions_named(filter.method, profile);
  if (std::find(named.begin(), named.end(), true) != named.end()) return Status::ok();
  return Status::error("no method has \"" + filter.method +
                       "\" in its name; oriel report top FILE lists those with most samples");
}

void apply(const Filter& filter, Profile& profile) {
  const std::vector<bool> threads = matching_threads(filter.thread, profile.threads);
  std::vector<bool> named;
  if (!filter.method.empty()) named = functions_named(filter.method, profile);
  const std::vector<bool> nodes = named.empty() ? std::vector<bool>() : nodes_under(named, profile.nodes);
  const std::vector<bool> call_nodes = named.empty() ? std::vector<bool>() : nodes_under(named, profile.call_nodes);
  if (!filter.idle && profile.sampling_mode == "real" && !profile.waits.empty()) {
    const std::vector<bool> idle = idle_nodes(profile);
    std::erase_if(profile.samples.change(), [&](const Sample& sample) { return idle[sample.node]; });
  }
  const bool is_part = filter.from_ns > 0 || filter.to_ns < profile.wall_ns;
  const table::Wanted wanted{filter.from_ns, filter.to_ns, threads, named, nodes, call_nodes};
  each_table([&](const TableName&, auto rows) { table::keep(wanted, is_part, rows_of(profile.*rows)); });
  for (Thread& thread : profile.threads) thread.samples = 0;
  for (Process& process : profile.processes) process.periods = 0;
  for (const Sample& sample : profile.samples) {
    Thread& thread = profile.threads[sample.thread];
    thread.samples += sample.periods;
    if (thread.process < profile.processes.size()) profile.processes[thread.process].periods += sample.periods;
  }
  profile.filter = filter;
}

}  // namespace oriel::profile
