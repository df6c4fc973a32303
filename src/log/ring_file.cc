#include "log/ring_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "log/encoder.h"
#include "log/framing.h"
#include "log/layout.h"
#include "log/place.h"
#include "log/write_all.h"

namespace oriel::log {
namespace {

constexpr uint64_t kCopyAtOnce = 1u << 20;

void put_block_header(Block code, uint64_t length, ByteBuffer& out) {
  uint8_t* const header = out.room(kBlockHeaderSize);
  write_block_header(header, code, static_cast<uint32_t>(length));
  out.commit(header + kBlockHeaderSize);
}

}  // namespace

Result<std::unique_ptr<RingFile>> RingFile::create(const std::string& path, const Intro& intro, Bounds bounds) {
  try {
    std::unique_ptr<RingFile> ring(new RingFile(bounds));
    const Result<int> file = create_log(path);
    if (!file) return file.status();
    ring->file_ = *file;
    ring->path_ = path;
    if (const int error = ring->write_intro(intro); error != 0)
      return Status::error("cannot write the log " + path + ": " + std::strerror(error) +
                           "; give another path with -o");
    return ring;
  } catch (const std::exception&) {
    return Status::error("out of memory");
  }
}

RingFile::~RingFile() { close(); }

Status RingFile::begin_tail() {
  if (tail_) return Status::ok();
  auto tail = TailFile::create(path_);
  if (!tail) return tail.status();
  tail_ = std::move(*tail);
  tail_->set_front(front_);
  return Status::ok();
}

void RingFile::close() {
  if (tail_) tail_->remove();
  tail_.reset();
  if (file_ >= 0) close_log(std::exchange(file_, -1));
}

int RingFile::write_intro(const Intro& intro) {
  ByteBuffer contents, front;
  Encoder encoder(contents);
  fields(encoder, intro);
  put_block_header(Block::kIntro, contents.size(), front);
  front.append(contents.data(), contents.size());
  put_block_header(Block::kRing, kRingHeadBytes + bounds_.bytes, front);
  head_ = front.size();
  front_.assign(front.data(), front.data() + front.size());
  ring_ = head_ + kRingHeadBytes;
  if (const int error = write_all_at(file_, 0, front.data(), front.size()); error != 0) return error;
  return write_head();
}

int RingFile::write_head() {
  ByteBuffer bytes;
  Encoder encoder(bytes);
  const RingHead head{bounds_.bytes, segments_.empty() ? end_ : segments_.front().begin, end_};
  fields(encoder, head);
  return write_all_at(file_, head_, bytes.data(), bytes.size());
}

bool RingFile::fits(uint64_t size, bool begins_segment) const {
  return size + (begins_segment ? 0 : segment_bytes()) <= bounds_.bytes;
}

void RingFile::drop_too_old(uint64_t now_ns) {
  while (segments_.size() > 1 && now_ns - segments_[1].since_ns >= bounds_.ns) {
    segments_.pop_front();
    dropped_for_room_ = false;
  }
}

// What is overwritten must not count before, and what is written must not count until it is there.
int RingFile::append(const uint8_t* data, uint64_t size, bool begins_segment, uint64_t now_ns) {
  if (begins_segment) {
    segments_.push_back({end_, now_ns});
    drop_too_old(now_ns);
  }
  while (segments_.front().begin + bounds_.bytes < end_ + size) {
    segments_.pop_front();
    dropped_for_room_ = true;
  }
  if (const int error = write_head(); error != 0) return error;
  const uint64_t at = end_ % bounds_.bytes, first = std::min(size, bounds_.bytes - at);
  if (const int error = write_all_at(file_, ring_ + at, data, first); error != 0) return error;
  if (const int error = write_all_at(file_, ring_, data + first, size - first); error != 0) return error;
  end_ += size;
  return write_head();
}

RingFile::Held RingFile::held(uint64_t now_ns) const {
  if (segments_.empty()) return {};
  const uint64_t ns = now_ns - segments_.front().since_ns;
  return {ns, end_ - segments_.front().begin, dropped_for_room_ && ns < bounds_.ns};
}

int RingFile::copy_to(int file, uint64_t now_ns, const std::function<void()>& between) const {
  if (segments_.empty()) return 0;
  size_t first = 0;
  while (first + 1 < segments_.size() && now_ns - segments_[first + 1].since_ns >= bounds_.ns) ++first;
  std::vector<uint8_t> part(kCopyAtOnce);
  for (uint64_t from = segments_[first].begin; from < end_;) {
    const uint64_t at = from % bounds_.bytes;
    const uint64_t size = std::min({kCopyAtOnce, end_ - from, bounds_.bytes - at});
    const ssize_t got = pread(file_, part.data(), size, static_cast<off_t>(ring_ + at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    if (const int error = write_all(file, part.data(), static_cast<size_t>(got)); error != 0) return error;
    from += static_cast<uint64_t>(got);
    between();
  }
  return 0;
}

}  // namespace oriel::log
