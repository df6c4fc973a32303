// Reports of profiles as text and as JSON.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "report/report.h"
#include "report/words/text.h"

namespace oriel::testing {

// The whole text. Each line must fit the width; colors take no columns.
inline std::string text_of(std::string_view report, const profile::Profile& profile,
                           const report::Options& options = {}) {
  std::ostringstream out;
  const Status status = report::write_report(*report::find_report(report), profile, options, out);
  EXPECT_TRUE(status) << status.message();
  std::istringstream lines(options.json || options.color ? "" : out.str());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(report::display_width(line), options.width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  return out.str();
}

inline nlohmann::json json_of(std::string_view report, const profile::Profile& profile, report::Options options = {}) {
  options.json = true;
  return nlohmann::json::parse(text_of(report, profile, options));
}

}  // namespace oriel::testing
