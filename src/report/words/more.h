// The commands that show in full what stands beside them.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace oriel::report {

// "oriel report lines Cart.Add": what shows the lines of a method.
std::string lines_command(const profile::Function& function);

// "→ oriel report gc shop.oriel" of "oriel report gc": of the same log and the same part of it. "" of none.
std::string more(std::string_view command, const Options& options);

// The text as wrap() breaks it, with such a command behind it, which goes to the next line rather than being broken.
std::string wrap_with_more(std::string_view text, std::string_view command, std::string_view indent,
                           const Options& options);

// The same behind the title of a table's last column.
std::string titled(std::string_view title, std::string_view command, const Options& options);

}  // namespace oriel::report
