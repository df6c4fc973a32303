// The one way to read files, in the tools and in the program's process. A path may name a pipe, a device or an endless
// file instead, which would block the reader for ever. Files in /proc are not read this way: they are answers of the
// system without a size (base/files/descriptor.h).
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
  // Never waits, and refuses anything but a regular file, and more than `most` bytes. The error gives the reason
  // without the path: "it is a pipe, no file". Any thread; does not change the descriptor numbers that the program
  // gets.
  static Result<InputFile> open(const std::string& path, uint64_t most);

  InputFile(InputFile&& other) noexcept
      : number_(std::exchange(other.number_, -1)), size_(std::exchange(other.size_, 0)) {}
  InputFile& operator=(InputFile&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~InputFile();

  // At the time of opening: data appended later is not read.
  uint64_t size() const { return size_; }
  // Copies [offset, offset + size) to `to`; false if not all of it exists, for instance if the file was truncated
  // meanwhile.
  bool read(uint64_t offset, void* to, size_t size) const;
  // Likewise, as much as there is; negative with errno if it cannot be read.
  int64_t read_some(uint64_t offset, void* to, size_t size) const;

 private:
  InputFile(int number, uint64_t size) : number_(number), size_(size) {}

  int number_;
  uint64_t size_;
};

// Ok if open() would succeed, whatever the size: for files that something else opens.
Status check_input(const std::string& path);

// The whole file. Errors as in InputFile::open, and for lack of memory.
Result<std::vector<uint8_t>> read_input(const std::string& path, uint64_t most);
Result<std::string> read_input_text(const std::string& path, uint64_t most);

// Everything up to the end from a descriptor that the user connected on purpose, such as a pipe on stdin. Blocks. More
// than `most` bytes are an error.
Result<std::string> read_stream(int descriptor, uint64_t most);

}  // namespace oriel
