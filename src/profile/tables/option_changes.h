// The options of modules that a log was written with, and how they changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/table/field.h"

namespace oriel::profile {

struct OptionChange {
  int64_t ns = 0;
  std::string module;
  bool running = true;
  std::string options;
  std::vector<std::string> properties;  // "KEY=VALUE"
  uint32_t process = 0;

  static constexpr auto described() {
    using namespace table;
    return describe(
        Order::kByTime, Part::kWhole, field<Kind::kTime>("at", &OptionChange::ns, "since when"),
        field<Kind::kText>("module", &OptionChange::module, "name of the module"),
        field<Kind::kFlag>("running", &OptionChange::running, "false if the module was stopped"),
        field<Kind::kText>("options", &OptionChange::options, "the options that were given, as the module's text"),
        field<Kind::kTexts>("properties", &OptionChange::properties,
                            "the log's properties from then on; none in the first row, as the log begins with them"),
        field<Kind::kProcess>("process", &OptionChange::process, "the process of the module"));
  }
};

}  // namespace oriel::profile
