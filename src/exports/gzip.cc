#include "exports/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace oriel::exports {

Result<std::string> gzip(std::string_view data) {
  constexpr int kGzipWindow = 15 + 16;  // the largest window; +16 requests a gzip header
  constexpr int kMemoryLevel = 8;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    return Status::error("no memory to compress the export; close other programs and try again");
  std::string packed;
  char chunk[1 << 16];
  int outcome = Z_OK;
  while (outcome != Z_STREAM_END) {
    if (stream.avail_in == 0 && !data.empty()) {
      // zlib's input sizes have 32 bits.
      const size_t size = std::min<size_t>(data.size(), std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // NOLINT: zlib's missing const
      stream.avail_in = static_cast<uInt>(size);
      data.remove_prefix(size);
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof(chunk);
    outcome = deflate(&stream, data.empty() ? Z_FINISH : Z_NO_FLUSH);
    packed.append(chunk, sizeof(chunk) - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace oriel::exports
