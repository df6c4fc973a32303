#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "log/properties.h"
#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/work/category.h"
#include "report/aborts.h"
#include "report/call_sums.h"
#include "report/hints/hints.h"
#include "report/marks.h"
#include "report/option_changes.h"
#include "report/paces.h"
#include "report/processes.h"
#include "report/processors.h"
#include "report/shares.h"
#include "report/waiting/async.h"
#include "report/waiting/requests.h"
#include "report/waiting/waits.h"
#include "report/words/function_name.h"
#include "report/words/function_table.h"
#include "report/words/guest_texts.h"
#include "report/words/heap_text.h"
#include "report/words/json.h"
#include "report/words/more.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::began_late_ms;
using profile::counter_of;
using profile::FunctionTotals;
using profile::Profile;

namespace {

constexpr size_t kSummaryRows = 10;
constexpr size_t kLabelWidth = 12;
constexpr const char* kTop = "oriel report top";

// "Label       text  → oriel report top"; nothing if the text is empty.
void write_fact(const Fact& fact, const Options& options, std::ostream& out) {
  if (fact.text.empty()) return;
  const Style style(options.color);
  out << style.dim(pad_right(fact.label, kLabelWidth));
  if (fact.kind == Fact::Kind::kLine) {
    out << cut_middle(fact.text, options.width - kLabelWidth) << '\n';
    return;
  }
  // Wrapped with an indent as wide as the label, which was already written.
  const std::string text =
      wrap_with_more(fact.text, fact.command, std::string(kLabelWidth, ' '), options).substr(kLabelWidth);
  out << (fact.kind == Fact::Kind::kWarning ? style.warning(text) : text);
}

std::string command_text(const Profile& profile) {
  const std::string* command = profile::property(profile.intro, log::property::kCommand);
  return command ? clean(*command) : "not in the log";
}

std::string runtime_text(const Profile& profile) {
  std::string text = clean(profile.intro.runtime);
  const std::string* pid = profile::property(profile.intro, log::property::kPid);
  const std::string* host = profile::property(profile.intro, log::property::kHost);
  if (pid) text += text.empty() ? clean(*pid) : ", process " + clean(*pid);
  if (host) text += fmt::format(" on {}", clean(*host));
  return text;
}

// If the program was killed, crashed or called _exit, it may have run on after its last record.
std::string wall_text(const Profile& profile) {
  const bool stopped = profile.state == profile::LogState::kStopped || profile.state == profile::LogState::kUnknown;
  // Weights that are no time, and logs without a clock.
  const bool may_have_none =
      !profile::imported_from(profile).empty() || profile::is_coverage(profile) || profile::is_version1(profile);
  if (profile.wall_ns == 0 && may_have_none) return "";
  return (stopped ? "at least " : "") + duration(profile.wall_ns) + " wall";
}

uint64_t oriel_periods(const Profile& profile) { return profile.total_periods() - profile::program_periods(profile); }

// Callbacks run on the program's threads; only samples show their cost.
std::string oriel_in_program_text(const Profile& profile) {
  constexpr uint64_t kPart = 50;
  const uint64_t of_oriel = oriel_periods(profile);
  if (profile.sampling_mode != "process" || of_oriel < profile.total_periods() / kPart || of_oriel == 0) return "";
  return fmt::format(" ({} of it in Oriel's callbacks)", time_of(of_oriel, profile));
}

std::string time_text(const Profile& profile) {
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  std::string text = wall_text(profile);
  if (!cpu) return text;
  const auto ns = [](uint64_t us) { return duration(static_cast<int64_t>(us * 1000)); };
  if (profile::tells_early_cpu_time(profile)) {
    const bool is_sampled = profile.sampling_mode == "process" && profile.sampling_hz > 0;
    const uint64_t sampled = is_sampled ? profile.total_periods() * 1'000'000 / profile.sampling_hz : 0;
    return text + fmt::format(", at least {} CPU", ns(std::max(cpu->program_us(), sampled)));
  }
  text += fmt::format(", {} CPU", ns(cpu->program_us())) + oriel_in_program_text(profile);
  if (cpu->oriel_us > 0) text += fmt::format(" + {} in Oriel's threads", ns(cpu->oriel_us));
  text += fmt::format(" ({} user + {} system)", ns(cpu->user_us), ns(cpu->system_us));
  return text + busy_text(profile);
}

std::string memory_text(const Profile& profile) {
  if (profile.usage.max_rss_kb == 0) return "";
  const char* where = profile.processes.size() > 1 ? " peak in one process" : " peak";
  return bytes(profile.usage.max_rss_kb * 1024) + where;
}

std::string code_text(const Profile& profile) {
  std::vector<std::string> parts;
  const profile::CodeCount code = table::sum_of(profile.code_counts);
  if (code.images_loaded > 0) parts.push_back(counted(code.images_loaded, "module", "modules") + " loaded");
  if (code.methods_compiled > 0) parts.push_back(counted(code.methods_compiled, "method", "methods") + " compiled");
  if (code.compilations > code.methods_compiled)
    parts.back() += fmt::format(" ({} compilations, all tiers)", count(code.compilations));
  return fmt::format("{}", fmt::join(parts, ", "));
}

uint64_t sampled_threads(const Profile& profile) {
  return static_cast<uint64_t>(std::count_if(profile.threads.begin(), profile.threads.end(),
                                             [](const profile::Thread& thread) { return thread.samples > 0; }));
}

std::string rate_text(const Profile& profile) {
  const std::string asked = count(profile.sampling_hz);
  const std::string* tick = profile::property(profile.intro, log::property::kSamplingTick);
  return tick ? fmt::format("{} Hz (the kernel's tick; {} requested)", clean(*tick), asked) : asked + " Hz";
}

// A note if waiting threads were observed less often than requested: there were too many, or no processor was free. The
// log does not distinguish these.
std::string looks_text(const Profile& profile) {
  const uint64_t rounds = counter_of(profile, log::counter::kWaitsRounds);
  if (rounds == 0) return "";
  return fmt::format(", waiting threads every {} (limited to 3 % of one processor, and needs an idle one)",
                     duration(static_cast<int64_t>(counter_of(profile, log::counter::kWaitsNs) / rounds)));
}

// Of another tool's file whose weights are no samples.
std::string weights_text(const Profile& profile) {
  const std::string* of = profile::property(profile.intro, log::property::kWeightsOf);
  const uint64_t weight = profile.total_periods();
  const std::string on = ", on " + counted(sampled_threads(profile), "thread", "threads");
  if (!of || *of == "none") return count(weight) + " by the file's weights, whose unit it does not tell" + on;
  if (*of != "time") return count(weight) + " by the file's weights, in " + clean(*of) + on;
  if (profile.sampling_mode == "real") return time_of(weight, profile) + " of real time, waiting included" + on;
  return time_of(weight, profile) + " by the file's weights; whether of processors, it does not tell" + on;
}

std::string imported_text(const Profile& profile) {
  std::string text = profile::imported_from(profile);
  if (text.empty()) return "";
  const std::string* left_out = profile::property(profile.intro, log::property::kImportedLeftOut);
  return "from " + text + (left_out ? "; left out: " + clean(*left_out) : "");
}

std::string samples_text(const Profile& profile) {
  const uint64_t periods = profile.total_periods();
  if (periods == 0) return why_no_samples(profile);
  if (profile::property(profile.intro, log::property::kWeightsOf)) return weights_text(profile);
  std::string text = count(periods);
  if (profile.sampling_mode == "process") text += " of CPU time";
  if (profile.sampling_mode == "real") text += " of real time, waiting included";
  if (profile.sampling_hz > 0) text += ", " + rate_text(profile);
  text += looks_text(profile);
  if (profile.intro.version != log::kVersion1)  // which does not say it
    text += ", on " + counted(sampled_threads(profile), "thread", "threads");
  if (profile.sample_window_ns > 0)
    text += fmt::format("; their times to within {} (closer with --from and --to)", duration(profile.sample_window_ns));
  const uint64_t of_oriel = oriel_periods(profile);
  return of_oriel > 0 ? text + fmt::format("; {} in Oriel", count(of_oriel)) : text;
}

std::string logged_calls_text(const Profile& profile) {
  if (profile.call_total().enters == 0) return "";
  const std::string running = running_text(profile);
  return calls_text(profile) + (running.empty() ? "" : "; " + running);
}

std::string logged_allocations_text(const Profile& profile) {
  return profile.call_total().allocated > 0 ? allocations_text(profile) : "";
}

std::string summary_probes_text(const Profile& profile) {
  std::string text = instrumented_text(profile);
  if (const std::string took = probes_took(profile); !took.empty())
    text += fmt::format("{}{}, which is subtracted from the times of calls", text.empty() ? "" : "; probes ", took);
  return text;
}

std::string gc_text(const Profile& profile) {
  if (!profile::has_events(profile, "gc")) return "";
  const profile::GcTotals totals = profile::gc_totals(profile);
  if (totals.count == 0) return profile.filter.has_time() ? "no collections in this part of the log" : "no collections";
  std::vector<std::string> parts;
  for (const auto& [generation, of_it] : totals.by_generation)
    parts.push_back(fmt::format("{} gen {}", count(of_it.count), generation));
  std::string text = fmt::format("{}: {}", counted(totals.count, "collection", "collections"), fmt::join(parts, ", "));
  if (totals.induced > 0) text += fmt::format("; {} induced", count(totals.induced));
  return text;
}

std::string pauses_text(const Profile& profile) {
  if (!profile::has_events(profile, "gc")) return "";
  const profile::GcTotals totals = profile::gc_totals(profile);
  if (totals.count == 0) return "";
  if (totals.pause_ns == 0) return "none logged";
  return fmt::format("{} in total, {} of wall time; longest {} at {}", duration(totals.pause_ns),
                     percent(static_cast<uint64_t>(totals.pause_ns), static_cast<uint64_t>(profile::kept_ns(profile))),
                     duration(totals.longest_ns), moment(totals.longest_at_ns));
}

std::string exceptions_text(const Profile& profile) {
  constexpr size_t kTypes = 4;
  if (!profile::has_events(profile, "exceptions")) return "";
  uint64_t thrown = 0;
  for (const profile::ExceptionType& entry : profile.exceptions) thrown += entry.thrown;
  if (profile.exceptions.empty()) return "none thrown";
  std::vector<std::string> parts;
  for (const profile::ExceptionType& entry : profile.exceptions) {
    if (parts.size() == kTypes) break;
    parts.push_back(fmt::format("{} {}", count(entry.thrown), fit_name(entry.type, 60)));
  }
  const size_t more = profile.exceptions.size() - parts.size();
  if (more > 0) parts.push_back(counted(more, "other type", "other types"));
  // They are added up by type, without their times and threads.
  const char* const where = is_part(profile) ? " in the whole log" : "";
  return fmt::format("{} thrown{}: {}", count(thrown), where, fmt::join(parts, ", "));
}

std::vector<std::string> lost_texts(const Profile& profile) {
  std::vector<std::string> texts = loss_sentences(profile);
  if (profile.call_total().gaps > 0) texts.push_back(unpaired_sentences(profile).front());
  return texts;
}

std::vector<std::string> problem_texts(const Profile& profile) {
  constexpr size_t kProblems = 3;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(kProblems, profile.problems.size()); ++i) texts.push_back(clean(profile.problems[i]));
  if (profile.problems.size() > kProblems)
    texts.push_back(fmt::format("and {} more; --json lists them", profile.problems.size() - kProblems));
  return texts;
}

