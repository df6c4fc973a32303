#include "coverage/bundle.h"

#include <algorithm>
#include <span>

#include "base/files/input_file.h"
#include "il/byte_reader.h"
#include "pdb/inflated.h"

namespace oriel::coverage {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr uint64_t kMostBytes = uint64_t{1} << 30;
// Follows the manifest's offset in the host: the SHA-256 of ".net core bundle\n".
constexpr uint8_t kMark[] = {0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93,
                             0x02, 0x14, 0xd7, 0xa0, 0x32, 0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae,
                             0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae};
constexpr uint32_t kWithMoreFields = 2, kWithCompression = 6;  // manifest versions

// Offset of the manifest; 0 if there is none.
uint64_t manifest_at(Bytes program) {
  constexpr size_t kPlace = sizeof(uint64_t);
  const auto found = std::search(program.begin(), program.end(), std::begin(kMark), std::end(kMark));
  const auto mark = static_cast<size_t>(found - program.begin());
  return found == program.end() || mark < kPlace ? 0 : il::ByteReader(program, mark - kPlace).read<uint64_t>();
}

// A length in groups of seven bits, then that many bytes.
std::string read_text(il::ByteReader& in) {
  uint32_t length = 0;
  for (unsigned shift = 0; shift < 28; shift += 7) {
    const auto byte = in.read<uint8_t>();
    length |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) break;
  }
  std::string text;
  for (uint32_t i = 0; i < length && in.ok(); ++i) text += static_cast<char>(in.read<uint8_t>());
  return text;
}

struct BundledFile {
  uint64_t at = 0, size = 0, compressed = 0;  // compressed is 0 if the file is not
  std::string path;
};

BundledFile read_entry(il::ByteReader& in, uint32_t version) {
  BundledFile file;
  file.at = in.read<uint64_t>();
  file.size = in.read<uint64_t>();
  if (version >= kWithCompression) file.compressed = in.read<uint64_t>();
  in.skip(1);  // file type
  file.path = read_text(in);
  return file;
}

std::optional<std::vector<uint8_t>> bytes_of(const BundledFile& file, Bytes program) {
  const uint64_t there = file.compressed != 0 ? file.compressed : file.size;
  if (file.size > kMostBytes || file.at > program.size() || there > program.size() - file.at) return std::nullopt;
  const Bytes data = program.subspan(file.at, there);
  if (file.compressed == 0) return std::vector<uint8_t>(data.begin(), data.end());
  return pdb::inflated(data, static_cast<uint32_t>(file.size));
}

}  // namespace

std::optional<std::vector<uint8_t>> read_from_bundle(const std::string& program, const std::string& name) {
  const Result<std::vector<uint8_t>> read = read_input(program, kMostBytes);
  if (!read) return std::nullopt;
  const std::vector<uint8_t>& bytes = *read;
  const uint64_t manifest = manifest_at(bytes);
  if (manifest == 0 || manifest >= bytes.size()) return std::nullopt;
  il::ByteReader in(bytes, manifest);
  const auto version = in.read<uint32_t>();
  in.skip(4);
  const auto files = in.read<uint32_t>();
  read_text(in);  // bundle id
  if (version >= kWithMoreFields) in.skip(5 * sizeof(uint64_t));
  for (uint32_t i = 0; i < files && in.ok(); ++i) {
    const BundledFile file = read_entry(in, version);
    if (in.ok() && file.path == name) return bytes_of(file, bytes);
  }
  return std::nullopt;
}

}  // namespace oriel::coverage
