// The user's settings of how the runtime compiles and collects.
#pragma once

#include <string>
#include <string_view>

namespace oriel::modules {

// "DOTNET_TieredCompilation=0 System.Runtime.TieredPGO=false": settings in the environment, and in the text of a
// runtimeconfig.json ("" for none), that change what is compiled and when, and how memory is collected. The environment
// takes precedence: its settings hide those of the file. Words are quoted for a shell. Names are the runtime's own. May
// throw std::bad_alloc.
std::string runtime_settings(std::string_view runtimeconfig);

}  // namespace oriel::modules
