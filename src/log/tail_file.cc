#include "log/tail_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files/descriptor.h"
#include "base/files/input_file.h"
#include "base/files/open_file.h"
#include "log/write_all.h"

namespace oriel::log {
namespace {

constexpr uint64_t kMagic = 0x4c494154'4c45524f;  // "ORELTAIL"
constexpr size_t kSlots = 2;

// A slot's head, as it lies in the file; the blocks follow.
struct SlotHead {
  uint64_t magic = kMagic;
  uint64_t hash = 0;    // of what follows, with the blocks
  uint64_t number = 0;  // of writes: the larger is the newer
  uint64_t front = 0, front_size = 0;
  uint64_t at = 0;
  uint64_t size = 0;  // of the blocks
};
constexpr size_t kHashed = offsetof(SlotHead, number);
constexpr uint64_t kSlotBytes = sizeof(SlotHead) + kMostTailBytes;

std::string tail_of(const std::string& log_path) { return log_path + ".tail"; }

uint64_t hash_of(const uint8_t* slot, size_t size) { return XXH64(slot + kHashed, size - kHashed, 0); }

// Whether the file was made by another writer of this kind, or holds nothing.
bool is_tail(int file) {
  uint64_t magic = 0;
  const ssize_t got = pread(file, &magic, sizeof magic, 0);
  return got == 0 || (got == sizeof magic && (magic == kMagic || magic == 0));
}

// Makes room for the file at `path`; returns what stands against it.
const char* objection_to(const std::string& path) {
  struct stat place {};
  if (lstat(path.c_str(), &place) != 0) return nullptr;
  const OpenFile old(open_with_high_number(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!S_ISREG(place.st_mode) || old.number() < 0 || !is_tail(old.number()))
    return "it exists and is not the tail of a log";
  return unlink(path.c_str()) == 0 ? nullptr : "it cannot be replaced";
}

bool read_slot(const InputFile& file, uint64_t offset, uint64_t& number, Tail& tail) {
  SlotHead head;
  if (!file.read(offset, &head, sizeof head) || head.magic != kMagic || head.size > kMostTailBytes) return false;
  std::vector<uint8_t> slot(sizeof head + head.size);
  std::memcpy(slot.data(), &head, sizeof head);
  if (!file.read(offset + sizeof head, slot.data() + sizeof head, head.size)) return false;
  if (hash_of(slot.data(), slot.size()) != head.hash) return false;
  number = head.number;
  tail = {head.front, head.front_size, head.at, {slot.begin() + sizeof head, slot.end()}};
  return true;
}

}  // namespace

Result<std::unique_ptr<TailFile>> TailFile::create(const std::string& log_path) {
  std::string path = tail_of(log_path);
  const auto failed = [&](const char* why) {
    return Status::error("cannot write " + path + ": " + why +
                         "; if the program is killed, the last 0.3 seconds are missing in the log");
  };
  if (const char* objection = objection_to(path)) return failed(objection);
  OpenFile file(open_with_high_number(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (file.number() < 0) return failed(std::strerror(errno));
  std::unique_ptr<TailFile> made(new TailFile(std::move(path), file.release()));
  fstat(made->file_, &made->identity_);
  return made;
}

TailFile::~TailFile() {
  if (file_ >= 0 && is_ours()) close(file_);
}

void TailFile::set_front(std::span<const uint8_t> front) {
  front = front.first(std::min(front.size(), kMostFrontBytes));
  front_ = XXH64(front.data(), front.size(), 0);
  front_size_ = front.size();
}

// As of a log's file (writer.cc): the number may have become another file's.
bool TailFile::is_ours() const {
  struct stat now {};
  return fstat(file_, &now) == 0 && now.st_dev == identity_.st_dev && now.st_ino == identity_.st_ino;
}

bool TailFile::write(uint64_t at, std::span<const uint8_t> blocks) {
  if (file_ < 0 || blocks.size() > kMostTailBytes) return false;
  SlotHead head{.number = ++written_, .front = front_, .front_size = front_size_, .at = at, .size = blocks.size()};
  slot_.resize(sizeof head + blocks.size());
  std::memcpy(slot_.data(), &head, sizeof head);
  std::ranges::copy(blocks, slot_.begin() + sizeof head);
  head.hash = hash_of(slot_.data(), slot_.size());
  std::memcpy(slot_.data(), &head, sizeof head);
  const bool ours = is_ours();
  if (ours && write_all_at(file_, written_ % kSlots * kSlotBytes, slot_.data(), slot_.size()) == 0) return true;
  if (ours) close(file_);
  file_ = -1;
  return false;
}

void TailFile::remove() {
  struct stat named {};
  if (lstat(path_.c_str(), &named) == 0 && named.st_dev == identity_.st_dev && named.st_ino == identity_.st_ino)
    unlink(path_.c_str());
}

bool Tail::is_of(std::span<const uint8_t> log) const {
  return front_size != 0 && front_size <= std::min(kMostFrontBytes, log.size()) &&
         XXH64(log.data(), front_size, 0) == front;
}

std::vector<Tail> read_tails(const std::string& log_path) {
  std::vector<Tail> tails;
  const Result<InputFile> file = InputFile::open(tail_of(log_path), kSlots * kSlotBytes);
  if (!file) return tails;
  uint64_t numbers[kSlots] = {};
  for (size_t slot = 0; slot < kSlots; ++slot) {
    Tail tail;
    if (!read_slot(*file, slot * kSlotBytes, numbers[tails.size()], tail)) continue;
    tails.push_back(std::move(tail));
  }
  if (tails.size() == kSlots && numbers[0] < numbers[1]) std::swap(tails[0], tails[1]);
  return tails;
}

}  // namespace oriel::log
