// What a person has set of how the runtime compiles and collects.
#pragma once

#include <string>
#include <string_view>

namespace oriel::modules {

// "DOTNET_TieredCompilation=0 System.Runtime.TieredPGO=false": of the environment, and of the text of a
// runtimeconfig.json ("" for none), those that change what is compiled and when, and how memory is collected. The
// environment goes before the file:
// what it has, the file's is left out. Words are as a shell reads them. Names are the runtime's own. May throw
// std::bad_alloc.
std::string runtime_settings(std::string_view runtimeconfig);

}  // namespace oriel::modules
