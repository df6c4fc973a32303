// The functions of one library, sorted by address, with names.
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
    uint64_t start = 0;  // as linked
    uint64_t size = 0;
    const char* name = nullptr;  // demangled and without a version; nullptr if it has none
  };

  SymbolTable() = default;
  // Takes the symbols over: all names live as long as the table. Unsized symbols reach to the next one if `whole`, that
  // is if the table has every function of the library; in one that does not they name nothing but their own address.
  SymbolTable(ElfSymbols symbols, bool whole);

  // Adds functions that have no symbol, by where they begin (sorted): each reaches to the next of any kind.
  void add_nameless(const PageVector<uint64_t>& starts);

  bool is_empty() const { return entries_.empty(); }

  // The function that has the address, none if no symbol covers it.
  std::optional<Function> find(uint64_t address);

 private:
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };

  // As little as it can be: a process keeps the tables of all libraries that its stacks are in.
  struct Entry {
    uint32_t start;  // from base_ on
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

// Reading a library's symbols from its file or, if that is stripped, from the separate debug file beside it
// (debug_file.cc). Functions without symbols are in it too, as far as call-frame information tells where they begin.

// The symbols of the library at `path`. Empty if the file is gone, damaged, or not the one with `build_id` (if that is
// not empty): a file that was replaced since would give wrong names.
SymbolTable read_symbols(const std::string& path, const std::vector<uint8_t>& build_id);

// The symbols of a library that is known by its build id (hexadecimal), perhaps another machine's: from debug files of
// this machine that have the same id, installed, beside `path`, or in debuginfod's cache. Empty if there are none.
SymbolTable read_debug_symbols(const std::string& path, const std::string& build_id);

// Copies code that is linked at `address` in that file. Returns whether all of it is there.
bool read_code(const std::string& path, uint64_t address, void* to, size_t size);

// The symbols of an image in memory.
SymbolTable read_symbols(const void* memory, size_t size);

}  // namespace oriel::symbols
