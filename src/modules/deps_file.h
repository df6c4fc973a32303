// NAME.deps.json: a program's build describes the assemblies beside it.
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
  // The origin of an assembly, by file name. Projects are the program and the projects that it references; the .NET
  // part of a self-contained program is a framework.
  std::map<std::string, Origin> files;
  // Likewise for assemblies referenced as files, of unknown origin: "Vendor 2.0.0.0".
  std::map<std::string, std::string> references;
  // Packages without any of these, by their folder below the packages folder: "nunit3testadapter/5.2.0". Their build
  // scripts may put files beside the program that are listed nowhere.
  std::map<std::string, Origin> without_files;
};

// Empty if the text is no such file. May throw std::bad_alloc.
Deps read_deps(std::string_view json);

}  // namespace oriel::modules
