// The parts of an ELF image that are needed: its function symbols, its build id, the name of its separate debug file.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/byte_source.h"

namespace oriel::symbols {

struct ElfSymbol {
  uint64_t start = 0;  // link-time address, without load bias
  uint64_t size = 0;   // 0: unknown
  uint32_t name = 0;   // offset in `names`
  uint8_t rank = 0;    // for the same address the name with the highest rank is used
};

// A symbol table; names are NUL-terminated within `names`.
struct ElfSymbols {
  PageVector<ElfSymbol> symbols;
  PageVector<char> names;
};

class ElfImage {
 public:
  // Reads the headers. `source` must outlive the image.
  explicit ElfImage(const ByteSource& source);

  // Whether it is a 64-bit little-endian ELF image with readable section headers.
  bool is_valid() const { return !sections_.empty(); }

  // Code symbols in the section of this type (SHT_SYMTAB or SHT_DYNSYM); empty if there is none or it is damaged.
  ElfSymbols symbols(uint32_t section_type) const;

  // The names of what the image needs of others and has to find when it is loaded, in the order of its table.
  std::vector<std::string> imported_names() const;

  // Link-time addresses of functions, from the index of the call-frame information (.eh_frame_hdr, Linux Standard Base,
  // "Exception Frames"), which exists even without symbols. Sorted; empty if there is no index for a binary search.
  PageVector<uint64_t> function_starts() const;

  // Copies code with the link-time address `address`. Returns whether all of it exists.
  bool read_code(uint64_t address, void* to, size_t size) const;

  // Raw bytes, empty if there is none.
  std::vector<uint8_t> build_id() const;

  // File name and CRC-32 from .gnu_debuglink; the name is empty if there is none.
  struct DebugLink {
    std::string name;
    uint32_t crc = 0;
  };
  DebugLink debug_link() const;

 private:
  PageVector<Elf64_Sym> table(uint32_t section_type, PageVector<char>& names) const;
  const Elf64_Shdr* find_section(const char* name) const;
  PageVector<uint8_t> contents(const Elf64_Shdr& section) const;
  bool is_code(uint16_t section_index) const;

  const ByteSource& source_;
  PageVector<Elf64_Shdr> sections_;
  PageVector<char> section_names_;
};

// The build id in a sequence of ELF notes, empty if there is none.
std::vector<uint8_t> build_id_of_notes(const uint8_t* notes, size_t size);

}  // namespace oriel::symbols
