#include "report/paces.h"

#include <fmt/format.h>

#include <algorithm>

#include "log/properties.h"
#include "profile/recorded.h"
#include "report/words/units.h"

namespace oriel::report {

namespace {

constexpr uint64_t kFull = 1000;

// Samples a second of a thread at a pace.
std::string rate_text(const profile::Profile& profile, uint64_t pace) {
  uint64_t full = profile.sampling_hz;
  if (const uint64_t tick = profile::number_property(profile.intro, log::property::kSamplingTick))
    full = std::min(full, tick);
  const double rate = static_cast<double>(full * pace) / static_cast<double>(kFull);
  return rate < 10 ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
}

}  // namespace

std::string paces_text(const profile::Profile& profile) {
  constexpr size_t kShown = 3;
  const auto& paces = profile.paces;
  if (paces.empty()) return "";
  std::string text;
  uint64_t before = kFull;
  for (size_t i = 0; i < std::min(kShown, paces.size()); ++i) {
    text += i > 0 ? ", " : "sampling ";
    text += paces[i].pace < before ? "lowered " : "raised ";
    if (i == 0) text += fmt::format("from {} ", rate_text(profile, before));
    text +=
        fmt::format("to {}{} at {}", rate_text(profile, paces[i].pace), i == 0 ? " a second" : "", moment(paces[i].ns));
    before = paces[i].pace;
  }
  if (paces.size() > kShown)
    text += fmt::format(", {} more, the last to {}", paces.size() - kShown, rate_text(profile, paces.back().pace));
  const double percent = static_cast<double>(paces.front().limit) / 10'000;
  return text + fmt::format(", to stay within {} % of the program's CPU time", percent);
}

Json paces_json(const profile::Profile& profile) {
  Json json = Json::array();
  for (const profile::Pace& row : profile.paces)
    json.push_back({{"at_ns", row.ns}, {"pace", row.pace}, {"used", row.used}, {"limit", row.limit}});
  return json;
}

}  // namespace oriel::report
