#include "options.h"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "base/text/decimal.h"
#include "base/text/time_text.h"
#include "base/text/words.h"
#include "log/event.h"
#include "log/stream.h"
#include "modules/command.h"

namespace oriel::log_module {
namespace {

using modules::Change;
using modules::in;
using modules::Option;
using modules::OptionKind;
using modules::OptionReader;

constexpr Option kRows[] = {
    {.name = "sample",
     .value = in<OptionKind::kChoice, &Options::sample>(),
     .change = Change::kWhileRunning,
     .words = "process|cpu|real|none"},
    {.name = "hz",
     .value = in<OptionKind::kNumber, &Options::hz>(),
     .change = Change::kWhileRunning,
     .least = 1,
     .most = ORIEL_MAX_SAMPLE_HZ,
     .note = "a rate is a whole number of samples a second",
     .option = "--sample",
     .sets = "sample=process",
     .values = "HZ",
     .help = "Sample each thread HZ times per second of its CPU time (default: 250), and observe waiting threads now "
             "and then"},
    {.option = "--sample-real",
     .takes = "hz",
     .sets = "sample=real",
     .values = "HZ",
     .help = "Sample all threads HZ times per second of real time, including waiting ones"},
    {.option = "--no-waits", .sets = "sample=cpu", .help = "Do not observe waiting threads: sample CPU time only"},
    {.option = "--no-sample", .sets = "sample=none", .help = "Take no samples; log events only"},
    {.name = "events", .value = in<OptionKind::kText, &Options::groups>(), .change = Change::kWhileRunning},
    {.name = "calls",
     .value = in<OptionKind::kPatterns, &Options::calls>(),
     .change = Change::kWhileRunning,
     .option = "--calls",
     .values = "PATTERNS",
     .help = "Log each call of the methods that match PATTERNS, such as 'MyApp.*,!*.ToString' (default: user code, "
             "which is all but the .NET installation's). For very many calls, --callgraph is smaller. Each resumption "
             "of an async method or iterator is a call",
     .is_instrumentation = true},
    {.name = "trivial",
     .value = in<OptionKind::kFlag, &Options::trivial_calls>(),
     .change = Change::kWhileRunning,
     .option = "--calls-trivial",
     .help =
         "With --calls and --callgraph: include methods that only return or set a field, return a constant, or call "
         "one other method of their assembly. By default they are left out unless a pattern names exactly them",
     .is_instrumentation = true},
    {.name = "async",
     .value = in<OptionKind::kPatterns, &Options::async>(),
     .change = Change::kWhileRunning,
     .option = "--async",
     .values = "PATTERNS",
     .help = "Log when each async method that matches PATTERNS starts, waits, resumes and ends (default: user code). "
             "`oriel report async` shows what was awaited, for how long, and what never completed",
     .is_instrumentation = true},
    {.name = "alloc",
     .value = in<OptionKind::kChoice, &Options::allocations_sampled>(),
     .change = Change::kWhileRunning,
     .words = "exact|sampled",
     .if_bare = "exact",
     .option = "--alloc",
     .values = "exact|sampled",
     .help = "exact (default): log each allocated object with its class, size and site; sampled: log one object in "
             "about 100 KiB allocated, with its stack, at far lower cost",
     .is_instrumentation = true},
    {.name = "alloc-in",
     .value = in<OptionKind::kPatterns, &Options::allocations>(),
     .change = Change::kWhileRunning,
     .option = "--alloc-in",
     .values = "PATTERNS",
     .help =
         "Log only objects that the code of these methods allocates (without PATTERNS: user code; without this option: "
         "all code). What new string(…), Activator, Clone and new T() return is allocated by the core library's code",
     .is_instrumentation = true},
    {.name = "alloc-stacks",
     .value = in<OptionKind::kFlag, &Options::allocation_stacks>(),
     .change = Change::kWhileRunning,
     .option = "--alloc-stacks",
     .help = "With --alloc: log each object with its allocation stack, for about 0.3 us per object (--alloc=sampled "
             "always has stacks)",
     .is_instrumentation = true},
    {.name = "alloc-follow",
     .value = in<OptionKind::kNames, &Options::allocations_followed>(),
     .change = Change::kWhileRunning,
     .option = "--alloc-follow",
     .values = "TYPES",
     .help = "Log each object of these types, such as Shop.Order, with its stack, for about 10 us per object, and "
             "follow it until it is collected. `oriel report heap --alive` shows which are still alive, where they "
             "were allocated and how many full "
             "collections they survived. By default a sample of all objects is followed while the heap grows",
     .always_valued = true,
     .is_instrumentation = true},
    {.name = "inlining",
     .value = in<OptionKind::kChoice, &Options::block_inlining>(),
     .change = Change::kWhileRunning,
     .words = "keep|block"},
    {.name = "gc-phases",
     .value = in<OptionKind::kFlag, &Options::gc_phases>(),
     .change = Change::kWhileRunning,
     .option = "--gc-phases",
     .help = "Log from the start how long each collection took to mark (and from which roots), plan, compact and "
             "sweep, why it began, what survived, and the fragmentation. By default this starts once collections have "
             "paused the program for 100 ms in total, as the runtime takes some 25 ms once to start reporting it"},
    {.name = "locks",
     .value = in<OptionKind::kFlag, &Options::locks>(),
     .change = Change::kWhileRunning,
     .option = "--locks",
     .help = "Log waits for locks from the start. By default they are logged from the first one that a sample finds, "
             "as the runtime takes some 30 ms once to start reporting them"},
    {.name = "counters",
     .value = in<OptionKind::kNames, &Options::meters>(),
     .change = Change::kWhileRunning,
     .if_bare = "System.Runtime",
     .option = "--counters",
     .values = "METERS",
     .help = "Log the values of these meters and event counters once a second, such as 'Microsoft.AspNetCore.*' "
             "(default: System.Runtime, the runtime's own). `oriel report counters` shows them over time"},
    {.name = "activities",
     .value = in<OptionKind::kNames, &Options::activities>(),
     .change = Change::kWhileRunning,
     .if_bare = "*",
     .option = "--activities",
     .values = "SOURCES",
     .help = "Log the activities of these sources, given by their full names (default: all): requests, calls to other "
             "servers, database commands. `oriel report requests` shows what the slowest did. HttpClient then adds a "
             "traceparent header"},
    {.name = "no-messages",
     .value = in<OptionKind::kFlag, &Options::no_messages>(),
     .change = Change::kWhileRunning,
     .option = "--no-messages",
     .help = "Leave out the messages of exceptions, which may be private. By default the log has the first three "
             "different ones of each type"},
    {.option = "--inlining",
     .takes = "inlining",
     .values = "keep|block",
     .help = "keep (default): the JIT compiler inlines as usual, and inlined calls are still logged; block: it inlines "
             "none of the logged methods",
     .is_instrumentation = true},
    {.name = "budget",
     .value = in<OptionKind::kText, &Options::budget>(),
     .change = Change::kWhileRunning,
     .option = "--budget",
     .values = "PERCENT",
     .help = "Keep the CPU time of Oriel below this share of the program's (of one processor's while the program uses "
             "less), such as 1%: samples and looks at waiting threads come less often then, and each stands for more. "
             "Not with exact calls and allocations",
     .always_valued = true},
    {.name = "when-full",
     .value = in<OptionKind::kChoice, &Options::when_full>(),
     .change = Change::kWhileRunning,
     .words = "wait|drop-new|drop-old",
     .option = "--when-full",
     .values = "wait|drop-new|drop-old",
     .help = "What a thread does whose calls and allocations come faster than they can be written: wait (default): it "
             "waits, for at most a second, after which they are lost until the log has caught up, and not while a "
             "collection wants to begin; drop-new: it goes on, and they are lost; drop-old: it goes on, and its oldest "
             "ones are lost, or the new ones where it has few. The summary and `oriel report threads` "
             "say what was lost"},
    {.name = "buffer",
     .value = in<OptionKind::kText, &Options::buffer>(),
     .change = Change::kWhileRunning,
     .option = "--buffer",
     .values = "SIZE",
     .help = "Memory for calls and allocations that wait to be written (default: 256MB), of all threads together. "
             "Events may take as much of their own, and are lost beyond",
     .always_valued = true},
    {.name = "compress",
     .value = in<OptionKind::kChoice, &Options::compress>(),
     .words = "auto|none|all",
     .option = "--compress",
     .values = "auto|none|all",
     .help =
         "What of the log is compressed. auto (default): all, but calls and objects only while the log's thread has "
         "a processor to itself; none; all: the log is smallest, and threads may wait for it to be written"},
    {.name = "rotate",
     .value = in<OptionKind::kText, &Options::rotate>(),
     .change = Change::kWhileRunning,
     .option = "--rotate",
     .values = "SIZE[/TIME]",
     .help = "Begin the next file of the log when this one has the size, such as 100MB, or the age, such as 1h, or "
             "either: 100MB/1h. Each file can be read alone; the next one of Shop.oriel is Shop-2.oriel",
     .always_valued = true},
    {.name = "keep",
     .value = in<OptionKind::kNumber, &Options::keep>(),
     .change = Change::kWhileRunning,
     .least = 1,
     .most = 100'000,
     .note = "files to keep, with the current one, are a whole number",
     .option = "--keep",
     .values = "FILES",
     .help = "With --rotate: remove the oldest files of the log that this process has written, so that at most this "
             "many stay (default: all stay). With --recorder: likewise those that it saved (default: 10)",
     .always_valued = true},
    {.name = "recorder",
     .value = in<OptionKind::kText, &Options::recorder>(),
     .change = Change::kWhileRunning,
     .option = "--recorder",
     .values = "TIME[/SIZE]",
     .help = "Flight recorder: the log's file holds only the last TIME, such as 60s, in at most SIZE (default: 64MB), "
             "also after a crash. `oriel ctl PID save` and the options --on-… save that as a log of its own",
     .always_valued = true},
    {.name = "on-signal",
     .value = in<OptionKind::kChoice, &Options::on_signal>(),
     .change = Change::kWhileRunning,
     .words = "USR1|USR2",
     .option = "--on-signal",
     .values = "USR1|USR2",
     .help = "With --recorder: save when this signal comes, besides what the program does then"},
    {.name = "on-exception",
     .value = in<OptionKind::kNames, &Options::on_exception>(),
     .change = Change::kWhileRunning,
     .option = "--on-exception",
     .values = "TYPES",
     .help = "With --recorder: save when an exception of one of these types is thrown, such as TimeoutException or "
             "'Shop.*'; at most once in the recorder's time, as with all that follow",
     .always_valued = true},
    {.name = "on-cpu",
     .value = in<OptionKind::kText, &Options::on_cpu>(),
     .change = Change::kWhileRunning,
     .option = "--on-cpu",
     .values = "PERCENT",
     .help = "With --recorder: save when the process has used this share of the processors that it may use for 5 s, "
             "such as 80%",
     .always_valued = true},
    {.name = "on-pause",
     .value = in<OptionKind::kText, &Options::on_pause>(),
     .change = Change::kWhileRunning,
     .option = "--on-pause",
     .values = "TIME",
     .help = "With --recorder: save when a garbage collection has paused the program for this long, such as 100ms",
     .always_valued = true},
    {.name = "on-request",
     .value = in<OptionKind::kText, &Options::on_request>(),
     .change = Change::kWhileRunning,
     .option = "--on-request",
     .values = "TIME",
     .help = "With --recorder: save when a request to ASP.NET Core has taken this long, such as 2s; with --activities: "
             "an activity of these sources",
     .always_valued = true},
    {.name = "heap",
     .value = in<OptionKind::kText, &Options::heap>(),
     .change = Change::kWhileRunning,
     .if_bare = "on-exit",
     .option = "--heap",
     .values = "WHEN",
     .help = "Put snapshots of the heap into the log: on-exit (default), every=60s, on-growth=20%, "
             "on-signal=USR2 (or USR1), or several with '+'. "
             "`oriel ctl PID snapshot` takes one at any time. The program is stopped for a few milliseconds, and some "
             "40 ms for each gigabyte; "
             "`oriel report heap` shows who holds what"},
    {.name = "out", .value = in<OptionKind::kFile, &Options::out>()},
};

static_assert(std::size(kRows) <= modules::kMostOptions);

// Groups of events.def that a log has by default, and groups that `events=` does not choose: they have options of their
// own, or (those of "full") come with related events.
constexpr std::string_view kByDefault[] = {"runtime", "loads", "threads", "gc", "exceptions", "messages"};
constexpr std::string_view kWithArguments[] = {"samples",  "calls",      "allocations", "async",
                                               "counters", "activities", "full"};

// Groups that make collections slower, or prevent background collections: not part of "all".
constexpr std::string_view kOnlyByName[] = {"moves", "roots", "handles", "queued"};

bool is_one_of(std::string_view group, std::span<const std::string_view> groups) {
  return std::ranges::find(groups, group) != groups.end();
}

// The groups that `events=` can choose, in the order of events.def.
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

Status set_events(const OptionReader& read, Options& options) {
  const bool chosen = read.is_given("events");
  if (options.gc_phases) {
    add_group("gc", options.events);
    add_group("phases", options.events);
  }
  if (Status status = add_groups(options.groups, options.events); !status) return status;
  if (!chosen) {
    for (const std::string_view group : kByDefault) add_group(group, options.events);
  }
  if (options.locks) add_group("locks", options.events);
  const bool samples_waits =
      options.sample_mode == ORIEL_SAMPLE_PROCESS_AND_WAITS || options.sample_mode == ORIEL_SAMPLE_REAL;
  options.locks_when_seen = samples_waits && !chosen && !has_group(options.events, "locks");
  options.allocations_when_grown =
      !chosen && !read.is_given("alloc") && !options.allocations_chosen && options.allocations_followed.empty();
  options.phases_when_paused = !chosen && !options.gc_phases;
  if (options.no_messages) options.events.reset(oriel_event_exception_message);
  return Status::ok();
}

Status check_allocations(const OptionReader& read, const Options& options) {
  if (options.allocations_sampled && options.allocations_chosen) {
    return Status::error(read.said("alloc") + "=sampled covers the allocations of all code; leave it out, or " +
                         read.name("alloc-in"));
  }
  if (options.allocations_sampled && !options.allocations_followed.empty())
    return Status::error(read.said("alloc") +
                         "=sampled follows objects too, which would count twice; leave it out, or " +
                         read.name("alloc-follow"));
  if (options.allocation_stacks && !read.is_given("alloc") && !options.allocations_chosen) {
    return Status::error(read.said("alloc-stacks") + " applies to logged objects; give " + read.name("alloc") + " or " +
                         read.name("alloc-in") + " too");
  }
  return Status::ok();
}

// Logs the allocations of all code unless patterns were given.
Status choose_all_allocations(const OptionReader& read, Options& options) {
  if (options.allocations_chosen || options.allocations_sampled || !read.is_given("alloc")) return Status::ok();
  auto all = MethodPatterns::parse("*");
  if (!all) return all.status();
  options.allocations = std::move(*all);
  return Status::ok();
}

Status check_activities(const OptionReader& read, const Options& options) {
  for (const std::string& name : split(options.activities, ',')) {
    if (name != "*" && name.find('*') != std::string::npos)
      return Status::error(read.said("activities") + "=" + name +
                           ": the runtime matches sources by their full names; give these, or none for all");
  }
  return Status::ok();
}

// "1%" or "0.5": millionths of the program's CPU time.
Result<uint32_t> parse_budget(const std::string& text) {
  constexpr double kMillionths = 1'000'000;
  const auto [percent, length] = leading_decimal(text);
  const std::string_view unit = std::string_view(text).substr(length);
  const bool whole = length > 0 && (unit.empty() || unit == "%");
  if (!whole || !(percent >= 0.1 && percent <= 50))
    return Status::error("a budget is a share of the program's CPU time, from 0.1% to 50%: 1%");
  return static_cast<uint32_t>(percent * kMillionths / 100 + 0.5);
}

// What counts each call or allocation takes what the program makes of it. Leaving some out would be a wrong count.
Status set_budget(const OptionReader& read, Options& options) {
  if (!read.is_given("budget")) return Status::ok();
  const Result<uint32_t> limit = parse_budget(options.budget);
  if (!limit) return Status::error(read.said("budget") + "=" + options.budget + ": " + limit.message());
  options.budget_limit = *limit;
  options.events.set(oriel_event_sampling_paced);
  const char* const exact = options.calls                           ? "calls"
                            : options.async                         ? "async"
                            : !options.allocations_followed.empty() ? "alloc-follow"
                            : !options.allocations                  ? nullptr
                            : read.is_given("alloc")                ? "alloc"
                                                                    : "alloc-in";
  if (!exact) return Status::ok();
  return Status::error(read.said("budget") + " cannot limit " + read.name(exact) +
                       ", which counts each one, whatever that takes; leave one of them out" +
                       (options.allocations ? ", or sample: " + read.name("alloc") + "=sampled" : ""));
}

Status set_room(const OptionReader& read, Options& options) {
  constexpr uint64_t kLeast = 1'000'000, kMost = 64'000'000'000;
  if (!read.is_given("buffer")) return Status::ok();
  const Result<modules::FileLimits> size = modules::parse_file_limits(options.buffer);
  if (!size || size->time.count() != 0 || size->bytes < kLeast || size->bytes > kMost)
    return Status::error(read.said("buffer") + "=" + options.buffer + ": a size is from 1MB to 64GB: 256MB");
  options.room = size->bytes;
  return Status::ok();
}

Status set_rotation(const OptionReader& read, Options& options) {
  Result<modules::FileLimits> rotation = modules::parse_file_limits(options.rotate);
  const bool is_empty = read.is_given("rotate") && options.rotate.empty();
  if (!rotation || is_empty)
    return Status::error(read.said("rotate") + "=" + options.rotate + ": " +
                         (is_empty ? "a size or a time is missing: 100MB, 1h" : rotation.message()));
  options.rotation = *rotation;
  if (read.is_given("keep") && !rotation->any() && !read.is_given("recorder"))
    return Status::error(read.said("keep") + " applies to a log of several files; give " + read.name("rotate") +
                         " or " + read.name("recorder") + " too");
  return Status::ok();
}

Status set_held(const OptionReader& read, Options& options) {
  constexpr uint64_t kBytes = 64'000'000, kLeast = 1'000'000, kMost = 4'000'000'000;
  Result<modules::FileLimits> held = modules::parse_file_limits(options.recorder);
  const std::string said = read.said("recorder") + "=" + options.recorder;
  if (!held || held->time.count() == 0)
    return Status::error(said + ": a recorder holds a time (s, min, h), and a size if you like: 60s, 60s/64MB");
  if (held->bytes == 0) held->bytes = kBytes;
  if (held->bytes < kLeast || held->bytes > kMost) return Status::error(said + ": its size is from 1MB to 4GB");
  if (read.is_given("rotate"))
    return Status::error(read.said("recorder") + " holds the end of the log in one file; leave out " +
                         read.name("rotate"));
  options.held = *held;
  return Status::ok();
}

// In nanoseconds, not 0.
Result<uint64_t> parse_length(std::string_view text) {
  const auto time = parse_time(text);
  if (!time || time->count() == 0) return not_a_time();
  return static_cast<uint64_t>(time->count());
}

// Reads an option that a recorder saves by.
template <typename Value>
Status read_bound(const OptionReader& read, const char* name, const std::string& text,
                  Result<Value> (*parse)(std::string_view), Value& to) {
  if (!read.is_given(name)) return Status::ok();
  const Result<Value> value = parse(text);
  if (!value) return Status::error(read.said(name) + "=" + text + ": " + value.message());
  to = *value;
  return Status::ok();
}

Status set_recorder(const OptionReader& read, Options& options) {
  for (const char* name : {"on-signal", "on-exception", "on-cpu", "on-pause", "on-request"}) {
    if (read.is_given(name) && !read.is_given("recorder"))
      return Status::error(read.said(name) + " says when a flight recorder saves; give " + read.name("recorder") +
                           "=60s too");
  }
  if (!read.is_given("recorder")) return Status::ok();
  if (Status status = set_held(read, options); !status) return status;
  modules::SaveWhen& when = options.save_when;
  if (read.is_given("on-signal")) when.signal = options.on_signal == modules::SaveSignal::kUsr1 ? SIGUSR1 : SIGUSR2;
  when.exceptions = split(options.on_exception, ',');
  if (read.is_given("on-exception") && when.exceptions.empty())
    return Status::error(read.said("on-exception") + "= names no type");
  Status status = read_bound(read, "on-cpu", options.on_cpu, modules::parse_percent, when.cpu_percent);
  if (status) status = read_bound(read, "on-pause", options.on_pause, parse_length, when.pause_ns);
  if (status) status = read_bound(read, "on-request", options.on_request, parse_length, when.request_ns);
  return status;
}

Status set_heap(const OptionReader& read, Options& options) {
  if (!read.is_given("heap")) return Status::ok();
  const Result<modules::HeapWhen> when = modules::parse_heap_when(options.heap);
  if (!when) return Status::error(read.said("heap") + "=" + options.heap + ": " + when.message());
  if (read.is_given("recorder"))
    return Status::error(read.said("heap") + " does not fit into a flight recorder's file; leave out " +
                         read.name("recorder"));
  options.heap_when = *when;
  return Status::ok();
}

// Marks say why a log was saved.
void add_events_of_recorder(Options& options) {
  if (!options.held.any()) return;
  options.events.set(oriel_event_mark);
  if (!options.save_when.exceptions.empty()) options.events.set(oriel_event_exception_throw);
  if (options.save_when.pause_ns != 0) options.events.set(oriel_event_resume_end);
  if (options.save_when.request_ns != 0 && options.activities.empty()) options.activities = "Microsoft.AspNetCore";
}

// Adds the events that calls, awaits, allocations, counters and activities need.
void add_events_of_their_own(Options& options) {
  if (options.calls) add_group("calls", options.events);
  if (options.async) add_group("async", options.events);
  if (options.allocations) options.events.set(oriel_event_gc_allocation);
  if (options.allocations_sampled) options.events |= followed_allocations();
  // Not the runtime's samples: each object is found as it is allocated.
  if (!options.allocations_followed.empty())
    options.events.set(oriel_event_gc_followed_gone).set(oriel_event_gc_followed_part);
  if (!options.meters.empty()) add_group("counters", options.events);
  if (!options.activities.empty()) add_group("activities", options.events);
}

oriel_sample_mode mode_of(Sample sample) {
  constexpr oriel_sample_mode kModes[] = {ORIEL_SAMPLE_PROCESS_AND_WAITS, ORIEL_SAMPLE_PROCESS, ORIEL_SAMPLE_REAL,
                                          ORIEL_SAMPLE_NONE};
  return kModes[static_cast<size_t>(sample)];
}

std::string text_without_file(Options& options) {
  const auto given = options.given;
  options.given.reset(kTable.index_of(kTable.file()));
  std::string text = modules::text_of(kTable, options);
  options.given = given;
  return text;
}

// Derives the other options; fails if the given ones do not fit together.
Status complete(Options& options, const OptionReader& read) {
  options.text = text_without_file(options);
  options.sample_mode = mode_of(options.sample);
  options.allocations_chosen = read.is_given("alloc-in");
  if (Status status = set_events(read, options); !status) return status;
  if (Status status = check_allocations(read, options); !status) return status;
  if (Status status = set_room(read, options); !status) return status;
  if (Status status = set_rotation(read, options); !status) return status;
  if (Status status = set_recorder(read, options); !status) return status;
  if ((options.rotation.any() || options.held.any()) && log::is_stream(options.out))
    return Status::error(options.out +
                         " is a pipe or a socket, which takes one log from its beginning to its end; leave " +
                         read.name(options.held.any() ? "recorder" : "rotate") + " out");
  if (Status status = set_heap(read, options); !status) return status;
  if (Status status = choose_all_allocations(read, options); !status) return status;
  if (Status status = set_budget(read, options); !status) return status;
  add_events_of_recorder(options);
  add_events_of_their_own(options);
  return check_activities(read, options);
}

Status check(modules::GivenOptions& options, const OptionReader& read) {
  return complete(static_cast<Options&>(options), read);
}

}  // namespace

EventSet followed_allocations() {
  EventSet events;
  for (const uint32_t number :
       {oriel_event_gc_allocation_followed, oriel_event_gc_followed_gone, oriel_event_gc_followed_part})
    events.set(number);
  return events;
}

constexpr modules::OptionTable kTable = {"log", kRows};

std::string event_groups(const EventSet& events) {
  std::vector<std::string_view> groups = groups_to_choose();
  std::erase_if(groups, [&](std::string_view group) { return !has_group(events, group); });
  return groups.empty() ? "none" : join(groups, "+");
}

Result<Options> parse_options(const std::string& text) {
  Options options;
  OptionReader read(kTable, options);
  if (Status status = read.read(text); !status) return status;
  if (Status status = complete(options, read); !status) return status;
  return options;
}

}  // namespace oriel::log_module

extern const oriel::modules::Command command_of_log = {
    .table = oriel::log_module::kTable,
    .make = oriel::modules::make_options<oriel::log_module::Options>,
    .check = oriel::log_module::check,
};
