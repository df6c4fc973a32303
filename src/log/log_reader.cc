#include "log/log_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "log/framing.h"
#include "log/ring_view.h"

namespace oriel::log {
namespace {

// A window grows for a longer stretch. Writers make none that comes near the last.
constexpr size_t kWindow = 8u << 20, kLongest = 512u << 20;

Status cannot_read(const std::string& path, const std::string& why) {
  const bool is_folder = why == "it is a folder";
  return Status::error("cannot read " + path + ": " + why + (is_folder ? "; name a log file" : ""));
}

}  // namespace

Status LogReader::fill(const LogBytes& log, const std::string& path, size_t capacity, Window& window) {
  size_t size = window.bytes.size();
  if (capacity > window.capacity) {
    std::unique_ptr<uint8_t[]> larger(new (std::nothrow) uint8_t[capacity]);
    if (larger == nullptr) return cannot_read(path, std::strerror(ENOMEM));
    std::copy_n(window.bytes.data(), size, larger.get());
    window.room = std::move(larger);
    window.capacity = capacity;
  } else if (size != 0) {
    std::memmove(window.room.get(), window.bytes.data(), size);
  }
  const size_t room = window.capacity - size;
  const int64_t got = log.read_some(window.begin + size, window.room.get() + size, room);
  if (got < 0) return cannot_read(path, std::strerror(errno));
  size += static_cast<size_t>(got);
  window.bytes = {window.room.get(), size};
  window.is_last = static_cast<size_t>(got) < room || window.begin + size == log.size();
  return Status::ok();
}

void LogReader::set_whole(std::span<const uint8_t> log) {
  window_.bytes = log;
  window_.begin = 0;
  window_.is_last = true;
  log_bytes_ = log.size();
  blocks_.set_window(log, 0, true);
}

Result<LogReader> LogReader::open(const std::string& path) {
  auto log = LogBytes::open(path);
  if (!log) return cannot_read(path, log.message());
  Window window;
  if (Status status = fill(*log, path, std::min<uint64_t>(kWindow, log->size()), window); !status) return status;
  const Result<uint64_t> version = read_version(window.bytes.data(), window.bytes.size(), path);
  if (!version) return version.status();
  LogReader reader(*version, log->size());
  RingView ring;
  if (find_ring(window.bytes.data(), window.bytes.size(), ring)) {
    const Result<std::vector<uint8_t>> file = log->read_ring(ring);
    if (!file) return cannot_read(path, file.message());
    // It may have changed since: its begin, as segments are overwritten, or all of it.
    if (!find_ring(file->data(), file->size(), ring)) return cannot_read(path, "it has become another file");
    reader.file_bytes_ = file->size();
    reader.ring_ = log_in_ring(file->data(), file->size(), ring, log->tails());
    reader.set_whole(reader.ring_);
    return reader;
  }
  reader.path_ = path;
  reader.file_ = std::move(*log);
  reader.window_ = std::move(window);
  reader.blocks_.set_window(reader.window_.bytes, 0, reader.window_.is_last);
  return reader;
}

Result<LogReader> LogReader::in(std::span<const uint8_t> bytes, const std::string& name) {
  const Result<uint64_t> version = read_version(bytes.data(), bytes.size(), name);
  if (!version) return version.status();
  LogReader reader(*version, bytes.size());
  RingView ring;
  if (find_ring(bytes.data(), bytes.size(), ring)) {
    reader.ring_ = log_in_ring(bytes.data(), bytes.size(), ring);
    bytes = reader.ring_;
  }
  reader.set_whole(bytes);
  return reader;
}

// Of a stretch that is too long for any window all is read as of the last.
Status LogReader::next_window() {
  const size_t used = blocks_.used();
  window_.bytes = window_.bytes.subspan(used);
  window_.begin += used;
  if (used == 0 && window_.capacity >= kLongest) {
    window_.is_last = true;
  } else {
    const size_t wanted = used == 0 ? 2 * window_.capacity : window_.capacity;
    const uint64_t left = file_->size() - window_.begin;
    if (Status status = fill(*file_, path_, std::min<uint64_t>(wanted, left), window_); !status) return status;
  }
  blocks_.set_window(window_.bytes, window_.begin, window_.is_last);
  return Status::ok();
}

void LogReader::go_to(uint64_t offset) {
  window_.bytes = {};
  window_.begin = offset;
  failed_ = fill(*file_, path_, window_.capacity, window_);
  blocks_.set_place(window_.bytes, window_.begin, window_.is_last);
}

bool LogReader::next(FoundBlock& found, const BlockReader::Problem& problem) {
  while (!blocks_.next(found, problem)) {
    if (window_.is_last || !failed_) return false;
    failed_ = next_window();
    if (!failed_) return false;
  }
  return true;
}

}  // namespace oriel::log
