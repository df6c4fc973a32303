#include "log/decoder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files/input_file.h"
#include "log/block_decoder.h"

namespace oriel::log {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

// An intro contains a program and its arguments: a larger one is invalid.
constexpr size_t kMaxIntro = 16u << 20;
constexpr uint64_t kProgressStep = 4u << 20;

struct Bytes {
  std::unique_ptr<uint8_t[]> data;
  size_t size = 0;
};

// Limited by the machine's memory: a sparse file may have any size.
uint64_t most_bytes() {
  constexpr uint64_t kMost = uint64_t{64} << 30;
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::min(kMost, static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)) : kMost;
}

// Reads the present contents of the file. Into memory instead of mapping it: truncating the log must not crash the
// reader.
Result<Bytes> read_file(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    const bool is_folder = why == "it is a folder";
    return Status::error("cannot read " + path + ": " + why + (is_folder ? "; name a log file" : ""));
  };
  const Result<InputFile> file = InputFile::open(path, most_bytes());
  if (!file) return failed(file.message());
  Bytes bytes;
  bytes.data.reset(new (std::nothrow) uint8_t[file->size()]);
  if (bytes.data == nullptr) return failed(std::strerror(ENOMEM));
  const int64_t got = file->read_some(0, bytes.data.get(), file->size());
  if (got < 0) return failed(std::strerror(errno));
  bytes.size = static_cast<size_t>(got);
  return bytes;
}

// The version of the log, or an error that says what the bytes are.
Result<uint64_t> sniff(const uint8_t* data, size_t size, const std::string& name) {
  const Status foreign = Status::error("not an Oriel log: " + name);
  if (size == 0) return Status::error("empty file, not an Oriel log yet: " + name);
  const uint8_t code[] = {static_cast<uint8_t>(Block::kIntro), 0};
  if (std::memcmp(data, code, std::min(size, sizeof code)) != 0) return foreign;
  const Status cut = Status::error("an Oriel log cut off in its intro, after " + std::to_string(size) +
                                   " bytes; there is nothing to read in it: " + name);
  if (size < kBlockHeaderSize) return cut;
  size_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<size_t>(data[2 + i]) << (8 * i);
  if (length > kMaxIntro) return foreign;
  Cursor in{data + kBlockHeaderSize, data + kBlockHeaderSize + std::min(length, size - kBlockHeaderSize)};
  uint64_t version = 0;
  if (in.left() == 0 && length != 0) return cut;
  if (!in.integer(version) || version == 0) return foreign;
  if (version != kVersion1 && version != kVersion2) {
    return Status::error("an Oriel log of version " + std::to_string(version) +
                         ", but this oriel reads versions 1 and 2; use a newer one: " + name);
  }
  if (length > size - kBlockHeaderSize) return cut;
  return version;
}

// Reads a check block whose contents begin at `data`: bounded by its header or, if that is damaged, by its fields.
// False if it is incomplete.
bool read_check(const uint8_t* data, size_t size, size_t at, BlockView& check) {
  constexpr size_t kLeast = 2 * sizeof(uint64_t) + 1;
  if (read_block(data, size, at - kBlockHeaderSize, check) && check.size >= kLeast) return true;
  Cursor in{data + at, data + size};
  CheckBlock contents;
  if (!read_record(in, kVersion2, contents)) return false;
  check = {Block::kCheck, data + at, static_cast<size_t>(in.at - data) - at, at - kBlockHeaderSize};
  return true;
}

// Finds the first check block after `at` by its marker alone, as any other byte may be damaged.
bool find_check(const uint8_t* data, size_t size, size_t at, BlockView& check) {
  uint8_t marker[8];
  for (int i = 0; i < 8; ++i) marker[i] = static_cast<uint8_t>(kCheckMarker >> (8 * i));
  for (size_t from = at + kBlockHeaderSize; from < size;) {
    const void* found = memmem(data + from, size - from, marker, sizeof marker);
    if (found == nullptr) return false;
    const auto where = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (read_check(data, size, where, check)) return true;
    from = where + 1;
  }
  return false;
}

