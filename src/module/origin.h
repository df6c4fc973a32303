// Where the code of an image comes from: the program's own, a package's, .NET's.
#pragma once

#include <string>

#include "module/deps_file.h"

namespace oriel::modules {

// Of an image by its path and its assembly's name, by the first of these that tells:
//
//   - it lies in an installation of .NET: the framework's or SDK's name and version (tools in it are not .NET's);
//   - a *.deps.json beside it names it: as read_deps says;
//   - beside such a file that does not name it: it is named as adapters for runners of tests must be
//     (….TestAdapter.dll), or as .NET's own are, or a package that the file names has one so named for the build to put
//     there: the package;
//   - such a file has it as a reference to a file, and it has no PDB beside it or in it: somebody else's, a package;
//   - it lies in a folder of packages: the package;
//   - it is named as .NET's own are and has no file, or stands beside a System.Private.CoreLib.dll: a framework.
//
// Else it is the program's own. An image without a file ("") is in the program's bundle, was read from memory or made
// by the program. Any thread; reads the file system once a folder. What it learns is kept as long as the process.
Origin origin_of(const std::string& path, const std::string& assembly);

// Whether that is the program's own. Where memory is short, yes.
bool is_own_code(const std::string& path, const std::string& assembly);

}  // namespace oriel::modules
