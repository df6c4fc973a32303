#include "symbols/symbol_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/text/hex.h"

namespace oriel::symbols {
namespace {

constexpr char kDebugRoot[] = "/usr/lib/debug";

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

// The whole symbol table of a debug file, empty if there is no such file or it belongs to another library.
template <typename IsRight>
ElfSymbols read_debug_file(const std::string& path, IsRight is_right) {
  const ByteSource source(path);
  const ElfImage image(source);
  if (!image.is_valid() || !is_right(source, image)) return {};
  return image.symbols(SHT_SYMTAB);
}

ElfSymbols read_debug_file_of(const std::string& path, const std::string& build_id) {
  return read_debug_file(path, [&build_id](const ByteSource&, const ElfImage& image) {
    const std::vector<uint8_t> id = image.build_id();
    return hex(id) == build_id;
  });
}

std::string installed_file(const std::string& build_id) {
  return std::string(kDebugRoot) + "/.build-id/" + build_id.substr(0, 2) + "/" + build_id.substr(2) + ".debug";
}

// The cache of debuginfod's clients: see debuginfod_find_debuginfo(3).
std::string cached_file(const std::string& build_id) {
  const auto folder_of = [](const char* variable, const char* below) -> std::string {
    const char* const folder = std::getenv(variable);
    return folder && *folder ? std::string(folder) + below : "";
  };
  std::string folder = folder_of("DEBUGINFOD_CACHE_PATH", "");
  if (folder.empty()) folder = folder_of("XDG_CACHE_HOME", "/debuginfod_client");
  if (folder.empty()) folder = folder_of("HOME", "/.cache/debuginfod_client");
  return folder + "/" + build_id + "/debuginfo";
}

ElfSymbols find_debug_symbols(const std::string& path, const ElfImage& image) {
  const std::vector<uint8_t> id = image.build_id();
  if (id.size() > 1) {
    const std::string name = hex(id);
    ElfSymbols found = read_debug_file_of(installed_file(name), name);
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
  const ByteSource source(path);
  const ElfImage image(source);
  if (!image.is_valid()) return {};
  if (!build_id.empty() && image.build_id() != build_id) return {};
  ElfSymbols symbols = image.symbols(SHT_SYMTAB);
  if (symbols.symbols.empty()) symbols = find_debug_symbols(path, image);
  const bool whole = !symbols.symbols.empty();
  SymbolTable table(whole ? std::move(symbols) : image.symbols(SHT_DYNSYM), whole);
  if (!whole) table.add_nameless(image.function_starts());
  return table;
}

SymbolTable read_debug_symbols(const std::string& path, const std::string& build_id) {
  const bool is_id = build_id.size() > 2 && build_id.find_first_not_of("0123456789abcdef") == build_id.npos;
  if (!is_id) return {};
  for (const std::string& file : {installed_file(build_id), path + ".dbg", path + ".debug", cached_file(build_id)}) {
    ElfSymbols found = read_debug_file_of(file, build_id);
    if (!found.symbols.empty()) return SymbolTable(std::move(found), true);
  }
  return {};
}

bool read_code(const std::string& path, uint64_t address, void* to, size_t size) {
  const ByteSource source(path);
  return ElfImage(source).read_code(address, to, size);
}

SymbolTable read_symbols(const void* memory, size_t size) {
  const ByteSource source(memory, size);
  const ElfImage image(source);
  return image.is_valid() ? SymbolTable(image.symbols(SHT_DYNSYM), true) : SymbolTable();
}

}  // namespace oriel::symbols
