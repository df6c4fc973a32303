#include "pdb/inflated.h"

#include <zlib.h>

namespace oriel::pdb {
namespace {

template <typename Bytes>
Bytes inflated_to(std::span<const uint8_t> data, uint32_t size) {
  constexpr uint32_t kMostBytes = uint32_t{1} << 30;  // no PDB is larger
  // Deflate compresses at most about a thousand to one.
  if (size > kMostBytes || size / 1100 > data.size()) return {};
  Bytes bytes(size, 0);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  stream.next_in = const_cast<Bytef*>(data.data());  // NOLINT: zlib's missing const
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = size;
  const int outcome = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (outcome != Z_STREAM_END || stream.avail_out != 0) return {};
  return bytes;
}

}  // namespace

std::vector<uint8_t> inflated(std::span<const uint8_t> data, uint32_t size) {
  return inflated_to<std::vector<uint8_t>>(data, size);
}

std::string inflated_text(std::span<const uint8_t> data, uint32_t size) { return inflated_to<std::string>(data, size); }

}  // namespace oriel::pdb
