#include "profile/work/processors.h"

#include <algorithm>

#include "base/text/decimal.h"
#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

double cpu_limit(const Profile& profile) {
  constexpr double kMost = 1e6;
  const std::string* text = property(profile.intro, log::property::kCpuLimit);
  const double limit = text ? leading_decimal(*text).value : 0;
  return limit > 0 && limit < kMost ? limit : 0;
}

}  // namespace

int64_t time_counted(const Profile& profile, std::string_view name, uint64_t unit) {
  constexpr uint64_t kMost = uint64_t{1} << 60;  // caps values of a corrupt log
  return static_cast<int64_t>(std::min(counter_of(profile, name), kMost / unit) * unit);
}

Processors processors_of(const Profile& profile) {
  Processors result;
  result.machine = number_property(profile.intro, log::property::kCores);
  result.usable = number_property(profile.intro, log::property::kCoresUsable);
  result.limit = cpu_limit(profile);
  result.ready_ns = time_counted(profile, log::counter::kReadyNs);
  result.periods = counter_of(profile, log::counter::kCpuPeriods);
  result.throttled = counter_of(profile, log::counter::kCpuThrottled);
  result.throttled_ns = time_counted(profile, log::counter::kCpuThrottledNs);
  result.stolen_ns = time_counted(profile, log::counter::kCpuStolenNs);
  return result;
}

}  // namespace oriel::profile
