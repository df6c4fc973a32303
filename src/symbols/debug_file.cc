#include "symbols/symbol_table.h"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include "base/descriptor.h"

namespace oriel::symbols {
namespace {

constexpr char kDebugRoot[] = "/usr/lib/debug";

int open_file(const std::string& path) { return open_out_of_the_way(path.c_str(), O_RDONLY); }

constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ ((value & 1) ? 0xedb88320u : 0);
    table[i] = value;
  }
  return table;
}

// CRC-32 as in zlib, over a whole file.
uint32_t crc_of(const ByteSource& source) {
  static constexpr auto kTable = make_crc_table();
  std::vector<uint8_t> chunk(1 << 16);
  uint32_t crc = ~0u;
  for (uint64_t at = 0; at < source.size(); at += chunk.size()) {
    const size_t size = static_cast<size_t>(std::min<uint64_t>(chunk.size(), source.size() - at));
    if (!source.read(at, chunk.data(), size)) break;
    for (size_t i = 0; i < size; i++) crc = (crc >> 8) ^ kTable[(crc ^ chunk[i]) & 0xff];
  }
  return ~crc;
}

std::string hex(const std::vector<uint8_t>& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The whole symbol table of a debug file, empty if there is no such file or it is another library's.
template <typename IsRight>
ElfSymbols read_debug_file(const std::string& path, IsRight is_right) {
  const ByteSource source(open_file(path));
  const ElfImage image(source);
  if (!image.is_valid() || !is_right(source, image)) return {};
  return image.symbols(SHT_SYMTAB);
}

ElfSymbols find_debug_symbols(const std::string& path, const ElfImage& image) {
  const std::vector<uint8_t> id = image.build_id();
  if (id.size() > 1) {
    const std::string name = hex(id);
    const std::string file =
        std::string(kDebugRoot) + "/.build-id/" + name.substr(0, 2) + "/" + name.substr(2) + ".debug";
    ElfSymbols found =
        read_debug_file(file, [&id](const ByteSource&, const ElfImage& other) { return other.build_id() == id; });
    if (!found.symbols.empty()) return found;
  }
  const ElfImage::DebugLink link = image.debug_link();
  if (link.name.empty() || link.name.find('/') != std::string::npos) return {};
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const std::string& file :
       {folder + link.name, folder + ".debug/" + link.name, kDebugRoot + folder + link.name}) {
    if (file == path) continue;
    ElfSymbols found = read_debug_file(
        file, [&link](const ByteSource& source, const ElfImage&) { return crc_of(source) == link.crc; });
    if (!found.symbols.empty()) return found;
  }
  return {};
}

}  // namespace

SymbolTable read_symbols(const std::string& path, const std::vector<uint8_t>& build_id) {
  const ByteSource source(open_file(path));
  const ElfImage image(source);
  if (!image.is_valid()) return {};
  if (!build_id.empty() && image.build_id() != build_id) return {};
  ElfSymbols whole = image.symbols(SHT_SYMTAB);
  if (whole.symbols.empty()) whole = find_debug_symbols(path, image);
  if (!whole.symbols.empty()) return SymbolTable(std::move(whole), true);
  return SymbolTable(image.symbols(SHT_DYNSYM), false);
}

SymbolTable read_symbols(const void* memory, size_t size) {
  const ByteSource source(memory, size);
  const ElfImage image(source);
  return image.is_valid() ? SymbolTable(image.symbols(SHT_DYNSYM), true) : SymbolTable();
}

}  // namespace oriel::symbols
