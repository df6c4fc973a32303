#include "log/log_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "log/framing.h"

namespace oriel::log {

Result<LogBytes> LogBytes::open(const std::string& path) {
  // Before the log, which may grow meanwhile: then it has what is in the tail.
  std::vector<Tail> tails = read_tails(path);
  Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  if (!file) return file.status();
  LogBytes bytes(std::move(*file));
  bytes.tails_ = std::move(tails);
  if (Status status = bytes.find_tail(); !status) return status;
  return bytes;
}

// Of a flush that was under way when the process was killed, only a part may be there; the tail has all of it.
Status LogBytes::find_tail() {
  if (tails_.empty()) return Status::ok();
  uint8_t front[kMostFrontBytes];
  const int64_t got = file_.read_some(0, front, std::min<uint64_t>(sizeof front, own_));
  if (got < 0) return Status::error(std::strerror(errno));
  for (Tail& tail : tails_) {
    if (tail.at == 0 || tail.at > own_ || !tail.is_of({front, static_cast<size_t>(got)})) continue;
    const Result<bool> flushed = has_check_behind(tail.at);
    if (!flushed) return flushed.status();
    if (*flushed) continue;
    own_ = tail.at;
    tail_ = std::move(tail.blocks);
    tails_.clear();
    return Status::ok();
  }
  return Status::ok();
}

Result<bool> LogBytes::has_check_behind(uint64_t at) const {
  // A flush is hardly larger than what a tail may hold; of a larger one it is enough to see that it is.
  const uint64_t size = file_.size() - at;
  if (size > 4 * kMostTailBytes) return true;
  std::vector<uint8_t> flush(size);
  if (!file_.read(at, flush.data(), flush.size())) return false;
  BlockView check;
  if (!find_check(flush.data(), flush.size(), 0, check)) return false;
  // What was cut is the last flush: if another one follows, this one is damaged.
  return matches(flush.data(), 0, check) || find_check(flush.data(), flush.size(), end_of(check), check);
}

int64_t LogBytes::read_some(uint64_t offset, uint8_t* to, size_t size) const {
  int64_t all = 0;
  if (offset < own_) {
    const auto own = static_cast<size_t>(std::min<uint64_t>(size, own_ - offset));
    all = file_.read_some(offset, to, own);
    if (all < 0 || static_cast<size_t>(all) < own) return all;
    offset += own;
    to += own;
    size -= own;
  }
  const uint64_t from = offset - own_;
  if (size == 0 || from >= tail_.size()) return all;
  const auto more = static_cast<size_t>(std::min<uint64_t>(size, tail_.size() - from));
  std::copy_n(tail_.begin() + static_cast<ptrdiff_t>(from), more, to);
  return all + static_cast<int64_t>(more);
}

Result<std::vector<uint8_t>> LogBytes::read_ring(const RingView& ring) const {
  constexpr uint64_t kMost = uint64_t{5} << 30;  // recorders have at most 4 GB
  if (file_.size() > kMost) return Status::error("it is larger than a flight recorder's file can be");
  try {
    std::vector<uint8_t> file(file_.size());
    const int64_t got = file_.read_some(0, file.data(), file.size());
    if (got < 0) return Status::error(std::strerror(errno));
    file.resize(static_cast<size_t>(got));
    if (file.size() > ring.ring_at) leave_out_overwritten(ring, file);
    return file;
  } catch (const std::bad_alloc&) {
    return Status::error(std::strerror(ENOMEM));
  }
}

// While the file was read, its writer may have overwritten the oldest segments. It says so before it does.
void LogBytes::leave_out_overwritten(const RingView& ring, std::vector<uint8_t>& file) const {
  RingView now;
  std::vector<uint8_t> front(ring.ring_at);
  if (!file_.read(0, front.data(), front.size()) || !find_ring(front.data(), front.size(), now)) return;
  uint8_t* at = file.data() + ring.head_at + sizeof now.head.bytes;
  for (int shift = 0; shift < 64; shift += 8) *at++ = static_cast<uint8_t>(now.head.begin >> shift);
}

}  // namespace oriel::log
