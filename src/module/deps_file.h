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

struct Deps {
  // By file name of an assembly, where it comes from. Projects are the program itself and what it references as a
  // project; what a self-contained program has of .NET is a framework.
  std::map<std::string, Origin> files;
  // Likewise, of assemblies that it references as files, which may be anybody's: "Vendor 2.0.0.0".
  std::map<std::string, std::string> references;
  // Packages that bring none of these, by their folder below that of all packages: "nunit3testadapter/5.2.0". Their
  // part in the build may put files beside the program that are named nowhere.
  std::map<std::string, Origin> without_files;
};

// Empty if the text is no such file. May throw std::bad_alloc.
Deps read_deps(std::string_view json);

}  // namespace oriel::modules
