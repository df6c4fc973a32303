// Files that are read, by the tools and in the program's process: one way to open them all. Whoever names a file may
// name a pipe, a device or a file without end instead, which would make the reader wait, or read, for ever. /proc is
// none of this: its files are the system's answers, and have no size (base/files/descriptor.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace oriel {

// A regular file, open for reading.
class InputFile {
 public:
  // Never waits, and does not open what is no regular file, or has more than `most` bytes. The error says why, without
  // the path: "it is a pipe, no file". Any thread; the program gets its descriptors' numbers as if it were not there.
  static Result<InputFile> open(const std::string& path, uint64_t most);

  InputFile(InputFile&& other) noexcept
      : number_(std::exchange(other.number_, -1)), size_(std::exchange(other.size_, 0)) {}
  InputFile& operator=(InputFile&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~InputFile();

  // When it was opened: what is appended later is not read.
  uint64_t size() const { return size_; }
  // Copies [offset, offset + size) to `to`; false if not all of it is there, as where the file was cut meanwhile.
  bool read(uint64_t offset, void* to, size_t size) const;
  // As much of that as there is; below 0 and errno if it cannot be read.
  int64_t read_some(uint64_t offset, void* to, size_t size) const;

 private:
  InputFile(int number, uint64_t size) : number_(number), size_(size) {}

  int number_;
  uint64_t size_;
};

// Nothing is wrong if open() would give it, whatever its size: for files that something else opens.
Status check_input(const std::string& path);

// All of a file. Errors as of InputFile::open, and where there is no memory for it.
Result<std::vector<uint8_t>> read_input(const std::string& path, uint64_t most);
Result<std::string> read_input_text(const std::string& path, uint64_t most);

// All that comes from a descriptor that the user connected on purpose, as a pipe on stdin, up to its end. Waits for it.
// It is an error if more comes than `most`.
Result<std::string> read_stream(int descriptor, uint64_t most);

}  // namespace oriel
