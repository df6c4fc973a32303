// An image file (PE format): its sections, and where its metadata is. Nothing of a file is trusted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace oriel::assembly {

struct Image {
  struct Section {
    uint32_t address;  // as loaded, from the image's beginning
    uint32_t size;     // as far as the file has it
    uint32_t file_offset;
  };
  std::vector<Section> sections;
  uint32_t metadata_address = 0;

  // What is at an address, up to the end of its section; empty if nothing is.
  std::span<const uint8_t> at(std::span<const uint8_t> file, uint32_t address) const;
};

// The error says why the file is no assembly.
Result<Image> read_image(std::span<const uint8_t> file);

}  // namespace oriel::assembly
