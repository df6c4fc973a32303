#include "log/ring_view.h"

#include <algorithm>

#include "log/field_reader.h"
#include "log/framing.h"
#include "log/layout.h"

namespace oriel::log {

bool find_ring(const uint8_t* data, size_t size, RingView& ring) {
  BlockView intro;
  if (!read_block(data, size, 0, intro) || intro.code != Block::kIntro) return false;
  const size_t at = end_of(intro);
  if (size - at < kBlockHeaderSize + kRingHeadBytes) return false;
  if ((data[at] | data[at + 1] << 8) != static_cast<int>(Block::kRing)) return false;
  ring.head_at = at + kBlockHeaderSize;
  ring.ring_at = ring.head_at + kRingHeadBytes;
  Cursor in{data + ring.head_at, data + ring.ring_at};
  return read_record(in, kVersion2, ring.head);
}

std::vector<uint8_t> log_in_ring(const uint8_t* data, size_t size, const RingView& ring, std::span<const Tail> tails) {
  const uint64_t bytes = ring.head.bytes, begin = ring.head.begin, end = ring.head.end;
  const auto intro_alone = [&] { return std::vector<uint8_t>(data, data + ring.head_at - kBlockHeaderSize); };
  const uint64_t there = size - ring.ring_at;  // less than the ring's bytes until it is full
  if (bytes == 0 || begin >= end || end - begin > std::min(bytes, there)) return intro_alone();
  const uint64_t from = begin % bytes, length = end - begin;
  const uint64_t first = std::min(length, bytes - from);
  if (from + first > there) return intro_alone();
  std::vector<uint8_t> log;
  log.reserve(length);
  const uint8_t* const ring_bytes = data + ring.ring_at;
  log.insert(log.end(), ring_bytes + from, ring_bytes + from + first);
  log.insert(log.end(), ring_bytes, ring_bytes + (length - first));
  const auto goes_on = [&](const Tail& tail) { return tail.at == (end | kInRing) && tail.is_of({data, ring.head_at}); };
  const auto tail = std::ranges::find_if(tails, goes_on);
  if (tail != tails.end()) log.insert(log.end(), tail->blocks.begin(), tail->blocks.end());
  return log;
}

}  // namespace oriel::log