struct TopTotals {
  std::vector<FunctionTotals> functions;
  size_t skipped = 0;
};

TopTotals top_totals(const std::vector<FunctionTotals>& all, const Profile& profile, const Options& options) {
  const std::vector<bool> telling = significant_functions(all, profile);
  TopTotals result;
  for (const FunctionTotals& entry : most_total_first(all, profile, options)) {
    if (result.functions.size() == rows(options, kSummaryRows)) break;
    if (telling[entry.function]) {
      result.functions.push_back(entry);
    } else {
      ++result.skipped;
    }
  }
  return result;
}

void write_top_functions(const Profile& profile, const std::map<uint32_t, ShownLine>& lines, const Options& options,
                         std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  const std::vector<FunctionTotals> all = profile::function_totals(profile);
  out << '\n';
  write_function_table(top_by_self(all, rows(options, kSummaryRows)), Order::kSelf, whole, profile, options, kTop,
                       lines, out);
  const TopTotals totals = top_totals(all, profile, options);
  out << '\n';
  write_function_table(totals.functions, Order::kTotal, whole, profile, options, kTop, lines, out);
  if (totals.skipped > 0)
    write_note(
        fmt::format("Hidden by total: {} (pass-through or unnamed).", counted(totals.skipped, "method", "methods")),
        options, out);
}

