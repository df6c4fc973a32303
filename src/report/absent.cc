// Explains why data is missing from a log.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/work/losses.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

std::string not_recorded(const Profile& profile, std::string_view group) {
  if (profile::has_events(profile, group)) return "";
  if (const std::string from = profile::imported_from(profile); !from.empty())
    return fmt::format("Not recorded: this log was made of {} that has no such events.", from);
  if (profile::is_call_graph(profile))
    return "Not recorded: this is a call graph; oriel run --callgraph --sample writes a log beside it.";
  if (profile::is_coverage(profile)) return "Not recorded: this is a log of coverage; see oriel report coverage.";
  if (profile::is_version1(profile))
    return "This log has none. It is in version 1 of the format, which does not tell what was recorded.";
  return fmt::format("Not recorded: this log has only the events of --module log:events={}.",
                     clean(profile::property_values(profile, log::property::kEvents).front()));
}

std::string thread_names(const Profile& profile) {
  constexpr size_t kShown = 8;
  std::vector<std::string> names;
  for (const profile::Thread& thread : profile.threads) names.push_back(thread_label(thread));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const size_t more = names.size() > kShown ? names.size() - kShown : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string why_no_samples(const Profile& profile) {
  if (profile.unfiltered_periods > 0) {
    std::string text =
        fmt::format("No samples left: none of {} matches the filter.", count(profile.unfiltered_periods));
    if (!profile.filter.thread.empty()) text += " The threads are " + thread_names(profile) + ".";
    if (profile.filter.from_ns > profile.wall_ns) text += fmt::format(" The log covers {}.", moment(profile.wall_ns));
    return text;
  }
  if (profile::is_call_graph(profile)) return "No samples: this is a call graph; see oriel report callgraph.";
  if (profile::is_coverage(profile)) return "No samples: this is a log of coverage; see oriel report coverage.";
  if (const std::string from = profile::imported_from(profile); !from.empty())
    return fmt::format("No samples: this log was made of {} that has none.", from);
  if (profile::is_version1(profile))
    return "No samples: this log is in version 1 of the format, which does not tell whether the program was sampled.";
  if (profile.sampling_mode == "none") return "No samples: the program was run without sampling (--no-sample).";
  if (const uint64_t lost = profile::lost_samples(profile); lost > 0)
    return fmt::format("No samples: all {} were lost.", count(lost));
  const bool real = profile.sampling_mode == "real";
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  const auto used = static_cast<int64_t>(cpu ? cpu->program_us() * 1000 : 0);
  const int64_t spent = real ? profile.wall_ns : used;
  const int64_t period = profile.sampling_hz == 0 ? 0 : 1'000'000'000 / profile.sampling_hz;
  const char* when = profile.outcome.ended ? "" : " up to the end of this log";
  const char* option = real ? "--sample-real" : "--sample";
  if (spent <= period)
    return fmt::format(
        "No samples: the program {} for less than one sampling period of {}{}; try a higher rate, {}=1000.",
        real ? "ran" : "used the CPU", duration(period), when, option);
  return fmt::format(
      "No samples: no thread {} long enough for one{} ({} in total, a period is {}); try a higher rate, {}=1000.",
      real ? "lived" : "used the CPU", when, duration(spent), duration(period), option);
}

std::string why_no_waits(const Profile& profile, std::string_view waits) {
  const std::string none = fmt::format("This log has no {}: ", waits);
  if (const std::string from = profile::imported_from(profile); !from.empty())
    return none + fmt::format("it was made of {} that has none.", from);
  if (profile::is_call_graph(profile))
    return none + "it is a call graph; oriel run --callgraph --sample writes a log beside it.";
  if (profile::is_coverage(profile)) return none + "it is a log of coverage; see oriel report coverage.";
  if (profile::is_version1(profile)) return none + "version 1 of the format cannot tell them.";
  return none + "it was written with --no-waits or --no-sample, or by an older version.";
}

}  // namespace oriel::report
