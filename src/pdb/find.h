// Finding the portable PDB of an image: beside it, where it was compiled, within it, in folders of symbols. Only files
// of this machine; only the very PDB that was made with the image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metadata/debug_directory.h"
#include "pdb/pdb.h"

namespace oriel::pdb {

inline constexpr uint64_t kMostBytesOfAny = uint64_t{1} << 30;  // no PDB and no assembly has more

struct Wanted {
  std::string id;          // as Pdb::id
  std::string pdb_path;    // where it was compiled
  std::string image_path;  // of the image as it was loaded; "" if it was no file
};

// Folders in which symbols are, each as NAME.pdb or as NAME.pdb/ID/NAME.pdb: those of _NT_SYMBOL_PATH that are no
// addresses of servers, and ~/.dotnet/symbolcache.
std::vector<std::string> symbol_folders();
// Those of a text like _NT_SYMBOL_PATH: parts by ';', "srv*FOLDER*…" among them.
std::vector<std::string> folders_in(const std::string& symbol_path);

// Files of more than `most` bytes are left alone.
std::optional<Pdb> find_pdb(const Wanted& wanted, const std::vector<std::string>& folders,
                            uint64_t most = kMostBytesOfAny);

// What an image file says of its PDB; nothing if it says nothing. No more of the file is read.
std::optional<metadata::DebugDirectory> debug_directory(const std::string& image_path);

// The PDB that an image file contains, whatever its id. Nothing if it has none. `most`: bytes of the image and of the
// PDB.
std::optional<Pdb> embedded_pdb(const std::string& image_path, uint64_t most = kMostBytesOfAny);

// The one with that id that an image in memory contains, laid out as in its file.
std::optional<Pdb> pdb_within(std::span<const uint8_t> image, const std::string& id);

}  // namespace oriel::pdb