// For logs without samples.
void write_top_calls(const Profile& profile, const Options& options, std::ostream& out) {
  std::vector<profile::MethodCalls> methods = profile::method_calls(profile);
  if (methods.empty()) return;
  out << '\n';
  methods.resize(std::min(methods.size(), rows(options, kSummaryRows)));
  write_method_table(methods, profile::sum_calls(profile).self_ns, profile, options, out);
}

// The answers: where the time went, what to do about it, and where in own code.
void write_answers(const Profile& profile, const std::map<uint32_t, ShownLine>& lines, const Options& options,
                   std::ostream& out) {
  if (profile.total_periods() > 0)
    write_fact({"Spent in", shares_text(profile), Fact::Kind::kText, "oriel report shares"}, options, out);
  for (const Fact& fact : wait_facts(profile, options)) write_fact(fact, options, out);
  for (const Hint& hint : hints(profile))
    write_fact({"Hint", hint.text, Fact::Kind::kText, hint.command}, options, out);
  if (profile.total_periods() == 0) return;
  out << '\n';
  write_own_methods(profile, rows(options, kSummaryRows), lines, options, kTop, out);
}

constexpr std::string_view kEnded = "Ended";  // label of the fact that comes first

std::vector<Fact> ends(const Profile& profile) {
  std::vector<Fact> facts;
  for (std::string& text : abort_texts(profile))
    facts.push_back({kEnded.data(), std::move(text), Fact::Kind::kWarning, "oriel report exceptions"});
  return facts;
}

