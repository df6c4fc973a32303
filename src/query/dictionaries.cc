// What rows refer to, as tables.
#include <algorithm>

#include "profile/build/process.h"
#include "profile/state_name.h"
#include "profile/work/exception_costs.h"
#include "query/source.h"

namespace oriel::query {
namespace {

using By = Column::By;
using profile::Function;
using profile::Process;
using profile::Thread;

void show_flag(bool flag, sqlite3_context* to) { sqlite3_result_int(to, flag ? 1 : 0); }
void show_or_null(const std::string& text, sqlite3_context* to) {
  if (!text.empty()) show_text(text, to);
}
void show_time(int64_t ns, const Log& log, sqlite3_context* to) {
  if (ns >= 0) sqlite3_result_int64(to, ns > INT64_MAX - log.later_ns ? INT64_MAX : ns + log.later_ns);
}

uint32_t stack_at(size_t row) { return static_cast<uint32_t>(row + 1); }

Source stacks_source() {
  Source source{"stacks",
                "a stack: of samples, or a way of logged calls; it is also a part of those that go on from it",
                {},
                [](const Log& log) -> size_t { return log.stack_count(); }};
  source.columns = {
      {"stack", "number", "its number, from 1", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         sqlite3_result_int64(to, int64_t{log.first_stack} + stack_at(row));
       },
       By::kRow, nullptr, 1},
      {"kind", "word", "samples or calls", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         static const std::string kCalls = "calls", kSamples = "samples";
         show_kept_text(log.is_of_calls(stack_at(row)) ? kCalls : kSamples, to);
       }},
      {"parent", "stack: its number in stacks", "the stack without its innermost frame", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         const uint32_t parent = log.parent(stack_at(row));
         if (parent != 0) sqlite3_result_int64(to, int64_t{log.first_stack} + parent);
       },
       By::kStack, [](const Log& log, size_t row) -> int64_t { return log.parent(stack_at(row)); }},
      {"depth", "count", "how many frames it has", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         sqlite3_result_int64(to, log.facts().depth[stack_at(row)]);
       }},
      {"method", "function", "its innermost function", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_kept_text(log.function(stack_at(row)).name, to); },
       By::kFunction, [](const Log& log, size_t row) -> int64_t { return log.node(stack_at(row)).function; }},
      {"module", "text", "the assembly or library that has it", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_kept_or_null(log.function(stack_at(row)).module, to);
       }},
      {"function", "row, from 0", "the row of functions that its innermost function has: two can have one name", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         const uint32_t function = log.node(stack_at(row)).function;
         if (function != 0) show_count(log.function_rows[function], to);
       }},
      {"own", "flag", "it is the program's own", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_flag(log.facts().function_is_own[log.node(stack_at(row)).function] != 0, to);
       }},
      {"own_method", "function", "the innermost function that is the program's own", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         const uint32_t own = log.facts().own[stack_at(row)];
         if (own != 0) show_kept_text(log.profile().functions[own].name, to);
       },
       By::kFunction, [](const Log& log, size_t row) -> int64_t { return log.facts().own[stack_at(row)]; }},
      {"line", "text", "where it is in that function, as Cart.cs:42, if it is known", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_or_null(log.line(stack_at(row)), to); }},
      {"outermost", "flag", "its callers are other functions: to sum up totals without recursion", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_flag(log.facts().is_outermost[stack_at(row)] != 0, to);
       }},
      {"self", "count", "of samples, sampling periods in it; of calls, nanoseconds", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         sqlite3_result_int64(to, log.facts().self[stack_at(row)]);
       }},
      {"total", "count", "the same with what it called", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         sqlite3_result_int64(to, log.facts().total[stack_at(row)]);
       }},
      {"thrower", "function",
       "the method that throws an exception which is thrown here: not the runtime's own for that, nor one that throws "
       "for others",
       true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         if (log.is_of_calls(stack_at(row))) return;
         const uint32_t node = profile::throwing_node(log.profile(), stack_at(row));
         show_kept_text(log.profile().functions[log.profile().nodes[node].function].name, to);
       }},
      {"used", "flag", "a row of another table has it", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_flag(used_stacks(log)[stack_at(row)] != 0, to); }},
      {.name = "text",
       .is = "text",
       .help = "as stack_text(stack); not part of *",
       .is_text = true,
       .show = [](const Log& log, size_t row, sqlite3_context* to) { show_text(log.text(stack_at(row)), to); },
       .hidden = true},
  };
  return source;
}

