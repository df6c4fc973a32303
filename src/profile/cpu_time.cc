#include "profile/cpu_time.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "profile/intro.h"

namespace oriel::profile {
namespace {

uint64_t number_of(const Profile& profile, std::string_view name) {
  uint64_t value = 0;
  if (const std::string* text = property(profile.intro, name))
    std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

}  // namespace

std::optional<CpuTime> cpu_time(const Profile& profile) {
  const log::ProcessUsage& usage = profile.usage;
  // No log is that long: sums of what a corrupt one claims are not to overflow.
  constexpr uint64_t kMost = uint64_t{1} << 60;
  CpuTime time;
  time.user_us = std::min(usage.user_us, kMost);
  time.system_us = std::min(usage.system_us, kMost);
  const uint64_t all = time.user_us + time.system_us;
  if (all == 0) return std::nullopt;
  for (const log::Counter& counter : profile.counters)
    if (counter.name == log::kOwnCpuCounter) time.oriel_us = std::min(counter.count, all);
  time.before_us = std::min(number_of(profile, log::kCpuBeforeProperty), all - time.oriel_us);
  return time;
}

std::optional<double> cores_busy(const Profile& profile) {
  const std::optional<CpuTime> time = cpu_time(profile);
  if (!time || profile.wall_ns <= 0) return std::nullopt;
  const double busy =
      static_cast<double>(time->program_us() - time->before_us) * 1000 / static_cast<double>(profile.wall_ns);
  const uint64_t cores = number_of(profile, "cores");
  if (cores != 0 && busy > static_cast<double>(cores)) return std::nullopt;
  return busy;
}

}  // namespace oriel::profile