void write_summary(const Profile& profile, const Options& options, std::ostream& out) {
  for (const Fact& fact : ends(profile)) write_fact(fact, options, out);
  const bool sampled = profile.total_periods() > 0;
  const std::map<uint32_t, ShownLine> lines =
      sampled ? hottest_own_lines(profile, options) : std::map<uint32_t, ShownLine>();
  write_answers(profile, lines, options, out);
  for (const Fact& fact : summary_facts(profile))
    if (fact.label != kEnded) write_fact(fact, options, out);
  sampled ? write_top_functions(profile, lines, options, out) : write_top_calls(profile, options, out);
}

Json losses_json(const Profile& profile) {
  Json json = Json::object();
  for (const profile::Lost& lost : profile.lost) json[lost.reason] = lost.count;
  return json;
}

Json exceptions_sums_json(const Profile& profile) {
  Json json = Json::array();
  for (const profile::ExceptionType& entry : profile.exceptions)
    json.push_back({{"type", entry.type}, {"thrown", entry.thrown}, {"caught", entry.caught}});
  return json;
}

// Here and below, null means not recorded; 0 means recorded, but none.
Json recorded(bool was, uint64_t value) { return was ? Json(value) : Json(); }

Json cpu_json(const Profile& profile) {
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  if (!cpu) return {};
  const std::optional<double> busy = profile::cores_busy(profile);
  return {{"user_us", cpu->user_us},
          {"system_us", cpu->system_us},
          {"oriel_us", cpu->oriel_us},
          {"cores_busy", busy ? Json(*busy) : Json()}};
}

