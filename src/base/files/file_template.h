// Names of files with %p, the process id, %n, the program's name, and %% for a percent sign.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// What the template stands for. Another percent sign stands for itself.
std::string expand_template(std::string_view text, const std::string& program, pid_t pid);

// Whether a name can come of the template, for any program (a name that is not empty) and process.
bool matches_template(std::string_view text, std::string_view name);

// The template that stands for `name` itself.
std::string template_of(std::string_view name);

// The program's name for %n, by its command line: "shop" for `dotnet shop.dll` and `dotnet exec …/shop.dll`,
// "dotnet-build" for the SDK's `dotnet build`, else the executable's file name. Only letters, digits, '.', '_', '-' and
// '+': fit for a file name.
std::string program_name(const std::vector<std::string>& command);

// What a command line has the `dotnet` host run: an assembly's path or a verb of the SDK's; "" if it is none of
// dotnet's.
std::string dotnet_subject(const std::vector<std::string>& command);

}  // namespace oriel
