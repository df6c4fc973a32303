#include "metadata/debug_directory.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/text/hex.h"

namespace oriel::metadata {
namespace {

constexpr uint32_t kCodeView = 2, kEmbeddedPdb = 17;
constexpr uint16_t kPortableVersion = 0x504d;
constexpr uint32_t kMostEntries = 64;
constexpr uint32_t kMostPath = 4096;

struct Section {
  uint32_t name[2];
  uint32_t virtual_size;
  uint32_t virtual_address;
  uint32_t raw_size;
  uint32_t raw_address;
  uint32_t rest[4];
};

struct DebugEntry {
  uint32_t characteristics;
  uint32_t stamp;
  uint16_t major;
  uint16_t minor;
  uint32_t type;
  uint32_t size;
  uint32_t address;  // relative to the image, as loaded
  uint32_t file_offset;
};

struct DataDirectory {
  uint32_t address;
  uint32_t size;
};

template <typename T>
std::optional<T> read_at(const ImageReader& read, uint64_t offset) {
  T value{};
  if (!read(offset, &value, sizeof value)) return std::nullopt;
  return value;
}

// The location of the debug directory according to the headers, and the sections.
struct Headers {
  DataDirectory debug{};
  std::vector<Section> sections;
};

std::optional<Headers> read_headers(const ImageReader& read) {
  constexpr uint64_t kNewHeaderAt = 0x3c;
  const auto dos = read_at<uint16_t>(read, 0);
  const auto at = read_at<uint32_t>(read, kNewHeaderAt);
  if (!dos || *dos != 0x5a4d || !at) return std::nullopt;
  const auto signature = read_at<uint32_t>(read, *at);
  const auto sections = read_at<uint16_t>(read, uint64_t{*at} + 6);
  const auto optional_size = read_at<uint16_t>(read, uint64_t{*at} + 20);
  const uint64_t optional_at = uint64_t{*at} + 24;
  const auto magic = read_at<uint16_t>(read, optional_at);
  if (!signature || *signature != 0x4550 || !sections || !optional_size || !magic) return std::nullopt;
  constexpr uint64_t kDebugIndex = 6;
  const uint64_t directories_at = optional_at + (*magic == 0x20b ? 112 : 96);
  const auto debug = read_at<DataDirectory>(read, directories_at + kDebugIndex * sizeof(DataDirectory));
  if (!debug || debug->address == 0) return std::nullopt;
  Headers headers{*debug, std::vector<Section>(*sections)};
  const bool have = read(optional_at + *optional_size, headers.sections.data(), *sections * sizeof(Section));
  return have ? std::optional(std::move(headers)) : std::nullopt;
}

std::optional<uint64_t> file_offset(const Headers& headers, uint32_t address) {
  for (const Section& section : headers.sections) {
    if (address >= section.virtual_address && address - section.virtual_address < section.raw_size)
      return uint64_t{section.raw_address} + (address - section.virtual_address);
  }
  return std::nullopt;
}

// "RSDS", GUID, age, path. The id of a portable PDB ends with the entry's stamp instead of the age.
void take_code_view(const ImageReader& read, uint64_t at, const DebugEntry& entry, DebugDirectory& directory) {
  constexpr uint32_t kPathAt = 24;
  uint8_t head[kPathAt];
  if (entry.size < kPathAt || !read(at, head, sizeof head) || std::memcmp(head, "RSDS", 4) != 0) return;
  std::string path(std::min(entry.size - kPathAt, kMostPath), '\0');
  if (!read(at + kPathAt, path.data(), path.size())) return;
  path.resize(std::strlen(path.c_str()));
  directory.pdb_path = std::move(path);
  directory.pdb_id.clear();
  directory.pdb_id = hex({head + 4, 16});
  uint8_t stamp[4];
  std::memcpy(stamp, &entry.stamp, sizeof stamp);
  directory.pdb_id += hex(stamp);
}

}  // namespace

std::optional<DebugDirectory> read_debug_directory(const ImageReader& read, ImageLayout layout) {
  const bool loaded = layout == ImageLayout::kLoaded;
  const std::optional<Headers> headers = read_headers(read);
  if (!headers) return std::nullopt;
  const std::optional<uint64_t> at =
      loaded ? std::optional<uint64_t>(headers->debug.address) : file_offset(*headers, headers->debug.address);
  if (!at) return std::nullopt;
  DebugDirectory directory;
  const uint32_t count = std::min<uint32_t>(headers->debug.size / sizeof(DebugEntry), kMostEntries);
  for (uint32_t i = 0; i < count; ++i) {
    const auto entry = read_at<DebugEntry>(read, *at + i * sizeof(DebugEntry));
    if (!entry) break;
    const uint64_t data = loaded ? entry->address : entry->file_offset;
    if (data == 0) continue;
    if (entry->type == kCodeView && entry->minor == kPortableVersion) take_code_view(read, data, *entry, directory);
    if (entry->type == kEmbeddedPdb) {
      directory.embedded_at = data;
      directory.embedded_size = entry->size;
    }
  }
  if (directory.pdb_id.empty()) return std::nullopt;
  return directory;
}

}  // namespace oriel::metadata
