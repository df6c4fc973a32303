#include "log/recent.h"

#include <algorithm>
#include <memory>

#include "log/compressed.h"
#include "log/field_reader.h"
#include "log/framing.h"

namespace oriel::log {
namespace {

constexpr size_t kMost = 64u << 20;

void append(const uint8_t* bytes, size_t size, std::vector<uint8_t>& to) { to.insert(to.end(), bytes, bytes + size); }

}  // namespace

Status RecentLog::add(std::span<const uint8_t> bytes, int64_t now_ns) {
  if (past_ns_ == -1) past_ns_ = now_ns;
  if (reads_.empty() || reads_.back().ns != now_ns) reads_.push_back({now_ns, {}});
  append(bytes.data(), bytes.size(), pending_);
  BlockView block;
  if (version_ == 0) {
    if (!read_block(pending_.data(), pending_.size(), 0, block)) return Status::ok();
    const Result<uint64_t> version = read_version(pending_.data(), pending_.size(), "the program's log");
    if (!version) return version.status();
    if (*version == kVersion1) return Status::error("the program's log is of an older version that cannot be followed");
    version_ = *version;
  }
  size_t at = 0;
  BlockView check;
  while (find_check(pending_.data(), pending_.size(), at, check)) {
    const bool is_whole = matches(pending_.data(), at, check);
    if (is_whole) take_flush(at, end_of(check));
    at = is_whole ? end_of(check) : end_of_damaged(pending_.data(), pending_.size(), check);
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(at));
  while (kept_ > kMost && reads_.size() > 1) drop_first_read();
  return Status::ok();
}

void RecentLog::take_flush(size_t from, size_t to) {
  BlockView block;
  for (; from < to && read_block(pending_.data(), to, from, block); from = end_of(block))
    take_block(pending_.data() + from, kBlockHeaderSize + block.size, block.code);
}

void RecentLog::take_block(const uint8_t* block, size_t size, Block code) {
  const uint8_t* const data = block + kBlockHeaderSize;
  switch (code) {
    case Block::kIntro:
      intro_.assign(block, block + size);
      return;
    case Block::kMapping:
    case Block::kStacks:
    case Block::kOptions:
      return append(block, size, definitions_);
    case Block::kCounters:
      counters_.assign(block, block + size);
      return;
    case Block::kEvents:
    case Block::kCalls:
    case Block::kSamples:
    case Block::kProcess:
    case Block::kLoaded:
    case Block::kUnloaded:
      if (reads_.back().ns == past_ns_) return;
      kept_ += size;
      return append(block, size, reads_.back().blocks);
    case Block::kCompressed:
      return take_compressed(data, size - kBlockHeaderSize);
    case Block::kEnd:
      has_ended_ = true;
      return;
    default:  // results of a whole run, and what is about the file
      return;
  }
}

void RecentLog::take_compressed(const uint8_t* data, size_t size) {
  Cursor in{data, data + size};
  CompressedBlock head;
  if (!read_record(in, version_, head)) return;
  const std::unique_ptr<uint8_t[]> raw = decompress(in.at, in.left(), head.raw_size);
  if (raw == nullptr) return;
  BlockView block;
  for (size_t at = 0; read_block(raw.get(), head.raw_size, at, block); at = end_of(block)) {
    if (block.code == Block::kIntro || block.code == Block::kCheck || block.code == Block::kCompressed) return;
    take_block(raw.get() + at, kBlockHeaderSize + block.size, block.code);
  }
}

void RecentLog::drop_first_read() {
  kept_ -= reads_.front().blocks.size();
  since_ns_ = std::max(since_ns_, reads_.front().ns);
  reads_.pop_front();
}

void RecentLog::forget_until(int64_t ns) {
  while (!reads_.empty() && reads_.front().ns <= ns) drop_first_read();
}

std::vector<uint8_t> RecentLog::bytes() const {
  std::vector<uint8_t> all;
  if (intro_.empty()) return all;
  all.reserve(intro_.size() + definitions_.size() + counters_.size() + kept_);
  append(intro_.data(), intro_.size(), all);
  append(definitions_.data(), definitions_.size(), all);
  append(counters_.data(), counters_.size(), all);
  for (const Read& read : reads_) append(read.blocks.data(), read.blocks.size(), all);
  return all;
}

}  // namespace oriel::log