// Whether the hash at the end of the check block matches the bytes from `start` to it.
bool matches(const uint8_t* data, size_t start, const BlockView& check) {
  const uint8_t* field = check.data + check.size - sizeof(uint64_t);
  uint64_t hash = 0;
  for (int i = 0; i < 8; ++i) hash |= static_cast<uint64_t>(field[i]) << (8 * i);
  return XXH64(data + start, static_cast<size_t>(field - data) - start, 0) == hash;
}

// One pass over a log: stretches up to a check block, then the tail after the last one.
class LogDecoder {
 public:
  LogDecoder(const uint8_t* data, size_t size, uint64_t version, EventSink& sink, const Progress& progress)
      : data_(data),
        size_(size),
        version_(version),
        sink_(sink),
        progress_(progress),
        blocks_(sink, version, outcome_) {}

  DecodeOutcome run() {
    outcome_.bytes = size_;
    size_t at = 0;
    while (version_ != kVersion1) {
      BlockView check;
      if (!find_check(data_, size_, at, check)) break;
      at = matches(data_, at, check) ? whole_stretch(at, check) : damaged_stretch(at, check);
    }
    at = tail(at);
    outcome_.torn_bytes = size_ - at;
    if (progress_) progress_(size_, size_);
    return outcome_;
  }

 private:
  // Decode the blocks between two check blocks; return where the second ends.
  size_t whole_stretch(size_t at, const BlockView& check) {
    BlockView block;
    for (; at < check.offset && read_block(data_, check.offset, at, block); at = end_of(block)) decode(block);
    if (at != check.offset) damaged(at, check.offset);
    decode(check);
    return end_of(check);
  }

  size_t damaged_stretch(size_t at, const BlockView& check) {
    const size_t start = at;
    ++outcome_.corrupt_blocks;  // if blocks cannot be followed, at least one; else the check block
    BlockView block;
    for (; at < check.offset && read_block(data_, check.offset, at, block); at = end_of(block)) {
      if (block.code == Block::kCheck) {  // only its marker is damaged
        damaged(start, end_of(block));
        return end_of(block);
      }
      blocks_.salvage(block);
    }
    damaged(start, check.offset);
    return end_of_damaged(check);
  }

  // As in its header if a block follows there; otherwise its length is damaged, and its fields give the end.
  size_t end_of_damaged(const BlockView& check) const {
    BlockView next;
    const bool follows = read_block(data_, size_, end_of(check), next) && next.code <= kLastBlock;
    Cursor in{check.data, data_ + size_};
    CheckBlock contents;
    if (follows || end_of(check) == size_ || !read_record(in, version_, contents)) return end_of(check);
    return static_cast<size_t>(in.at - data_);
  }

  static size_t end_of(const BlockView& block) { return block.offset + kBlockHeaderSize + block.size; }

  size_t tail(size_t at) {
    BlockView block;
    for (; read_block(data_, size_, at, block); at = end_of(block)) decode(block);
    return at;
  }

  void decode(const BlockView& block) {
    blocks_.decode(block);
    if (progress_ && block.offset >= told_ + kProgressStep) {
      told_ = block.offset;
      progress_(told_, size_);
    }
  }

  void damaged(size_t from, size_t to) {
    sink_.on_problem(from, "the log is damaged between bytes " + std::to_string(from) + " and " + std::to_string(to) +
                               ": samples and events of that time are left out, names from there may be wrong");
  }

  const uint8_t* data_;
  size_t size_;
  uint64_t version_;
  EventSink& sink_;
  const Progress& progress_;
  DecodeOutcome outcome_;
  BlockDecoder blocks_;
  uint64_t told_ = 0;
};

Result<DecodeOutcome> decode_named(const uint8_t* data, size_t size, const std::string& name, EventSink& sink,
                                   const Progress& progress) {
  const Result<uint64_t> version = sniff(data, size, name);
  if (!version) return version.status();
  return LogDecoder(data, size, *version, sink, progress).run();
}

}  // namespace

Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink, const Progress& progress) {
  const Result<Bytes> bytes = read_file(path);
  if (!bytes) return bytes.status();
  return decode_named(bytes->data.get(), bytes->size, path, sink, progress);
}

Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink) {
  return decode_named(data, size, "bytes in memory", sink, {});
}

}  // namespace oriel::log