Source threads_source() {
  Source source{"threads", "a thread", {}, [](const Log& log) { return log.profile().threads.size(); }};
  source.columns = {
      {"thread", "text", "its name", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_kept_text(log.profile().threads[row].name, to); },
       By::kThread, [](const Log&, size_t row) { return static_cast<int64_t>(row); }},
      {"thread_os_id", "number", "its OS id, if it is known", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_os_id(log.profile().threads[row].os_id, to); }},
      {"managed", "flag", "it runs .NET code", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_flag(log.profile().threads[row].managed, to); }},
      {"samples", "count", "its sampling periods", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_count(log.profile().threads[row].samples, to); }},
      {"first", "time, ns since the start of the log", "its first sign of life", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_time(log.profile().threads[row].first_ns, log, to);
       }},
      {"last", "time, ns since the start of the log", "its last", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_time(log.profile().threads[row].last_ns, log, to); }},
  };
  return source;
}

const Function& function_at(const Log& log, size_t row) { return log.profile().functions[row + 1]; }

Source functions_source() {
  Source source{"functions", "a method, a native function or a type that rows refer to", {}, [](const Log& log) {
                  return std::max<size_t>(log.profile().functions.size(), 1) - 1;
                }};
  source.columns = {
      {"name", "function", "its name", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_kept_text(function_at(log, row).name, to); },
       By::kFunction, [](const Log&, size_t row) { return static_cast<int64_t>(row + 1); }},
      {"module", "text", "the assembly or library that has it", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_kept_or_null(function_at(log, row).module, to); }},
      {"managed", "flag", "it is .NET code", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_flag(function_at(log, row).managed, to); }},
      {"own", "flag", "it is the program's own", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_flag(log.facts().function_is_own[row + 1] != 0, to);
       }},
      {"is_type", "flag", "it is a type, of objects", false,
       [](const Log& log, size_t row, sqlite3_context* to) { show_flag(function_at(log, row).type, to); }},
      {"origin", "text", "the project, package or framework that it comes from, if it is known", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_or_null(log.profile().origins[function_at(log, row).origin].name, to);
       }},
  };
  return source;
}

Source processes_source() {
  Source source{
      "processes", "a process whose log is asked", {}, [](const Log& log) { return log.profile().processes.size(); }};
  source.columns = {
      {"process", "process", "its name and id", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_text(process_label(log.profile().processes[row]), to);
       }},
      {"pid", "number", "its id, if it is known", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         const uint64_t pid = log.profile().processes[row].pid;
         if (pid != 0) sqlite3_result_int64(to, static_cast<int64_t>(pid));
       }},
      {"command", "text", "its command, if it is known", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_or_null(log.profile().processes[row].command, to); }},
      {"file", "text", "its log", true,
       [](const Log& log, size_t row, sqlite3_context* to) { show_text(log.profile().processes[row].file, to); }},
      {"state", "word", "whether the log has its end: complete, running, stopped, unknown", true,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_text(profile::state_name(log.profile().processes[row].state), to);
       }},
      {"damaged", "count", "blocks of the log that are corrupt, and left out", false,
       [](const Log& log, size_t, sqlite3_context* to) { show_count(log.profile().outcome.corrupt_blocks, to); }},
      {"cut", "bytes", "behind its last whole block, and left out", false,
       [](const Log& log, size_t, sqlite3_context* to) { show_count(log.profile().outcome.torn_bytes, to); }},
      {"times_within", "duration, ns",
       "to within which the times of samples and waits are known: of many samples, those of one stack in such a time "
       "are one row; 0: exactly",
       false,
       [](const Log& log, size_t, sqlite3_context* to) { sqlite3_result_int64(to, log.profile().sample_window_ns); }},
      {"start", "time, ns since the start of the log", "when its log began", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         show_time(log.profile().processes[row].start_ns, log, to);
       }},
      {"lasted", "duration, ns", "from there to the log's last sign", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         sqlite3_result_int64(to, log.profile().processes[row].wall_ns);
       }},
      {"cpu", "duration, ns", "the program's processor time, if it is known", false,
       [](const Log& log, size_t row, sqlite3_context* to) {
         const uint64_t us = log.profile().processes[row].cpu_us;
         if (us != 0) show_count(std::min<uint64_t>(us, UINT64_MAX / 1000) * 1000, to);
       }},
      {"period", "duration, ns", "what a sampling period stands for, if it is known", false,
       [](const Log& log, size_t, sqlite3_context* to) {
         const uint32_t hz = log.profile().sampling_hz;
         if (hz != 0) sqlite3_result_int64(to, (1'000'000'000 + hz / 2) / hz);
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

}  // namespace oriel::query
