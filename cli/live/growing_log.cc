#include "live/growing_log.h"

#include <cerrno>
#include <cstring>
#include <vector>

namespace oriel::cli {

Status GrowingLog::open(const std::string& path) {
  Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  if (!file) return Status::error("cannot read the program's log " + path + ": " + file.message());
  path_ = path;
  file_.emplace(std::move(*file));
  at_ = 0;
  return Status::ok();
}

Status GrowingLog::read(log::RecentLog& to, int64_t now_ns) {
  constexpr size_t kPiece = 1u << 20;
  std::vector<uint8_t> piece(kPiece);
  for (;;) {
    const int64_t got = file_ ? file_->read_some(at_, piece.data(), piece.size()) : 0;
    if (got < 0) return Status::error("cannot read the program's log " + path_ + ": " + std::strerror(errno));
    at_ += static_cast<uint64_t>(got);
    if (Status status = to.add({piece.data(), static_cast<size_t>(got)}, now_ns); !status) return status;
    if (static_cast<size_t>(got) < piece.size()) return Status::ok();
  }
}

}  // namespace oriel::cli
