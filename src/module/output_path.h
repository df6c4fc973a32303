// The name of the file that a module writes.
#pragma once

#include <string>
#include <string_view>

namespace oriel::modules {

// `path` with %p for the process id, %n for the program's name, %% for a percent sign.
std::string expand_path(std::string_view path);

// The program's name for a file: the managed program's where the command is a dotnet host, else the executable's.
std::string program_name(const std::string& nul_separated_command);

}  // namespace oriel::modules
