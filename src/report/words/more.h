// Commands that show details of what they stand beside.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace oriel::report {

// "oriel report lines Cart.Add": shows the source lines of a method.
std::string lines_command(const profile::Function& function);

// "→ oriel report gc shop.oriel" for "oriel report gc", with the arguments for the same log and part of it. "" for "".
std::string more(std::string_view command, const Options& options);

// As wrap(), with such a command appended; the command is moved to the next line rather than broken.
std::string wrap_with_more(std::string_view text, std::string_view command, std::string_view indent,
                           const Options& options);

// A title of a table's last column, with such a command appended.
std::string titled(std::string_view title, std::string_view command, const Options& options);

}  // namespace oriel::report
