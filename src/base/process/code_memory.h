// The descriptor that a thread needs to ask the runtime for names.
#pragma once

#include <optional>

namespace oriel {

// The program's descriptor that such a thread must keep in its separate table (base/files/own_files.h): the memory
// through which the runtime writes code, -1 if it uses none (DOTNET_EnableWriteXorExecute=0). nullopt if unknown: the
// thread must then stay with the program's table. Takes a descriptor of the program for a moment; called while a module
// starts, before the program's own code runs.
std::optional<int> descriptor_to_keep();

}  // namespace oriel
