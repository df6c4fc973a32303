// A module's file as the runtime has it in memory: as it is on disk, or as a program would be loaded.
#pragma once

#include <cstdint>
#include <optional>

namespace oriel::plugins {

struct ImageFacts {
  bool is_64bit = false;     // PE32+
  uint32_t cor_header = 0;   // where it is; 0 if there is none
  uint32_t entry_point = 0;  // a token; 0 if there is none
  uint32_t cor_flags = 0;    // COMIMAGE_FLAGS
};

// Nothing if there is no image at `base`. The image is the runtime's, and sound.
std::optional<ImageFacts> read_image(const uint8_t* base, bool is_flat);
// Where what is to be loaded at `rva` is; null if that is in no section.
const uint8_t* at_rva(const uint8_t* base, bool is_flat, uint32_t rva);

}  // namespace oriel::plugins