Json samples_json(const Profile& profile) {
  if (!profile::is_sampled(profile)) return {};
  return {{"mode", profile.sampling_mode},
          {"hz", profile.sampling_hz},
          {"periods", profile.total_periods()},
          {"threads", sampled_threads(profile)},
          {"times_within_ns", profile.sample_window_ns}};
}

Json functions_json(const std::vector<FunctionTotals>& functions, const Profile& profile) {
  if (!profile::is_sampled(profile)) return {};
  Json json = Json::array();
  const uint64_t whole = profile.total_periods();
  for (const FunctionTotals& entry : functions) json.push_back(totals_json(entry, profile, whole));
  return json;
}

void summary_json(const Profile& profile, const Options& options, Json& json) {
  json["runtime"] = profile.intro.runtime;
  json["properties"] = Json::object();
  for (const auto& [key, value] : profile.intro.properties) json["properties"][key] = value;
  if (profile.processes.size() > 1) json["processes"] = processes_json(profile);
  json["start_unix_us"] = profile.start_unix_us > 0 ? Json(profile.start_unix_us) : Json();
  json["wall_ns"] = profile.wall_ns;
  json["cpu"] = cpu_json(profile);
  json["processors"] = processors_json(profile);
  json["max_rss_kb"] = recorded(profile.usage.max_rss_kb > 0, profile.usage.max_rss_kb);
  const profile::CodeCount code = table::sum_of(profile.code_counts);
  const bool jit = profile::has_events(profile, "jit") || code.compilations > 0;
  const bool loads = profile::has_events(profile, "loads") || code.images_loaded > 0;
  json["images_loaded"] = recorded(loads, code.images_loaded);
  json["methods_compiled"] = recorded(jit, code.methods_compiled);
  json["compilations"] = recorded(jit, code.compilations);
  json["samples"] = samples_json(profile);
  json["calls"] = profile::has_calls(profile) ? call_sums_json(profile) : Json();
  json["allocations"] = profile::has_allocations(profile) ? allocation_sums_json(profile) : Json();
  json["counters"] = Json::object();
  for (const profile::Counter& counter : profile.counters) json["counters"][counter.name] = counter.count;
  json["lost"] = losses_json(profile);
  if (!profile.marks.empty()) json["marks"] = marks_json(profile);
  if (Json changes = option_changes_json(profile); !changes.empty()) json["option_changes"] = std::move(changes);
  if (!profile.paces.empty()) json["paces"] = paces_json(profile);
  json["gc"] = profile::has_events(profile, "gc") ? gc_totals_json(profile) : Json();
  json["exceptions"] = profile::has_events(profile, "exceptions") ? exceptions_sums_json(profile) : Json();
  const bool sampled = profile::is_sampled(profile);
  json["aborts"] = aborts_json(profile);
  json["hints"] = hints_json(profile);
  json["shares"] = sampled ? shares_json(profile) : Json();
  json["waited"] = waited_json(profile);
  json["top_own"] = sampled ? own_methods_json(profile, rows(options, kSummaryRows)) : Json();
  const std::vector<FunctionTotals> all = profile::function_totals(profile);
  json["top_self"] = functions_json(top_by_self(all, rows(options, kSummaryRows)), profile);
  json["top_total"] = functions_json(top_totals(all, profile, options).functions, profile);
  json["incomplete"] = incomplete_sentences(profile);
  json["problems"] = profile.problems;
  if (profile.total_periods() == 0) json["note"] = why_no_samples(profile);
}

std::string began_text(const Profile& profile) {
  const std::string when = date(profile.start_unix_us);
  const uint64_t late = began_late_ms(profile);
  return late == 0 ? when
                   : fmt::format("from {}, {} after the program's start", when,
                                 duration(static_cast<int64_t>(late) * 1'000'000));
}

