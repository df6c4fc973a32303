#include "base/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "base/files/descriptor.h"

namespace oriel {
namespace {

Status failed(int error) { return Status::error(std::strerror(error)); }

Status check_kind(const struct stat& file) {
  switch (file.st_mode & S_IFMT) {
    case S_IFREG:
      return Status::ok();
    case S_IFDIR:
      return Status::error("it is a folder");
    case S_IFIFO:
      return Status::error("it is a pipe, not a file");
    case S_IFSOCK:
      return Status::error("it is a socket, not a file");
    default:
      return Status::error("it is a device, not a file");
  }
}

std::string megabytes(uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

Status check_size(uint64_t bytes, uint64_t most) {
  if (bytes <= most) return Status::ok();
  return Status::error("it has " + megabytes(bytes) + ", and no more than " + megabytes(most) + " are read");
}

template <typename Bytes>
Result<Bytes> read_whole(const std::string& path, uint64_t most) try {
  const Result<InputFile> file = InputFile::open(path, most);
  if (!file) return file.status();
  Bytes bytes(file->size(), {});
  const int64_t got = file->read_some(0, bytes.data(), bytes.size());
  if (got < 0) return failed(errno);
  bytes.resize(static_cast<size_t>(got));
  return bytes;
} catch (const std::bad_alloc&) {
  return Status::error("there is no memory for it");
}

}  // namespace

// Checked before opening too, as opening a device may have side effects.
Result<InputFile> InputFile::open(const std::string& path, uint64_t most) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return failed(errno);
  if (Status status = check_kind(about); !status) return status;
  InputFile file(open_with_high_number(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY), 0);
  if (file.number_ < 0 || fstat(file.number_, &about) != 0) return failed(errno);
  if (Status status = check_kind(about); !status) return status;
  file.size_ = static_cast<uint64_t>(about.st_size);
  if (Status status = check_size(file.size_, most); !status) return status;
  return file;
}

InputFile::~InputFile() {
  if (number_ >= 0) close(number_);
}

int64_t InputFile::read_some(uint64_t offset, void* to, size_t size) const {
  auto* const out = static_cast<uint8_t*>(to);
  size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(number_, out + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return static_cast<int64_t>(done);
}

bool InputFile::read(uint64_t offset, void* to, size_t size) const {
  if (offset > size_ || size > size_ - offset) return false;
  return read_some(offset, to, size) == static_cast<int64_t>(size);
}

Status check_input(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return failed(errno);
  if (Status status = check_kind(about); !status) return status;
  return access(path.c_str(), R_OK) == 0 ? Status::ok() : failed(errno);
}

Result<std::vector<uint8_t>> read_input(const std::string& path, uint64_t most) {
  return read_whole<std::vector<uint8_t>>(path, most);
}

Result<std::string> read_input_text(const std::string& path, uint64_t most) {
  return read_whole<std::string>(path, most);
}

Result<std::string> read_stream(int descriptor, uint64_t most) try {
  std::string text;
  char bytes[1 << 16];
  for (;;) {
    const ssize_t got = ::read(descriptor, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(errno);
    if (got == 0) return text;
    text.append(bytes, static_cast<size_t>(got));
    if (text.size() > most) return Status::error("more than " + megabytes(most) + " came");
  }
} catch (const std::bad_alloc&) {
  return Status::error("there is no memory for it");
}

}  // namespace oriel
