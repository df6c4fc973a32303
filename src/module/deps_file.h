// NAME.deps.json: what the build of a program says of the assemblies beside it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "log/format.h"

namespace oriel::modules {

struct Origin {
  log::Origin kind = log::Origin::kUnknown;
  std::string name;  // "Shop", "Newtonsoft.Json 13.0.3", "Microsoft.NETCore.App 10.0.0"
};

// By file name of an assembly, where it comes from. Projects are the program itself, what it references as a project
// and assemblies that it references as files; what a self-contained program has of .NET is a framework. Empty if the
// text is no such file. May throw std::bad_alloc.
std::map<std::string, Origin> read_deps(std::string_view json);

}  // namespace oriel::modules
