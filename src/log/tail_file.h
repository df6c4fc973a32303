// The file beside a log that holds the log's tail: what its writer has gathered since the last flush. A log is written
// a few times a second, because its blocks are dense only if they are long. Its tail is written much more often, and
// overwritten each time. Where a process was killed, a reader finds in it what was not flushed. The file has the log's
// name with ".tail" behind it, and is removed when the log ends.
//
// It has two slots, which are written in turn. A slot has a head with a hash over itself and the blocks behind it, so a
// slot that was being written when the process was killed is not taken for a whole one.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::log {

inline constexpr size_t kMostTailBytes = 1u << 20;  // of blocks in a slot
inline constexpr size_t kMostFrontBytes = 256;      // by which a log is known

inline constexpr uint64_t kInRing = uint64_t{1} << 63;  // what comes before it is in a ring

// For the log's writer, on its thread.
class TailFile {
 public:
  // Replaces a file that another log's writer left. Errors name the path and the reason.
  static Result<std::unique_ptr<TailFile>> create(const std::string& log_path);
  ~TailFile();  // closes it; see remove()
  TailFile(const TailFile&) = delete;
  TailFile& operator=(const TailFile&) = delete;

  // The first bytes of the log, by which a reader knows whose tail it is (the process and the time are among them).
  // Before the first write.
  void set_front(std::span<const uint8_t> front);
  // `blocks` are what the log goes on with, behind what `at` says (Tail::at). Whole blocks with their check block, at
  // most kMostTailBytes. False: nothing was written, as they are more, or there was an error (disk full, the file is
  // not ours any more), after which nothing is written any more.
  bool write(uint64_t at, std::span<const uint8_t> blocks);
  bool works() const { return file_ >= 0; }
  // Removes the file, if it still has its name.
  void remove();

 private:
  TailFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  bool is_ours() const;

  std::string path_;
  int file_ = -1;
  struct stat identity_ {};
  uint64_t front_ = 0, front_size_ = 0;
  uint64_t written_ = 0;
  std::vector<uint8_t> slot_;  // kept for its memory
};

// A tail as it is in the file.
struct Tail {
  uint64_t front = 0, front_size = 0;  // a hash of so many of the log's first bytes
  uint64_t at = 0;                     // bytes of the log before it; in a recorder's file, kInRing and the ring's end
  std::vector<uint8_t> blocks;

  // Whether it is a tail of the log that begins so.
  bool is_of(std::span<const uint8_t> log) const;
};

// The tails beside the log, the newest first; none if there is no such file, or nothing whole in it.
std::vector<Tail> read_tails(const std::string& log_path);

}  // namespace oriel::log
