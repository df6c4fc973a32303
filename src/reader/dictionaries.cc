// What rows refer to, as tables.
#include <algorithm>

#include "profile/build/process.h"
#include "profile/state_name.h"
#include "reader/columns.h"

namespace oriel::reader {
namespace {

using profile::Function;
using profile::Node;
using profile::Process;
using profile::Profile;
using profile::Thread;

constexpr oriel_log_type kInteger = oriel_log_type_integer, kText = oriel_log_type_text;

// Row 0 is stack 1: the roots of both trees are none.
bool is_of_calls(const Profile& profile, size_t row) { return row + 1 >= profile.nodes.size(); }
const Node& node_at(const Profile& profile, size_t row) {
  return is_of_calls(profile, row) ? profile.call_nodes[row + 2 - profile.nodes.size()] : profile.nodes[row + 1];
}
const Function& function_at(const Profile& profile, size_t row) { return profile.functions[row + 1]; }

size_t without_root(size_t rows) { return std::max<size_t>(rows, 1) - 1; }

void show_time(int64_t ns, Cell& to) {
  if (ns >= 0) to.set_integer(ns);
}
void show_known(const std::string& text, Cell& to) {
  if (!text.empty()) to.set_view(text);
}

Source stacks_source() {
  Source source{"stacks",
                "a stack: of samples, or a way of logged calls; it is also a part of those that go on from it",
                [](const Profile& p) { return without_root(p.nodes.size()) + without_root(p.call_nodes.size()); }};
  source.columns = {
      {"stack", "number", "its number, from 1", kInteger,
       [](const Profile&, size_t row, Cell& to) { to.set_integer(static_cast<int64_t>(row + 1)); }},
      {"kind", "word", "samples or calls", kText,
       [](const Profile& p, size_t row, Cell& to) { to.set_text(is_of_calls(p, row) ? "calls" : "samples"); }},
      {"parent", "stack: its number in stacks", "the stack without its innermost frame", kInteger,
       [](const Profile& p, size_t row, Cell& to) {
         const uint32_t parent = node_at(p, row).parent;
         show_stack(is_of_calls(p, row) ? number_of_call_stack(p, parent) : parent, to);
       }},
      {"method", "function", "its innermost function", kText,
       [](const Profile& p, size_t row, Cell& to) { show_function(p, node_at(p, row).function, to); }},
      {"module", "text", "the assembly or library that has it", kText,
       [](const Profile& p, size_t row, Cell& to) { show_known(p.functions[node_at(p, row).function].module, to); }},
      {"managed", "flag", "it is .NET code", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(p.functions[node_at(p, row).function].managed); }},
      {"truncated", "flag", "its callers are not known", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(node_at(p, row).truncated); }},
  };
  return source;
}

Source threads_source() {
  Source source{"threads", "a thread", [](const Profile& p) { return p.threads.size(); }};
  source.columns = {
      {"thread", "text", "its name", kText,
       [](const Profile& p, size_t row, Cell& to) { to.set_view(p.threads[row].name); }},
      {"thread_os_id", "number", "its OS id, if it is known", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_os_id(p.threads[row].os_id); }},
      {"managed", "flag", "it runs .NET code", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(p.threads[row].managed); }},
      {"samples", "count", "its sampling periods", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_count(p.threads[row].samples); }},
      {"first", "time, ns since the start of the log", "its first sign of life", kInteger,
       [](const Profile& p, size_t row, Cell& to) { show_time(p.threads[row].first_ns, to); }},
      {"last", "time, ns since the start of the log", "its last", kInteger,
       [](const Profile& p, size_t row, Cell& to) { show_time(p.threads[row].last_ns, to); }},
  };
  return source;
}

Source functions_source() {
  Source source{"functions", "a method, a native function or a type that rows refer to",
                [](const Profile& p) { return without_root(p.functions.size()); }};
  source.columns = {
      {"name", "function", "its name", kText,
       [](const Profile& p, size_t row, Cell& to) { to.set_view(function_at(p, row).name); }},
      {"module", "text", "the assembly or library that has it", kText,
       [](const Profile& p, size_t row, Cell& to) { show_known(function_at(p, row).module, to); }},
      {"managed", "flag", "it is .NET code", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(function_at(p, row).managed); }},
      {"is_type", "flag", "it is a type, of objects", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(function_at(p, row).type); }},
      {"origin", "text", "the project, package or framework that it comes from, if it is known", kText,
       [](const Profile& p, size_t row, Cell& to) { show_known(p.origins[function_at(p, row).origin].name, to); }},
  };
  return source;
}

Source processes_source() {
  Source source{"processes", "the process whose log it is", [](const Profile& p) { return p.processes.size(); }};
  source.columns = {
      {"process", "process", "its name and id", kText,
       [](const Profile& p, size_t row, Cell& to) { to.set_text(process_label(p.processes[row])); }},
      {"pid", "number", "its id, if it is known", kInteger,
       [](const Profile& p, size_t row, Cell& to) {
         if (p.processes[row].pid != 0) to.set_count(p.processes[row].pid);
       }},
      {"command", "text", "its command, if it is known", kText,
       [](const Profile& p, size_t row, Cell& to) { show_known(p.processes[row].command, to); }},
      {"state", "word", "whether the log is whole: complete, running, stopped, unknown", kText,
       [](const Profile& p, size_t row, Cell& to) { to.set_text(profile::state_name(p.processes[row].state)); }},
      {"started", "number", "when its log began, microseconds since the Unix epoch", kInteger,
       [](const Profile& p, size_t, Cell& to) { to.set_integer(p.start_unix_us); }},
      {"lasted", "duration, ns", "from there to the log's last sign", kInteger,
       [](const Profile& p, size_t row, Cell& to) { to.set_integer(p.processes[row].wall_ns); }},
      {"cpu", "duration, ns", "the program's processor time, if it is known", kInteger,
       [](const Profile& p, size_t row, Cell& to) {
         const uint64_t us = p.processes[row].cpu_us;
         if (us != 0) to.set_count(std::min<uint64_t>(us, UINT64_MAX / 1000) * 1000);
       }},
      {"period", "duration, ns", "what a sampling period stands for, if it is known", kInteger,
       [](const Profile& p, size_t, Cell& to) {
         const uint32_t hz = p.sampling_hz;
         if (hz != 0) to.set_integer((1'000'000'000 + hz / 2) / hz);
       }},
  };
  return source;
}

}  // namespace

void add_dictionaries(std::vector<Source>& to) {
  to.push_back(stacks_source());
  to.push_back(threads_source());
  to.push_back(functions_source());
  to.push_back(processes_source());
}

}  // namespace oriel::reader
