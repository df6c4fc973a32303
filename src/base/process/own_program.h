// The program that the process is.
#pragma once

#include <string>

namespace oriel {

// Its executable, which may be a single-file program with assemblies in it; "" if it is dotnet, which runs others'
// files, or cannot be told.
std::string own_program();

}  // namespace oriel
