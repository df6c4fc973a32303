// Reading a library's symbols from its file or, if that is stripped, from the separate debug file beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/symbol_table.h"

namespace oriel::symbols {

// The symbols of the library at `path`. Empty if the file is gone, damaged, or not the one with `build_id` (if that is
// not empty): a file that was replaced since would give wrong names.
SymbolTable read_symbols(const std::string& path, const std::vector<uint8_t>& build_id);

// The symbols of an image in memory.
SymbolTable read_symbols(const void* memory, size_t size);

}  // namespace oriel::symbols
