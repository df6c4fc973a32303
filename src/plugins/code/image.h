// A module's image in memory, in the file's layout or in the loaded layout.
#pragma once

#include <cstdint>
#include <optional>

namespace oriel::plugins {

struct ImageFacts {
  bool is_64bit = false;     // PE32+
  uint32_t cor_header = 0;   // its offset; 0 if there is none
  uint32_t entry_point = 0;  // a token; 0 if there is none
  uint32_t cor_flags = 0;    // COMIMAGE_FLAGS
};

// Nothing if there is no image at `base`. The image is the runtime's and is not checked.
std::optional<ImageFacts> read_image(const uint8_t* base, bool is_flat);
// The address of the data at `rva`; null if no section contains it.
const uint8_t* at_rva(const uint8_t* base, bool is_flat, uint32_t rva);

}  // namespace oriel::plugins
