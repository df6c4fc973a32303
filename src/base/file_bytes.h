// All of a file in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Nothing if it is no regular file, has more than `most` bytes or cannot be read. May throw std::bad_alloc.
inline std::optional<std::vector<uint8_t>> file_bytes(const std::string& path, uint64_t most) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > most) return std::nullopt;
  std::vector<uint8_t> bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

}  // namespace oriel
