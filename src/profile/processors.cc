#include "profile/processors.h"

#include <algorithm>
#include <charconv>

#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

int64_t time_counted(const Profile& profile, std::string_view name) {
  constexpr uint64_t kMost = uint64_t{1} << 60;  // no log is that long
  return static_cast<int64_t>(std::min(counter_of(profile, name), kMost));
}

template <typename Number>
Number property_as(const Profile& profile, std::string_view name) {
  Number value = 0;
  if (const std::string* text = property(profile.intro, name))
    std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

}  // namespace

Processors processors_of(const Profile& profile) {
  constexpr double kMostLimit = 1e6;
  const double limit = property_as<double>(profile, log::property::kCpuLimit);
  Processors result;
  result.machine = property_as<uint64_t>(profile, log::property::kCores);
  if (limit > 0 && limit < kMostLimit) result.limit = limit;  // neither of what is no number
  result.ready_ns = time_counted(profile, log::counter::kReadyNs);
  result.periods = counter_of(profile, log::counter::kCpuPeriods);
  result.throttled = counter_of(profile, log::counter::kCpuThrottled);
  result.throttled_ns = time_counted(profile, log::counter::kCpuThrottledNs);
  result.stolen_ns = time_counted(profile, log::counter::kCpuStolenNs);
  return result;
}

}  // namespace oriel::profile
