// Which files may be shown as sources. A PDB is made by whoever made the assembly, and may name any file.
#pragma once

#include <filesystem>
#include <string>

#include "base/status.h"

namespace oriel::lines {

enum class SourcePlace {
  kOwn,        // named as code is, in a folder of the project, or in one that the user named: its text may be shown
  kElsewhere,  // only the very text that was compiled, which the maker of the PDB knows anyway
  kRefused,    // not to be opened: the system's, or in a folder that is hidden, as those of keys are
};

// Of a file, wherever links lead to.
SourcePlace place_of_source(const std::filesystem::path& file);

// The user's word that sources are below this folder, whatever it is. An error if it is none.
Status add_source_folder(const std::string& folder);

// The project that an assembly on this machine lies in is one whose sources are shown, as is the one of the current
// folder: up to the repository, else to the outermost folder that has a project file or a solution. The system's
// folders, those of all users and a user's home are none.
void add_project_of(const std::string& assembly);

}  // namespace oriel::lines
