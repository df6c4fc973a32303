#include "profile/recorded.h"
#include "log/properties.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace oriel::profile {
namespace {

// The option and patterns that chose methods: "--calls='Shop.*,!*.ToString'".
std::string choice(std::string_view option, std::string patterns) {
  std::replace(patterns.begin(), patterns.end(), '|', ',');
  const bool user_code = patterns.empty() || patterns == "user code";
  return std::string(option) + (user_code ? " (user code)" : "='" + patterns + "'");
}

// Without collections, the runtime may just not have reported samples; it does not mean that little was allocated.
std::string why_none_sampled(const Profile& profile) {
  if (profile.collections.empty()) return "none was sampled: the runtime samples one in about 100 KiB allocated";
  if (is_of_mono(profile))
    return "none was sampled, though there were collections: Mono samples only if the program was started with --alloc";
  return "none was sampled, though there were collections: the runtime reported none; the run's stderr may say why, "
         "and --alloc logs each";
}

}  // namespace

const std::string* property(const log::Intro& intro, std::string_view name) {
  for (const auto& [key, value] : intro.properties)
    if (key == name) return &value;
  return nullptr;
}

std::vector<std::string> property_values(const Profile& profile, std::string_view name) {
  std::vector<std::string> values;
  if (const std::string* first = property(profile.intro, name)) values.push_back(*first);
  const std::string key = std::string(name) + "=";
  for (const OptionChange& change : profile.option_changes)
    for (const std::string& text : change.properties)
      if (text.starts_with(key)) values.push_back(text.substr(key.size()));
  return values;
}

