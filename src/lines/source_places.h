// Which files may be shown as sources. A PDB may name any file, so it is not trusted.
#pragma once

#include <filesystem>
#include <string>

#include "base/status.h"

namespace oriel::lines {

enum class SourcePlace {
  kOwn,        // has a source file's extension, in a folder of the project or one that the user named: may be shown
  kElsewhere,  // may be shown only if it matches the compiled text, which the PDB's author knows anyway
  kRefused,    // must not be opened: a system file, or in a hidden folder, such as one of keys
};

// Of a file, after following links.
SourcePlace place_of_source(const std::filesystem::path& file);

// The user declares that sources are below this folder. An error if it is not a folder.
Status add_source_folder(const std::string& folder);

// Trusts the project that contains the assembly, like that of the current folder: up to the repository, else to the
// outermost folder with a project file or solution. System folders, shared folders and home folders are never projects.
void add_project_of(const std::string& assembly);

}  // namespace oriel::lines
