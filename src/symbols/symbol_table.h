// The named functions of one library, sorted by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/elf_image.h"

namespace oriel::symbols {

class SymbolTable {
 public:
  struct Function {
    uint64_t start = 0;  // link-time address
    uint64_t size = 0;
    const char* name = nullptr;  // demangled and without a version; nullptr if there is none
  };

  SymbolTable() = default;
  // Takes over the symbols: all names live as long as the table. If `whole`, the table has every function of the
  // library, and unsized symbols extend to the next one; otherwise these only match their own address.
  SymbolTable(ElfSymbols symbols, bool whole);

  // Adds functions without symbols by their sorted start addresses: each extends to the next start or symbol.
  void add_nameless(const PageVector<uint64_t>& starts);

  bool is_empty() const { return entries_.empty(); }

  // The function that contains the address, nullopt if no symbol covers it.
  std::optional<Function> find(uint64_t address);

 private:
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };

  // Kept small: a process keeps the tables of all libraries in its stacks.
  struct Entry {
    uint32_t start;  // relative to base_
    uint32_t size;
    uint32_t name;  // in names_, or kNameless
  };
  static constexpr uint32_t kNameless = UINT32_MAX;

  const char* readable(uint32_t name);

  uint64_t base_ = 0;
  PageVector<Entry> entries_;
  PageVector<char> names_;
  std::unordered_map<uint32_t, std::unique_ptr<char, Free>> readable_;  // demangled names
};

// Reads a library's symbols from its file or, if that is stripped, from the separate debug file (debug_file.cc).
// Functions without symbols are added from call-frame information.

// The symbols of the library at `path`. Empty if the file is gone, damaged, or does not have this build id (unless
// `build_id` is empty): a file that was replaced since would give wrong names.
SymbolTable read_symbols(const std::string& path, const std::vector<uint8_t>& build_id);

// The symbols of a library identified by its build id (hexadecimal), possibly from another machine: from debug files on
// this machine with that id, installed, beside `path`, or in debuginfod's cache. Empty if there are none.
SymbolTable read_debug_symbols(const std::string& path, const std::string& build_id);

// Copies code with the link-time address `address` in that file. Returns whether all of it exists.
bool read_code(const std::string& path, uint64_t address, void* to, size_t size);

// The symbols of an image in memory.
SymbolTable read_symbols(const void* memory, size_t size);

}  // namespace oriel::symbols
