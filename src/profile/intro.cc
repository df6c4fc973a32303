#include "profile/intro.h"

namespace oriel::profile {

const std::string* property(const log::Intro& intro, std::string_view name) {
  for (const auto& [key, value] : intro.properties)
    if (key == name) return &value;
  return nullptr;
}

double fallback_rate(const log::Intro& intro) {
  const std::string* counter = property(intro, "counter");
  constexpr double kUsualTimeStampCounter = 0.4;  // 2.5 GHz
  return counter && *counter == "tsc" ? kUsualTimeStampCounter : 1;
}

}  // namespace oriel::profile
