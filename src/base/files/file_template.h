// File names with %p (process id), %n (program name) and %% (percent sign).
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Expands the template. Any other percent sign stays.
std::string expand_template(std::string_view text, const std::string& program, pid_t pid);

// Whether the template can expand to the name, for any program (with a non-empty name) and process.
bool matches_template(std::string_view text, std::string_view name);

// A template that expands to `name`.
std::string template_of(std::string_view name);

// The program's name for %n, from its command line: "shop" for `dotnet shop.dll`, `dotnet exec …/shop.dll` and
// `mono shop.exe`, "dotnet-build" for the SDK's `dotnet build`, else the executable's file name. It consists of
// letters, digits, '.', '_', '-' and '+', so that it fits into a file name.
std::string program_name(const std::vector<std::string>& command);

// What a command line tells the `dotnet` host to run: the path of an assembly or a verb of the SDK; "" if it is not
// dotnet.
std::string dotnet_subject(const std::vector<std::string>& command);

}  // namespace oriel
