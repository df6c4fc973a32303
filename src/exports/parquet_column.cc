#include "exports/parquet_column.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <new>
#include <span>

#include "exports/parquet_format.h"

namespace oriel::exports {
namespace {

using parquet::append_little_endian;

// The hybrid of runs and packed bits: one run where all values are the same, else all packed, eight by eight.
template <typename Values>
void append_hybrid(const Values& values, unsigned width, std::string& to) {
  if (values.empty()) return;
  if (std::ranges::all_of(values, [&](auto value) { return value == values[0]; })) {
    append_uleb(uint64_t{values.size()} << 1, to);
    append_little_endian(values[0], static_cast<int>((width + 7) / 8), to);
    return;
  }
  const size_t groups = (values.size() + 7) / 8;
  append_uleb(uint64_t{groups} << 1 | 1, to);
  uint64_t bits = 0;
  unsigned filled = 0;
  for (size_t i = 0; i < groups * 8; ++i) {
    bits |= uint64_t{i < values.size() ? values[i] : 0u} << filled;
    for (filled += width; filled >= 8; filled -= 8, bits >>= 8) to += static_cast<char>(bits);
  }
}

unsigned width_for(size_t values) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(std::max<size_t>(values, 1) - 1)));
}

std::string zstd_frame(const std::string& page) {
  constexpr int kLevel = 3;
  std::string frame(ZSTD_compressBound(page.size()), '\0');
  const size_t size = ZSTD_compress(frame.data(), frame.size(), page.data(), page.size(), kLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();
  frame.resize(size);
  return frame;
}

// Appends a page with its header.
void append_page(parquet::PageType type, int64_t values, parquet::Encoding encoding, const std::string& page,
                 ParquetChunk& chunk, std::string& to) {
  const std::string frame = zstd_frame(page);
  std::string header;
  {
    ThriftStruct fields(header);
    fields.i32(1, type);
    fields.i32(2, static_cast<int32_t>(page.size()));
    fields.i32(3, static_cast<int32_t>(frame.size()));
    fields.record(type == parquet::kDataPage ? 5 : 7, [&](ThriftStruct& of) {
      of.i32(1, static_cast<int32_t>(values));
      of.i32(2, encoding);
      if (type != parquet::kDataPage) return;
      of.i32(3, parquet::kRle);  // how it is told which rows have a value,
      of.i32(4, parquet::kRle);  // and which repeat: none
    });
  }
  to += header;
  to += frame;
  chunk.raw_bytes += static_cast<int64_t>(header.size() + page.size());
  chunk.stored_bytes += static_cast<int64_t>(header.size() + frame.size());
}

}  // namespace

void ParquetColumn::add(int64_t value) {
  present_.push_back(1);
  integers_.push_back(value);
}

void ParquetColumn::add(std::string_view text) {
  present_.push_back(1);
  const auto [known, is_new] = known_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
  if (is_new) {
    constexpr size_t kAround = 64;  // of the map's entry
    texts_.push_back(&known->first);
    text_bytes_ += text.size() + kAround;
  }
  words_.push_back(known->second);
}

std::string ParquetColumn::levels() const {
  std::string levels, page;
  append_hybrid(present_, 1, levels);
  append_little_endian(levels.size(), 4, page);
  return page + levels;
}

std::string ParquetColumn::dictionary() const {
  std::string page;
  for (const std::string* text : texts_) {
    append_little_endian(text->size(), 4, page);
    page += *text;
  }
  return page;
}

std::string ParquetColumn::values(const ParquetColumnInfo& info) const {
  std::string page;
  if (!info.is_text) {
    for (const int64_t value : integers_) append_little_endian(static_cast<uint64_t>(value), 8, page);
  } else if (!words_.empty()) {
    const unsigned width = width_for(texts_.size());
    page += static_cast<char>(width);
    append_hybrid(words_, width, page);
  }
  return page;
}

ParquetChunk ParquetColumn::take_pages(const ParquetColumnInfo& info, int64_t offset, std::string& to) {
  const auto at = [&, begin = to.size()] { return offset + static_cast<int64_t>(to.size() - begin); };
  ParquetChunk chunk;
  chunk.values = static_cast<int64_t>(present_.size());
  chunk.nulls = std::ranges::count(present_, uint8_t{0});
  if (chunk.has_range(info)) {
    const auto [least, most] = std::ranges::minmax(integers_);
    chunk.least = least;
    chunk.most = most;
  }
  const bool has_dictionary = !texts_.empty();
  if (has_dictionary) {
    chunk.dictionary_offset = at();
    append_page(parquet::kDictionaryPage, static_cast<int64_t>(texts_.size()), parquet::kPlain, dictionary(), chunk,
                to);
  }
  chunk.data_offset = at();
  append_page(parquet::kDataPage, chunk.values, has_dictionary ? parquet::kRleDictionary : parquet::kPlain,
              levels() + values(info), chunk, to);
  *this = {};
  return chunk;
}

}  // namespace oriel::exports
