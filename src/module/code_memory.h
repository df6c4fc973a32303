// What a thread that asks the runtime for names must have open.
#pragma once

#include <optional>

namespace oriel::modules {

// What such a thread keeps of the program's descriptors when it takes files of its own (base/files/own_files.h): the
// memory that the runtime writes code through, -1 if it does without (DOTNET_EnableWriteXorExecute=0). None if that
// cannot be told: the thread then stays with the program's. A descriptor of the program's is taken for a moment; called
// while a module starts, before the program's own code runs.
std::optional<int> own_files_to_keep();

}  // namespace oriel::modules
