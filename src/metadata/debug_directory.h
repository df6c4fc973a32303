// References to symbols in an image: the entries of its debug directory (PE format; for portable PDBs the .NET
// runtime's docs/design/specs/PE-COFF.md). Pure functions; images are not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace oriel::metadata {

// Copies bytes at an offset from the image's start; returns whether all of them exist.
using ImageReader = std::function<bool(uint64_t offset, void* to, size_t size)>;

enum class ImageLayout {
  kFile,    // as on disk
  kLoaded,  // sections at their run-time addresses
};

struct DebugDirectory {
  std::string pdb_path;  // path on the build machine
  std::string pdb_id;    // GUID and stamp in the PDB's byte order, 40 hexadecimal digits
  // An embedded PDB: where its data starts in this layout (inflated size, then deflated bytes); 0: none.
  uint64_t embedded_at = 0;
  uint32_t embedded_size = 0;
};

// nullopt if the image names no portable PDB.
std::optional<DebugDirectory> read_debug_directory(const ImageReader& read, ImageLayout layout);

}  // namespace oriel::metadata
