// Search for an image's symbols: its portable PDB beside it, at its path on the build machine, embedded, and in symbol
// folders; without one, the .mdb of Mono's compiler, of which nothing stands in the image. Only files on this machine;
// only those with the image's id.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metadata/debug_directory.h"
#include "pdb/pdb.h"
#include "pdb/symbols.h"

namespace oriel::pdb {

inline constexpr uint64_t kMostBytesOfAny = uint64_t{1} << 30;  // no PDB and no assembly is larger

struct Wanted {
  std::string id;          // as Pdb::id, or as Mdb::id
  std::string pdb_path;    // path on the build machine
  std::string image_path;  // of the loaded image; "" if it was no file
  std::string mvid = {};   // as Mdb::id, where `id` is that of a PDB or ""; "" if it is not known
};

// Symbol folders, which have NAME.pdb or NAME.pdb/ID/NAME.pdb: those in _NT_SYMBOL_PATH that are no server addresses,
// and ~/.dotnet/symbolcache.
std::vector<std::string> symbol_folders();
// Folders in a text like _NT_SYMBOL_PATH: parts separated by ';', including "srv*FOLDER*…".
std::vector<std::string> folders_in(const std::string& symbol_path);

// The PDB, or else the .mdb. Files of more than `most` bytes are skipped.
std::optional<Symbols> find_symbols(const Wanted& wanted, const std::vector<std::string>& folders,
                                    uint64_t most = kMostBytesOfAny);
std::optional<Pdb> find_pdb(const Wanted& wanted, const std::vector<std::string>& folders,
                            uint64_t most = kMostBytesOfAny);

// Where Mono's compiler puts the symbols of an image: "App.exe.mdb" for "App.exe".
std::string mdb_path(const std::string& image_path);
// Whether a file is there; "" has none.
bool has_mdb(const std::string& image_path);

// An image file's reference to its PDB; nullopt if it has none. Reads only the headers and that entry.
std::optional<metadata::DebugDirectory> debug_directory(const std::string& image_path);

// The PDB embedded in an image file, whatever its id; nullopt if there is none. `most`: maximum bytes of the image and
// of the PDB.
std::optional<Pdb> embedded_pdb(const std::string& image_path, uint64_t most = kMostBytesOfAny);

// The PDB with that id embedded in an image in memory, in file layout.
std::optional<Pdb> pdb_within(std::span<const uint8_t> image, const std::string& id);

}  // namespace oriel::pdb
