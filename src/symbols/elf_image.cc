#include "symbols/elf_image.h"

#include <algorithm>
#include <cstring>

namespace oriel::symbols {
namespace {

bool is_ours(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_shentsize == sizeof(Elf64_Shdr);
}

// Ensures that a string table ends in NUL, which may cut off its last string.
void terminate(PageVector<char>& names) {
  if (!names.empty()) names.back() = '\0';
}

// Sized functions before unsized labels, then exported names before local aliases.
uint8_t rank_of(const Elf64_Sym& symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  uint8_t rank = type == STT_NOTYPE ? 0 : 4;
  if (binding == STB_GLOBAL) rank += 2;
  if (binding == STB_WEAK) rank += 1;
  return rank;
}

bool may_be_code(const Elf64_Sym& symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_name != 0;
}

}  // namespace

ElfImage::ElfImage(const ByteSource& source) : source_(source) {
  Elf64_Ehdr header{};
  if (!source.read(0, &header, sizeof(header)) || !is_ours(header)) return;
  sections_ = source.read_array<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  if (header.e_shstrndx >= sections_.size()) return;
  const Elf64_Shdr& names = sections_[header.e_shstrndx];
  section_names_ = source.read_array<char>(names.sh_offset, names.sh_size);
  terminate(section_names_);
}

const Elf64_Shdr* ElfImage::find_section(const char* name) const {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_name < section_names_.size() && std::strcmp(&section_names_[section.sh_name], name) == 0) {
      return &section;
    }
  }
  return nullptr;
}

PageVector<uint8_t> ElfImage::contents(const Elf64_Shdr& section) const {
  if (section.sh_type == SHT_NOBITS) return {};
  return source_.read_array<uint8_t>(section.sh_offset, section.sh_size);
}

bool ElfImage::is_code(uint16_t section_index) const {
  return section_index < sections_.size() && (sections_[section_index].sh_flags & SHF_EXECINSTR) != 0;
}

PageVector<Elf64_Sym> ElfImage::table(uint32_t section_type, PageVector<char>& names) const {
  const auto section = std::find_if(sections_.begin(), sections_.end(),
                                    [section_type](const Elf64_Shdr& one) { return one.sh_type == section_type; });
  if (section == sections_.end() || section->sh_link >= sections_.size()) return {};
  const Elf64_Shdr& strings = sections_[section->sh_link];
  names = source_.read_array<char>(strings.sh_offset, strings.sh_size);
  terminate(names);
  return source_.read_array<Elf64_Sym>(section->sh_offset, section->sh_size / sizeof(Elf64_Sym));
}

ElfSymbols ElfImage::symbols(uint32_t section_type) const {
  ElfSymbols result;
  const PageVector<Elf64_Sym> symbols = table(section_type, result.names);
  result.symbols.reserve(symbols.size());
  for (const Elf64_Sym& symbol : symbols) {
    if (!may_be_code(symbol) || !is_code(symbol.st_shndx) || symbol.st_name >= result.names.size()) continue;
    result.symbols.push_back({symbol.st_value, symbol.st_size, symbol.st_name, rank_of(symbol)});
  }
  return result;
}

std::vector<std::string> ElfImage::imported_names() const {
  PageVector<char> names;
  std::vector<std::string> imported;
  for (const Elf64_Sym& symbol : table(SHT_DYNSYM, names)) {
    const bool is_needed = symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_WEAK;
    if (is_needed && symbol.st_name != 0 && symbol.st_name < names.size())
      imported.emplace_back(&names[symbol.st_name]);
  }
  return imported;
}

PageVector<uint64_t> ElfImage::function_starts() const {
  // The version and the encodings that allow a binary search in the table; all linkers write these.
  constexpr uint8_t kVersion = 1;
  constexpr uint8_t kFramesRelative4 = 0x1b;  // DW_EH_PE_pcrel | DW_EH_PE_sdata4
  constexpr uint8_t kCount4 = 0x03;           // DW_EH_PE_udata4
  constexpr uint8_t kTableRelative4 = 0x3b;   // DW_EH_PE_datarel | DW_EH_PE_sdata4
  struct Head {
    uint8_t version, frames_encoding, count_encoding, table_encoding;
    int32_t frames;
    uint32_t count;
  } head{};
  struct Entry {
    int32_t code, frame;
  };
  const Elf64_Shdr* section = find_section(".eh_frame_hdr");
  if (!section || section->sh_size < sizeof(head) || !source_.read(section->sh_offset, &head, sizeof(head))) return {};
  if (head.version != kVersion || head.frames_encoding != kFramesRelative4 || head.count_encoding != kCount4 ||
      head.table_encoding != kTableRelative4 || head.count > (section->sh_size - sizeof(head)) / sizeof(Entry))
    return {};
  PageVector<uint64_t> starts;
  starts.reserve(head.count);
  for (const Entry& entry : source_.read_array<Entry>(section->sh_offset + sizeof(head), head.count))
    starts.push_back(section->sh_addr + static_cast<uint64_t>(int64_t{entry.code}));
  std::sort(starts.begin(), starts.end());
  return starts;
}

bool ElfImage::read_code(uint64_t address, void* to, size_t size) const {
  for (const Elf64_Shdr& section : sections_) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_type == SHT_NOBITS) continue;
    if (address < section.sh_addr || address - section.sh_addr > section.sh_size) continue;
    const uint64_t at = address - section.sh_addr;
    if (size <= section.sh_size - at) return source_.read(section.sh_offset + at, to, size);
  }
  return false;
}

std::vector<uint8_t> ElfImage::build_id() const {
  constexpr uint64_t kMostNotes = 1 << 20;  // linkers write some hundred bytes; this bounds the reading of a damaged
                                            // file
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_NOTE || section.sh_size > kMostNotes) continue;
    const PageVector<uint8_t> notes = contents(section);
    std::vector<uint8_t> id = build_id_of_notes(notes.data(), notes.size());
    if (!id.empty()) return id;
  }
  return {};
}

ElfImage::DebugLink ElfImage::debug_link() const {
  const Elf64_Shdr* section = find_section(".gnu_debuglink");
  if (!section) return {};
  const PageVector<uint8_t> bytes = contents(*section);
  const auto end = std::find(bytes.begin(), bytes.end(), 0);
  // The name with its NUL is padded to a multiple of four; the checksum follows.
  const size_t length = static_cast<size_t>(end - bytes.begin());
  const size_t crc_at = (length + 4) & ~size_t{3};
  if (end == bytes.end() || crc_at + 4 > bytes.size()) return {};
  DebugLink link{std::string(bytes.begin(), end), 0};
  std::memcpy(&link.crc, bytes.data() + crc_at, sizeof(link.crc));
  return link;
}

std::vector<uint8_t> build_id_of_notes(const uint8_t* notes, size_t size) {
  const auto padded = [](uint64_t length) { return (length + 3) & ~uint64_t{3}; };
  size_t at = 0;
  while (size - at >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note{};
    std::memcpy(&note, notes + at, sizeof(note));
    at += sizeof(note);
    const uint64_t name_size = padded(note.n_namesz);
    const uint64_t value_size = padded(note.n_descsz);
    if (name_size + value_size > size - at) return {};
    const bool is_gnu = note.n_namesz == 4 && std::memcmp(notes + at, "GNU", 4) == 0;
    const uint8_t* value = notes + at + name_size;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) return {value, value + note.n_descsz};
    at += static_cast<size_t>(name_size + value_size);
  }
  return {};
}

}  // namespace oriel::symbols
