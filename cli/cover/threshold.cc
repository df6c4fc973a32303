#include "cover/threshold.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace oriel::cli {
namespace {

struct Kind {
  Threshold::Of of;
  const char* name;
  uint64_t coverage::Totals::*all;
  uint64_t coverage::Totals::*hit;
};

constexpr std::array<Kind, 3> kKinds = {
    {{Threshold::Of::kLines, "lines", &coverage::Totals::lines, &coverage::Totals::lines_hit},
     {Threshold::Of::kBranches, "branches", &coverage::Totals::branches, &coverage::Totals::branches_hit},
     {Threshold::Of::kMethods, "methods", &coverage::Totals::methods, &coverage::Totals::methods_hit}}};

}  // namespace

void add_thresholds(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option("--fail-under", texts,
                  "Exit with 120 if a lower percentage of lines ran; also branches=PERCENT, methods=PERCENT")
      ->type_name("PERCENT")
      ->allow_extra_args(false);
}

Result<std::vector<Threshold>> parse_thresholds(const std::vector<std::string>& texts) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : texts) {
    Threshold threshold;
    std::string number = text;
    bool known = true;
    if (const size_t equals = text.find('='); equals != std::string::npos) {
      known = false;
      for (const Kind& kind : kKinds) {
        if (text.substr(0, equals) != kind.name) continue;
        known = true;
        threshold.of = kind.of;
      }
      number = text.substr(equals + 1);
    }
    char* end = nullptr;
    threshold.percent = std::strtod(number.c_str(), &end);
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789.") == std::string::npos &&
                           end == number.c_str() + number.size();
    if (!known || !is_number || threshold.percent > 100)
      return Status::error(fmt::format(
          "--fail-under {}: give a percentage from 0 to 100, of lines, or as branches=70 or methods=90", text));
    thresholds.push_back(threshold);
  }
  return thresholds;
}

std::vector<std::string> below(const std::vector<Threshold>& thresholds, const coverage::Totals& totals) {
  std::vector<std::string> sentences;
  for (const Threshold& threshold : thresholds) {
    const Kind& kind = kKinds[static_cast<size_t>(threshold.of)];
    const uint64_t all = totals.*kind.all, hit = totals.*kind.hit;
    // Rounded up, with tolerance for floating-point error.
    const double wanted = std::ceil(static_cast<double>(all) * threshold.percent / 100 - 1e-9);
    if (all == 0 || static_cast<double>(hit) >= wanted) continue;
    sentences.push_back(fmt::format("{:.2f} % of the {} ran, below the required {:g} %: {:.0f} more of {} have to run",
                                    100 * static_cast<double>(hit) / static_cast<double>(all), kind.name,
                                    threshold.percent, wanted - static_cast<double>(hit), all));
  }
  return sentences;
}

}  // namespace oriel::cli
