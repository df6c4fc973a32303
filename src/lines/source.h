// The text of source files, as far as they are on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdb/pdb.h"

namespace oriel::lines {

struct Source {
  std::string path;                // where it was found
  std::vector<std::string> lines;  // without their ends
  bool changed = false;            // it is not what was compiled
};

// The lines of a text without their ends and without a byte order mark, `most` of them; valid as long as the text.
std::vector<std::string_view> split_lines(std::string_view text, size_t most = SIZE_MAX);

// Where the compiler had it; else, only if it is the very text that was compiled, in the current folder or one above
// it, by the end of its path: sources compiled elsewhere, or as /_/src/Shop/Cart.cs. Files outside of the project's
// folders (source_places.h) are given only if they are that very text.
std::optional<Source> find_source(const pdb::Document& document);

// A path as short as it is clear: from the current folder if it is below that, without "/_/".
std::string shown_path(const std::string& path);

}  // namespace oriel::lines
