// Folders that somebody says hold sources, as an option.
#pragma once

#include <CLI/CLI.hpp>

namespace oriel::cli {

// --sources FOLDER, any number of times: files below are shown as sources, wherever they are.
void add_sources(CLI::App& command);

}  // namespace oriel::cli
