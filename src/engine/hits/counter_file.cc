#include "engine/hits/counter_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "base/files/descriptor.h"
#include "base/files/open_file.h"
#include "engine/engine.h"

namespace oriel::hits {
namespace {

using coverage_file::Header;
using coverage_file::Kind;
using coverage_file::kSegmentHeader;
using coverage_file::kUnit;
using coverage_file::Segment;

Status cannot_write(const std::string& path, int error) {
  return Status::error("cannot write " + path + ": " + std::strerror(error));
}

// Whether the path has a file of this kind that is no longer in use.
bool is_left_over(const std::string& path) {
  const OpenFile old(open_with_high_number(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  char magic[sizeof coverage_file::kMagic] = {};
  return old.number() >= 0 && fstat(old.number(), &status) == 0 && S_ISREG(status.st_mode) &&
         pread(old.number(), magic, sizeof magic, 0) == sizeof magic &&
         std::memcmp(magic, coverage_file::kMagic, sizeof magic) == 0;
}

// Growing a file beyond the process's limit would raise a fatal signal.
bool is_allowed(uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size;
}

uint64_t rounded(uint64_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit; }

int fixed(const void* where) { return where != nullptr ? MAP_FIXED : 0; }

void* anonymous(uint64_t bytes, void* where) {
  void* memory = mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed(where), -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

Status CounterFile::create(const std::string& path, bool counts) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && !is_left_over(path))
    return Status::error(path + " already exists and holds no counters; remove it or name another log");
  unlink(path.c_str());
  const OpenFile file(open_with_high_number(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return cannot_write(path, errno);
  const Result<void*> memory = map_new(file.number(), kUnit, nullptr);
  if (!memory) {
    unlink(path.c_str());
    return Status::error("cannot write " + path + ": " + memory.message());
  }
  path_ = path;
  device_ = status.st_dev;
  number_ = status.st_ino;
  Header* const header = new (*memory) Header{};
  header->version = coverage_file::kVersion;
  header->counts = counts ? 1 : 0;
  header->bytes.store(kUnit);
  header->ended_period.store(coverage_file::kNoPeriod);
  std::memcpy(header->magic, coverage_file::kMagic, sizeof header->magic);
  header_ = header;
  return Status::ok();
}

// Disk space is allocated first: on a full disk, a store to an unallocated page would raise a fatal signal.
Result<void*> CounterFile::map_new(int file, uint64_t bytes, void* where) {
  if (!is_allowed(size_ + bytes)) return Status::error("the limit on files' sizes (ulimit -f) is too low");
  if (const int error = posix_fallocate(file, static_cast<off_t>(size_), static_cast<off_t>(bytes)))
    return Status::error(std::strerror(error));
  void* const memory =
      mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed(where), file, static_cast<off_t>(size_));
  if (memory == MAP_FAILED) return Status::error(std::strerror(errno));
  size_ += bytes;
  return memory;
}

Result<void*> CounterFile::grow(uint64_t bytes, void* where) {
  const OpenFile file(open_with_high_number(path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return Status::error(std::strerror(errno));
  if (status.st_dev != device_ || status.st_ino != number_) return Status::error("it was moved");
  return map_new(file.number(), bytes, where);
}

Segment* CounterFile::add(Kind kind, uint32_t width, uint64_t first, uint64_t bytes, void* where) {
  const uint64_t all = rounded(bytes + kSegmentHeader);
  void* memory = nullptr;
  if (exists() && !given_up_) {
    const Result<void*> grown = grow(all, where);
    if (grown) {
      memory = *grown;
    } else {
      given_up_ = true;
      warn((path_ + " cannot grow: " + grown.message() +
            "; the program runs on, but if it is killed, what is counted from now on is lost")
               .c_str());
    }
  }
  const bool in_file = memory != nullptr;
  if (!in_file) memory = kind == Kind::kRecords ? nullptr : anonymous(all, where);
  if (memory == nullptr) return nullptr;
  auto* const segment = new (memory) Segment{};
  segment->kind = kind;
  segment->width = width;
  segment->bytes = all;
  segment->first = first;
  if (in_file) header_->bytes.store(size_, std::memory_order_release);
  return segment;
}

void CounterFile::append(const std::string& record) {
  if (!exists()) return;
  const auto room = [&] {
    return records_ == nullptr ? 0 : records_->bytes - kSegmentHeader - records_->used.load(std::memory_order_relaxed);
  };
  if (room() < record.size()) {
    records_ = add(Kind::kRecords, 1, 0, std::max<uint64_t>(record.size(), kUnit - kSegmentHeader));
    if (room() < record.size()) return;
  }
  const uint64_t used = records_->used.load(std::memory_order_relaxed);
  std::memcpy(coverage_file::data_of(records_) + used, record.data(), record.size());
  records_->used.store(used + record.size(), std::memory_order_release);
}

}  // namespace oriel::hits
