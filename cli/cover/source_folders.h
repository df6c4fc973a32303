// The option that names source folders.
#pragma once

#include <CLI/CLI.hpp>

namespace oriel::cli {

// Adds --sources FOLDER, repeatable: files below may be shown as sources, wherever the folder is.
void add_sources(CLI::App& command);

}  // namespace oriel::cli