uint64_t number_property(const log::Intro& intro, std::string_view name) {
  uint64_t value = 0;
  if (const std::string* text = property(intro, name))
    std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

uint64_t counter_of(const Profile& profile, std::string_view name) {
  const auto& all = profile.counters;
  const auto found = std::find_if(all.begin(), all.end(), [name](const Counter& c) { return c.name == name; });
  return found == all.end() ? 0 : found->count;
}

double fallback_rate(const log::Intro& intro) {
  const std::string* counter = property(intro, log::property::kCounter);
  constexpr double kUsualTimeStampCounter = 0.4;  // 2.5 GHz
  return counter && *counter == "tsc" ? kUsualTimeStampCounter : 1;
}

std::string imported_from(const Profile& profile) {
  const std::string* kind = property(profile.intro, log::property::kImported);
  if (kind == nullptr) return "";
  if (*kind == "nettrace") return "a .nettrace file";
  if (*kind == "speedscope") return "a speedscope file";
  if (*kind == "moarvm") return "a MoarVM profile";
  return *kind == "perf-script" ? "text of perf script" : "another tool's file";
}

bool is_call_graph(const Profile& profile) {
  return profile.call_total().aggregated || property(profile.intro, log::property::kCallgraphCalls);
}

bool is_coverage(const Profile& profile) {
  return !profile.covered_images.empty() || property(profile.intro, log::property::kCoverage);
}

bool is_version1(const Profile& profile) { return profile.intro.version == log::kVersion1; }

bool has_events(const Profile& profile, std::string_view group) {
  const std::vector<std::string> events = property_values(profile, log::property::kEvents);
  if (events.empty() && is_version1(profile))
    return group == "gc" ? !profile.collections.empty() : group == "exceptions" && !profile.exceptions.empty();
  if (events.empty()) return !is_call_graph(profile) && !is_coverage(profile) && imported_from(profile).empty();
  const std::string part = "+" + std::string(group) + "+";
  return std::ranges::any_of(
      events, [&](const std::string& groups) { return ("+" + groups + "+").find(part) != std::string::npos; });
}

bool is_sampled(const Profile& profile) {
  return profile.unfiltered_periods > 0 ||
         (profile.sampling_mode != "none" && !is_call_graph(profile) && !is_coverage(profile));
}

bool has_waits(const Profile& profile) {
  return !profile.waits.empty() || property(profile.intro, log::property::kSamplingWaits) != nullptr;
}

bool has_calls(const Profile& profile) {
  return profile.call_total().enters > 0 || !property_values(profile, log::property::kCalls).empty() ||
         property(profile.intro, log::property::kCallgraphCalls);
}

bool has_allocations(const Profile& profile) {
  const std::string* counted = property(profile.intro, log::property::kCallgraphAllocations);
  return profile.call_total().allocated > 0 || !property_values(profile, log::property::kAllocations).empty() ||
         (counted && *counted == "yes");
}

bool is_of_mono(const Profile& profile) { return profile.intro.runtime.starts_with("Mono "); }

bool samples_allocations_in_turn(const Profile& profile) {
  constexpr std::string_view kRuntime = "CoreCLR ";
  constexpr unsigned kChoosesAtRandom = 10;
  const std::string& runtime = profile.intro.runtime;
  unsigned major = 0;
  if (!runtime.starts_with(kRuntime)) return false;
  std::from_chars(runtime.data() + kRuntime.size(), runtime.data() + runtime.size(), major);
  return major != 0 && major < kChoosesAtRandom;
}

std::string why_no_calls(const Profile& profile, std::string_view option) {
  const std::string none = "no calls in this log: ";
  if (const std::string from = imported_from(profile); !from.empty()) return none + from + " has none";
  std::string asked;
  if (const std::string* patterns = property(profile.intro, log::property::kCallgraphCalls))
    asked = choice("--callgraph", *patterns);
  if (const auto patterns = property_values(profile, log::property::kCalls); !patterns.empty())
    asked = choice("--calls", patterns.back());
  // Mono adds to methods as it compiles them.
  const bool may_be_late = is_of_mono(profile) && !property(profile.intro, log::property::kCallgraphCalls) &&
                           !property(profile.intro, log::property::kCalls);
  const char* const but = may_be_late ? ", but for those that Mono had compiled before" : "";
  const bool ends_early = !profile.outcome.ended && profile.state != LogState::kRunning;
  if (!asked.empty() && (ends_early || profile.outcome.corrupt_blocks != 0))
    return none + "it is damaged or ends early, so a method that " + asked + " chooses may have been called";
  if (!asked.empty()) return none + "no method that " + asked + " chooses was called" + but;
  return none + "run the program with oriel run " + std::string(option);
}

std::string why_no_allocations(const Profile& profile) {
  const std::string none = "no allocations in this log: ";
  if (const std::string from = imported_from(profile); !from.empty())
    return none + "it was made of " + from + " that has none" +
           (from == "a .nettrace file" ? "; dotnet-trace records them with --profile gc-verbose" : "");
  if (const std::string* counted = property(profile.intro, log::property::kCallgraphAllocations)) {
    if (*counted == "yes") return none + "the methods that were counted allocated nothing";
    return none + "run the program with oriel run --callgraph --callgraph-alloc";
  }
  const std::vector<std::string> kinds = property_values(profile, log::property::kAllocations);
  if (kinds.empty()) return none + "run the program with oriel run --alloc";
  if (kinds.back() == "sampled") return none + why_none_sampled(profile);
  const std::vector<std::string> in = property_values(profile, log::property::kAllocationsIn);
  if (in.empty() || in.back() == "*") return none + "the program was run with --alloc and allocated nothing";
  return none + "the code that " + choice("--alloc-in", in.back()) + " chooses allocated nothing";
}

std::string why_nothing_sampled(const Profile& profile) {
  const std::string none = "no samples in this log: ";
  if (const std::string from = imported_from(profile); !from.empty())
    return none + "it was made of " + from + " that has none";
  if (is_call_graph(profile))
    return none + "it is a call graph; oriel run --callgraph --sample writes a sampled log beside it";
  if (is_coverage(profile)) return none + "it is a log of coverage; see oriel report coverage";
  if (profile.sampling_mode == "none") return none + "run the program with oriel run --sample";
  return none + "oriel report FILE says why";
}

namespace {

constexpr uint64_t kLateMs = 2000;  // a runtime that starts with Oriel begins its log sooner

// How much of it was user time is not known; it is taken to be the same part as of all.
void leave_out_before(CpuTime& time) {
  const auto part = static_cast<double>(time.before_us) / static_cast<double>(time.user_us + time.system_us);
  const auto user = static_cast<uint64_t>(part * static_cast<double>(time.user_us));
  time.user_us -= std::min(time.user_us, user);
  time.system_us -= std::min(time.system_us, time.before_us - std::min(time.before_us, user));
  time.before_us = 0;
}

}  // namespace

uint64_t began_late_ms(const Profile& profile) {
  const uint64_t age = number_property(profile.intro, log::property::kAge);
  return age > kLateMs ? age : 0;
}

uint64_t recorder_seconds(const Profile& profile) {
  return number_property(profile.intro, log::property::kRecorderSeconds);
}

std::optional<CpuTime> cpu_time(const Profile& profile) {
  const log::ProcessUsage& usage = profile.usage;
  // Caps values of a corrupt log, so that sums do not overflow.
  constexpr uint64_t kMost = uint64_t{1} << 50;
  CpuTime time;
  time.user_us = std::min(usage.user_us, kMost);
  time.system_us = std::min(usage.system_us, kMost);
  const uint64_t all = time.user_us + time.system_us;
  if (all == 0) return std::nullopt;
  for (const Counter& counter : profile.counters)
    if (counter.name == log::counter::kOwnCpu) time.oriel_us = std::min(counter.count, all);
  time.before_us = std::min(number_property(profile.intro, log::property::kCpuBefore), all - time.oriel_us);
  if (began_late_ms(profile) > 0) leave_out_before(time);
  return time;
}

namespace {

// Of the union of the processes' spans, what lies between these times.
int64_t recorded_between(int64_t from_ns, int64_t to_ns, const Profile& profile) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const Process& process : profile.processes)
    spans.emplace_back(process.start_ns,
                       process.start_ns > INT64_MAX - process.wall_ns ? INT64_MAX : process.start_ns + process.wall_ns);
  if (spans.size() < 2) spans = {{0, profile.wall_ns}};
  std::ranges::sort(spans);
  int64_t sum = 0;
  for (const auto& [begin, end] : spans) {
    from_ns = std::max(from_ns, begin);
    const int64_t until = std::min(to_ns, end);
    if (until <= from_ns) continue;
    sum += until - from_ns;
    from_ns = until;
  }
  return sum;
}

}  // namespace

int64_t recorded_ns(const Profile& profile) { return recorded_between(0, INT64_MAX, profile); }

int64_t kept_ns(const Profile& profile) {
  return recorded_between(std::max<int64_t>(profile.filter.from_ns, 0), profile.filter.to_ns, profile);
}

bool tells_early_cpu_time(const Profile& profile) {
  const bool has_end = profile.state == LogState::kComplete || profile.state == LogState::kRunning;
  if (has_end || profile.usages.empty()) return false;
  return profile.usages.back().ns < profile.wall_ns - profile.wall_ns / 10;
}

std::optional<double> cores_busy(const Profile& profile) {
  const std::optional<CpuTime> time = cpu_time(profile);
  const int64_t wall_ns = recorded_ns(profile);
  if (!time || wall_ns <= 0 || tells_early_cpu_time(profile)) return std::nullopt;
  const double busy = static_cast<double>(time->program_us() - time->before_us) * 1000 / static_cast<double>(wall_ns);
  const uint64_t cores = number_property(profile.intro, log::property::kCores);
  if (cores != 0 && busy > static_cast<double>(cores)) return std::nullopt;
  return busy;
}

}  // namespace oriel::profile
