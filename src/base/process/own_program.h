// The program that runs in this process.
#pragma once

#include <string>

namespace oriel {

// Its executable, which may be a single-file program that contains assemblies; "" if it is dotnet, which runs other
// files, or unknown.
std::string own_program();

}  // namespace oriel