// "the last 41 s of the 60 s asked for, as 64.0 MB were full"
std::string recorder_text(const Profile& profile) {
  const uint64_t seconds = profile::recorder_seconds(profile);
  if (seconds == 0) return "";
  if (profile::counter_of(profile, log::counter::kRecorderFull) == 0)
    return fmt::format("holds the last {} s", seconds);
  return fmt::format("held the last {} of the {} s asked for, as {} were full", duration(profile.wall_ns), seconds,
                     bytes(profile::number_property(profile.intro, log::property::kRecorderBytes)));
}

}  // namespace

std::vector<Fact> wait_facts(const Profile& profile, const Options& options) {
  std::vector<Fact> facts = {
      {"Waited", waited_text(profile), Fact::Kind::kText, "oriel report waits"},
      {"Awaited", awaits_text(profile, options), Fact::Kind::kText, "oriel report async"},
      {"Requests", requests_text(profile), Fact::Kind::kText, "oriel report requests"},
  };
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

std::vector<Fact> summary_facts(const Profile& profile) {
  constexpr auto kText = Fact::Kind::kText, kLine = Fact::Kind::kLine, kWarning = Fact::Kind::kWarning;
  const char* of_calls = profile.call_total().aggregated ? "oriel report callgraph" : "oriel report calls";
  std::vector<Fact> facts = {
      {"Command", command_text(profile), kLine},
      {profile.intro.runtime.empty() ? "Process" : "Runtime", runtime_text(profile), kLine},
      {"Processes", processes_text(profile), kText, "oriel report processes"},
      {began_late_ms(profile) > 0 ? "Recorded" : "Started", began_text(profile), kLine},
      {"Imported", imported_text(profile)},
      {"Recorder", recorder_text(profile)},
      {"Time", time_text(profile)},
      {"Ready", ready_text(profile)},
      {"Memory", memory_text(profile)},
      {"Code", code_text(profile)},
      {"Samples", samples_text(profile), kText, profile.total_periods() > 0 ? "oriel report threads" : ""},
      {"Calls", logged_calls_text(profile), kText, of_calls},
      {"Allocations", logged_allocations_text(profile), kText, "oriel report alloc"},
      {profile::imported_from(profile).empty() ? "Probes" : "Measuring", summary_probes_text(profile)},
      {"GC", gc_text(profile)},
      {"Heap", heap_text(profile), kText, "oriel report gc"},
      {"Snapshots", heap_snapshots_text(profile), kText, "oriel report heap"},
      {"GC pauses", pauses_text(profile), kText, "oriel report gc"},
      {"Exceptions", exceptions_text(profile), kText, profile.exceptions.empty() ? "" : "oriel report exceptions"},
      {"Marks", marks_text(profile), kText, "oriel report rows marks"},
      {"Options", option_changes_text(profile), kText, "oriel report rows option_changes"},
      {"Budget", paces_text(profile), kText, "oriel report rows paces"},
      {"Shown", filter_sentence(profile), kWarning},
  };
  const auto before_code = std::ranges::find(facts, std::string_view("Code"), &Fact::label);
  std::vector<Fact> guests;
  for (std::string& text : guest_texts(profile)) guests.push_back({"Guest", std::move(text)});
  facts.insert(before_code, guests.begin(), guests.end());
  const char* const by_thread = profile.lost_by_thread.empty() ? "" : "oriel report threads";
  for (std::string& text : lost_texts(profile)) facts.push_back({"Lost", std::move(text), kWarning, by_thread});
  for (std::string& text : incomplete_sentences(profile)) facts.push_back({"Incomplete", std::move(text), kWarning});
  for (std::string& text : problem_texts(profile)) facts.push_back({"Problem", std::move(text), kWarning});
  std::vector<Fact> before = ends(profile);
  facts.insert(facts.begin(), before.begin(), before.end());
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

extern const Report kSummaryReport = {
    .name = "summary",
    .help = "one screen: what ran, CPU and wall time, top methods, GC, exceptions, lost data",
    .options = {&kAllFrames, 1},
    .text = write_summary,
    .json = summary_json,
    .of_methods = true,
};

}  // namespace oriel::report
