// What an image says of its symbols: the entries of its debug directory (PE format; portable ones by the .NET runtime's
// docs/design/specs/PE-COFF.md). Pure functions; nothing of an image is trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace oriel::metadata {

// Copies what is at an offset from the image's beginning; whether all of it is there.
using ImageReader = std::function<bool(uint64_t offset, void* to, size_t size)>;

enum class ImageLayout {
  kFile,    // as on disk
  kLoaded,  // sections where they are to run
};

struct DebugDirectory {
  std::string pdb_path;  // where it was when the image was compiled
  std::string pdb_id;    // GUID and stamp as they stand in the PDB, 40 hexadecimal digits
  // An embedded PDB: where its data (size of what it expands to, then deflated) begins, by the layout; 0: none.
  uint64_t embedded_at = 0;
  uint32_t embedded_size = 0;
};

// Nothing if the image names no portable PDB.
std::optional<DebugDirectory> read_debug_directory(const ImageReader& read, ImageLayout layout);

}  // namespace oriel::metadata
