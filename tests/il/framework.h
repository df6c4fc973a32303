// The assemblies on this machine that prove the room: the shared framework and the SDK's compilers.
#pragma once

#include <string>
#include <vector>

namespace oriel::il::test {

// Paths of all .dll files in the newest Microsoft.NETCore.App, Microsoft.AspNetCore.App and the newest SDK's Roslyn
// folder. Empty if there is no dotnet.
std::vector<std::string> framework_assemblies();

}  // namespace oriel::il::test
