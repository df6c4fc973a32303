// Reports of profiles as text and as JSON.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "report/report.h"
#include "report/words/text.h"

namespace oriel::testing {

// A report's options with these of its own, by name and value.
inline std::unique_ptr<report::Options> options_of(std::string_view report,
                                                   std::initializer_list<std::pair<const char*, const char*>> own,
                                                   const report::Options& common = {}) {
  std::unique_ptr<report::Options> options = report::find_report(report)->own(common);
  for (const auto& [name, value] : own) {
    const Status status = report::set_option(*report::find_report(report), *options, name, value);
    EXPECT_TRUE(status) << status.message();
  }
  return options;
}

// The whole text. Each line fits its width, but for colors, which take no columns.
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

inline nlohmann::json json_of(std::string_view report, const profile::Profile& profile,
                              const report::Options& options = {}) {
  const auto own = report::find_report(report)->own(options);
  own->json = true;
  return nlohmann::json::parse(text_of(report, profile, *own));
}

}  // namespace oriel::testing
