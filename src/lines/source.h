// Finds and reads source files on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdb/pdb.h"

namespace oriel::lines {

struct Source {
  std::string path;                // where the file was found
  std::vector<std::string> lines;  // without line ends
  bool changed = false;            // it differs from the compiled text
};

// At most `most` lines of a text, without line ends and byte order mark; valid as long as the text.
std::vector<std::string_view> split_lines(std::string_view text, size_t most = SIZE_MAX);

// The file at the compiler's path. Otherwise a file with a suffix of that path in the current folder or a parent, for
// sources compiled elsewhere or as /_/src/Shop/Cart.cs; only if its hash matches. Files outside the project's folders
// (source_places.h) also require a matching hash.
std::optional<Source> find_source(const pdb::Document& document);

// A path for display: relative if it is below the current folder, and without "/_/".
std::string shown_path(const std::string& path);

}  // namespace oriel::lines
