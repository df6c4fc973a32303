// The file of a flight recorder, which holds the last part of a log in a bounded number of bytes. Behind the log's
// intro lies one block, the ring, in which new data overwrites the oldest. The data is a sequence of segments: each
// begins with an intro of its own and can be read without those before it. Data counts once it is completely in the
// file, so the file can be read after the process was killed at any moment.
//
// The file is written by system calls and not through a mapping. The system keeps what was written if the process dies,
// as it keeps a mapping; but a mapping would raise SIGBUS in the program where the disk is full or the file was cut.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/format.h"
#include "log/tail_file.h"

namespace oriel::log {

// One thread's.
class RingFile {
 public:
  struct Bounds {
    uint64_t bytes = 0;  // of the ring
    uint64_t ns = 0;     // what is older is dropped, by whole segments
  };
  struct Held {
    uint64_t ns = 0;       // since the oldest segment began
    uint64_t bytes = 0;    // of all segments
    bool is_full = false;  // it would be longer if there were more bytes
  };

  // Creates the file as create_log does (log/place.h), with that intro and an empty ring.
  static Result<std::unique_ptr<RingFile>> create(const std::string& path, const Intro& intro, Bounds bounds);
  ~RingFile();
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  // From now on it has a tail (tail_file.h), which is removed when it is closed; as Writer::begin_tail. Further calls
  // do nothing.
  Status begin_tail();
  TailFile* tail() const { return tail_.get(); }

  // Its descriptor, which stays its own.
  int number() const { return file_; }
  const std::string& path() const { return path_; }

  // Whether so much more can be a part of the present segment, or of a new one, without overwriting its beginning.
  bool fits(uint64_t size, bool begins_segment) const;
  // Appends data that fits, complete blocks. Drops the oldest segments where there is no room for it, and those that
  // are too old when a segment begins. Times are nanoseconds of a clock that only goes forward. Returns 0, or the error
  // as in errno: the data is not there then, the rest is.
  int append(const uint8_t* data, uint64_t size, bool begins_segment, uint64_t now_ns);

  // Of the segment that was begun last; 0 if there is none.
  uint64_t segment_bytes() const { return segments_.empty() ? 0 : end_ - segments_.back().begin; }
  // The position behind the last byte.
  uint64_t end() const { return end_; }
  uint64_t segment_ns(uint64_t now_ns) const { return segments_.empty() ? 0 : now_ns - segments_.back().since_ns; }
  Held held(uint64_t now_ns) const;

  // Copies the segments that cover the time asked for into another file, at its position; calls `between` now and then,
  // which must not append. Returns 0, or the error as in errno.
  int copy_to(int file, uint64_t now_ns, const std::function<void()>& between) const;

  // Releases the file. Must be the last call.
  void close();

 private:
  struct Segment {
    uint64_t begin = 0;  // its position: bytes appended before it
    uint64_t since_ns = 0;
  };

  explicit RingFile(Bounds bounds) : bounds_(bounds) {}
  int write_intro(const Intro& intro);
  int write_head();
  void drop_too_old(uint64_t now_ns);

  const Bounds bounds_;
  std::string path_;
  int file_ = -1;
  std::unique_ptr<TailFile> tail_;
  std::vector<uint8_t> front_;  // the file's first bytes
  uint64_t head_ = 0;           // offset in the file of the ring's fields, and
  uint64_t ring_ = 0;           // of its bytes
  uint64_t end_ = 0;            // position behind the last byte
  std::deque<Segment> segments_;
  bool dropped_for_room_ = false;  // the last segment that was dropped
};

}  // namespace oriel::log
