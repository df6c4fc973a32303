// An image file (PE format): its sections, and its metadata's location. Files are not trusted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace oriel::assembly {

struct Image {
  struct Section {
    uint32_t address;  // as loaded, relative to the image's start
    uint32_t size;     // limited to what the file has
    uint32_t file_offset;
  };
  std::vector<Section> sections;
  uint32_t metadata_address = 0;

  // The bytes from an address to the end of its section; empty if it is in none.
  std::span<const uint8_t> at(std::span<const uint8_t> file, uint32_t address) const;
};

// The error is the reason why the file is no assembly.
Result<Image> read_image(std::span<const uint8_t> file);

}  // namespace oriel::assembly
