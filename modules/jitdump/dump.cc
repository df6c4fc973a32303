#include "dump.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/clock.h"
#include "base/files/input_file.h"
#include "log/write_all.h"
#include "records.h"

namespace oriel::jitdump {
namespace {

Status cannot_write(const std::string& path, int error) {
  return Status::error("jitdump: cannot write " + path + ": " + std::strerror(error));
}

// Of a process before with this number.
bool is_dump(const std::string& path) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 40;
  const Result<InputFile> file = InputFile::open(path, kMostBytes);
  const std::string own = header(0, 0).substr(0, sizeof(uint32_t));
  std::string found(own.size(), 0);
  return file && file->read(0, found.data(), found.size()) && found == own;
}

size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Dump::~Dump() {
  if (mark_ != nullptr) munmap(mark_, page());
}

Status Dump::open(const std::string& path) {
  path_ = path;
  if (is_dump(path)) unlink(path.c_str());
  file_.replace(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file_.number() < 0) return cannot_write(path, errno);
  write(header(static_cast<uint32_t>(getpid()), clock_monotonic_ns()));
  if (!failed_) return failed_;
  void* const mark = mmap(nullptr, page(), PROT_READ | PROT_EXEC, MAP_PRIVATE, file_.number(), 0);
  if (mark == MAP_FAILED)
    return Status::error("jitdump: " + path + " cannot be mapped as code (" + std::strerror(errno) +
                         "), by which perf finds it; name a folder that is not mounted noexec: jitdump:FOLDER");
  mark_ = mark;
  return Status::ok();
}

void Dump::write(const std::string& records) {
  if (!failed_) return;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(records.data());
  if (const int error = log::write_all(file_.number(), bytes, records.size())) failed_ = cannot_write(path_, error);
}

Status Dump::close() {
  write(close_record(clock_monotonic_ns()));
  file_.replace(-1);
  return failed_;
}

}  // namespace oriel::jitdump
