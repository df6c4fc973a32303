#include "report/processors.h"

#include <fmt/format.h>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/work/processors.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Processors;
using profile::Profile;

namespace {

int64_t ran_ns(const Profile& profile) {
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  return cpu ? static_cast<int64_t>(cpu->program_us()) * 1000 : 0;
}

// "0.50 processors", "1 processor"
std::string limit_text(double limit) { return limit == 1 ? "1 processor" : fmt::format("{:.4g} processors", limit); }

std::string throttled_text(const Processors& of) {
  return fmt::format("Its limit of {} throttled it in {} of {} periods ({} in total)", limit_text(of.limit),
                     count(of.throttled), count(of.periods), duration(of.throttled_ns));
}

bool is_throttled(const Processors& of) {
  constexpr uint64_t kOnePartOf = 10;
  return of.limit > 0 && of.throttled > 0 && of.throttled >= of.periods / kOnePartOf;
}

bool is_stolen(const Processors& of, const Profile& profile) {
  constexpr double kShare = 0.1;
  return static_cast<double>(of.stolen_ns) >
         kShare * static_cast<double>(of.machine) * static_cast<double>(profile::recorded_ns(profile));
}

// The main reason for the lack of processors.
enum class Lack { kThrottled, kStolen, kOwnThreads, kUnknown };

Lack lack_of(const Processors& of, const Profile& profile) {
  constexpr double kAll = 0.8;
  if (is_throttled(of)) return Lack::kThrottled;
  if (is_stolen(of, profile)) return Lack::kStolen;
  const std::optional<double> busy = profile::cores_busy(profile);
  return busy && *busy >= kAll * of.most() ? Lack::kOwnThreads : Lack::kUnknown;
}

std::string own_threads_text(const Processors& of) {
  return fmt::format("It had more runnable threads than the {} available", limit_text(of.most()));
}

// The reason, and what helps.
std::string why(const Processors& of, const Profile& profile) {
  switch (lack_of(of, profile)) {
    case Lack::kThrottled:
      return throttled_text(of) +
             ". Raise the limit of its container or control group, or run fewer threads at a time.";
    case Lack::kStolen:
      return fmt::format("The host gave this virtual machine no processor for {} (steal time).",
                         duration(of.stolen_ns));
    case Lack::kOwnThreads:
      return own_threads_text(of) + ": running fewer at a time takes no longer in total, and each waits less.";
    case Lack::kUnknown:
      break;
  }
  const std::optional<double> busy = profile::cores_busy(profile);
  return fmt::format(
      "{}Other programs may have used the processors, so measure on an idle machine. Or many of its "
      "threads were runnable at the same moments{}.",
      busy ? fmt::format("The program used {:.2f} processors on average. ", *busy) : "",
      of.usable > 0 ? "" : ", or it may not run on all processors");
}

// Whether it keeps the whole machine busy with its own threads: then it cannot be faster, except in latency of
// requests.
bool is_as_fast_as_it_can(const Processors& of, const Profile& profile) {
  return lack_of(of, profile) == Lack::kOwnThreads && of.limit <= 0 && profile.activities.empty();
}

}  // namespace

std::string busy_text(const Profile& profile) {
  const std::optional<double> busy = profile::cores_busy(profile);
  if (!busy) return "";
  const Processors of = profile::processors_of(profile);
  if (of.limit > 0 && of.most() == of.limit)
    return fmt::format(", {:.2f} of {:.4g} cores busy, its limit{}", *busy, of.limit,
                       of.machine == 0 ? "" : fmt::format(" (the machine has {})", of.machine));
  return fmt::format(", {:.2f}{} cores busy", *busy, of.machine == 0 ? "" : fmt::format(" of {}", of.machine));
}

std::string ready_text(const Profile& profile) {
  constexpr int64_t kOnePartOf = 10;
  if (profile.filter.has_time()) return "";  // the log has only the sum of the whole run
  const Processors of = profile::processors_of(profile);
  const int64_t ran = ran_ns(profile);
  const bool long_ready = is_significant_time(of.ready_ns, profile) && of.ready_ns >= ran / kOnePartOf;
  if (!long_ready && !(is_throttled(of) && is_significant_time(of.throttled_ns, profile))) return "";
  std::string text;
  if (long_ready)
    text = fmt::format("{} that threads were runnable but had no processor{}. ", duration(of.ready_ns),
                       ran > 0 ? fmt::format(", {:.2g} × the time they ran",
                                             static_cast<double>(of.ready_ns) / static_cast<double>(ran))
                               : "");
  if (long_ready && lack_of(of, profile) == Lack::kOwnThreads) text += own_threads_text(of) + ".";
  if (is_throttled(of)) text += throttled_text(of) + ".";
  return text;
}

std::optional<Hint> processors_hint(const Profile& profile) {
  if (profile.filter.has_time()) return std::nullopt;
  const Processors of = profile::processors_of(profile);
  const int64_t ran = ran_ns(profile);
  const bool most = ran > 0 && of.ready_ns >= ran && is_significant_time(of.ready_ns, profile);
  const bool stopped = is_throttled(of) && is_significant_time(of.throttled_ns, profile);
  if ((!most && !stopped) || is_as_fast_as_it_can(of, profile)) return std::nullopt;
  std::string text = of.ready_ns > 0 ? fmt::format("Threads were runnable but had no processor for {} in total. ",
                                                   duration(of.ready_ns))
                                     : "";
  return Hint{is_throttled(of) ? "limit" : "processors", 0, text + why(of, profile), "oriel report threads",
              is_throttled(of)};
}

Json processors_json(const Profile& profile) {
  const Processors of = profile::processors_of(profile);
  const auto if_limited = [&](const Json& value) { return of.limit > 0 ? value : Json(); };
  return {{"machine", of.machine == 0 ? Json() : Json(of.machine)},
          {"usable", of.usable == 0 ? Json() : Json(of.usable)},
          {"limit", if_limited(of.limit)},
          {"ready_ns", profile::has_waits(profile) ? Json(of.ready_ns) : Json()},
          {"periods", if_limited(of.periods)},
          {"throttled", if_limited(of.throttled)},
          {"throttled_ns", if_limited(of.throttled_ns)},
          {"stolen_ns", of.stolen_ns}};
}

}  // namespace oriel::report
