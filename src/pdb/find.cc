#include "pdb/find.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/files/input_file.h"
#include "base/process/kept_errno.h"
#include "base/text/path.h"
#include "metadata/debug_directory.h"
#include "pdb/inflated.h"

namespace oriel::pdb {
namespace {

constexpr const char* kMdbEnding = ".mdb";

template <typename File>
std::optional<File> if_wanted(Result<File> file, const std::string& id) {
  if (!file || file->id() != id) return std::nullopt;
  return std::move(*file);
}

// File: Pdb or Mdb.
template <typename File>
std::optional<File> read_file(const std::string& path, const std::string& id, uint64_t most) {
  Result<std::vector<uint8_t>> bytes = read_input(path, most);
  return bytes ? if_wanted(File::parse(std::move(*bytes)), id) : std::nullopt;
}

// Inflates data of the form "MPDB", inflated size, deflated bytes.
std::vector<uint8_t> inflate_embedded(const std::vector<uint8_t>& data, uint64_t most) {
  constexpr size_t kHead = 8;
  uint32_t size = 0;
  if (data.size() < kHead || std::memcmp(data.data(), "MPDB", 4) != 0) return {};
  std::memcpy(&size, data.data() + 4, sizeof size);
  // Compilers' PDBs deflate to about a third.
  constexpr uint64_t kMost = 10, kMostOfAny = 1'000'000;
  if (size > most || size > kMost * data.size() + kMostOfAny) return {};
  return inflated(std::span(data).subspan(kHead), size);
}

std::optional<Pdb> pdb_of_image(const metadata::ImageReader& read, uint64_t bytes, uint64_t most) {
  const auto directory = metadata::read_debug_directory(read, metadata::ImageLayout::kFile);
  if (!directory || directory->embedded_at == 0 || directory->embedded_size > bytes) return std::nullopt;
  std::vector<uint8_t> data(directory->embedded_size);
  if (!read(directory->embedded_at, data.data(), data.size())) return std::nullopt;
  Result<Pdb> pdb = Pdb::parse(inflate_embedded(data, most));
  if (!pdb) return std::nullopt;
  return std::move(*pdb);
}

// The layout of symbol stores: portable PDBs under their GUID, printed as three numbers and bytes, and "ffffffff" for
// the age.
std::string store_key(const std::string& id) {
  const auto reversed = [&](size_t at, size_t bytes) {
    std::string text;
    for (size_t i = bytes; i-- > 0;) text += id.substr(at + 2 * i, 2);
    return text;
  };
  return reversed(0, 4) + reversed(8, 2) + reversed(12, 2) + id.substr(16, 16) + "ffffffff";
}

std::vector<std::string> places(const Wanted& wanted, const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  const std::string name = recorded_file_name(wanted.pdb_path);
  if (const size_t slash = wanted.image_path.rfind('/'); slash != std::string::npos) {
    const std::string folder = wanted.image_path.substr(0, slash + 1);
    if (!name.empty()) paths.push_back(folder + name);
    const std::string image = wanted.image_path.substr(slash + 1);
    paths.push_back(folder + image.substr(0, image.rfind('.')) + ".pdb");
  }
  paths.push_back(wanted.pdb_path);
  for (const std::string& folder : folders) {
    paths.push_back(folder + "/" + name);
    paths.push_back(folder + "/" + name + "/" + store_key(wanted.id) + "/" + name);
  }
  return paths;
}

std::vector<std::string> mdb_places(const Wanted& wanted, const std::vector<std::string>& folders) {
  const std::string name = file_name(wanted.image_path);
  std::vector<std::string> paths;
  if (!name.empty()) paths.push_back(mdb_path(wanted.image_path));
  if (wanted.pdb_path.ends_with(kMdbEnding)) paths.push_back(wanted.pdb_path);
  for (const std::string& folder : folders)
    if (!name.empty()) paths.push_back(mdb_path(folder + "/" + name));
  return paths;
}

std::optional<Mdb> find_mdb(const Wanted& wanted, const std::vector<std::string>& folders, uint64_t most) {
  const std::string& id = wanted.mvid.empty() ? wanted.id : wanted.mvid;
  for (const std::string& path : mdb_places(wanted, folders)) {
    if (std::optional<Mdb> mdb = read_file<Mdb>(path, id, most)) return mdb;
  }
  return std::nullopt;
}

auto reader_of(const InputFile& file) {
  return [&file](uint64_t offset, void* to, size_t size) { return file.read(offset, to, size); };
}

}  // namespace

std::string mdb_path(const std::string& image_path) { return image_path + kMdbEnding; }

bool has_mdb(const std::string& image_path) {
  const KeptErrno kept;
  return !image_path.empty() && access(mdb_path(image_path).c_str(), F_OK) == 0;
}

std::vector<std::string> folders_in(const std::string& symbol_path) {
  std::vector<std::string> folders;
  std::string part;
  for (const char c : symbol_path + ";") {
    if (c != ';' && c != '*') {
      part += c;
      continue;
    }
    const bool is_word = part == "srv" || part == "SRV" || part == "cache";
    if (!part.empty() && !is_word && part.find("://") == std::string::npos) folders.push_back(part);
    part.clear();
  }
  return folders;
}

std::vector<std::string> symbol_folders() {
  const char* path = std::getenv("_NT_SYMBOL_PATH");
  std::vector<std::string> folders = folders_in(path ? path : "");
  if (const char* home = std::getenv("HOME")) folders.push_back(std::string(home) + "/.dotnet/symbolcache");
  return folders;
}

std::optional<metadata::DebugDirectory> debug_directory(const std::string& image_path) {
  const Result<InputFile> file = InputFile::open(image_path, kMostBytesOfAny);
  if (!file) return std::nullopt;
  return metadata::read_debug_directory(reader_of(*file), metadata::ImageLayout::kFile);
}

std::optional<Pdb> embedded_pdb(const std::string& image_path, uint64_t most) {
  const Result<InputFile> file = InputFile::open(image_path, most);
  return file ? pdb_of_image(reader_of(*file), file->size(), most) : std::nullopt;
}

std::optional<Pdb> pdb_within(std::span<const uint8_t> image, const std::string& id) {
  const auto read = [image](uint64_t offset, void* to, size_t size) {
    if (offset > image.size() || size > image.size() - offset) return false;
    std::memcpy(to, image.data() + offset, size);
    return true;
  };
  std::optional<Pdb> pdb = pdb_of_image(read, image.size(), kMostBytesOfAny);
  return pdb && pdb->id() == id ? std::move(pdb) : std::nullopt;
}

std::optional<Symbols> find_symbols(const Wanted& wanted, const std::vector<std::string>& folders, uint64_t most) {
  if (std::optional<Pdb> pdb = find_pdb(wanted, folders, most)) return Symbols(std::move(*pdb));
  if (std::optional<Mdb> mdb = find_mdb(wanted, folders, most)) return Symbols(std::move(*mdb));
  return std::nullopt;
}

std::optional<Pdb> find_pdb(const Wanted& wanted, const std::vector<std::string>& folders, uint64_t most) {
  constexpr size_t kIdDigits = 40;
  if (wanted.id.size() != kIdDigits) return std::nullopt;
  for (const std::string& path : places(wanted, folders)) {
    if (std::optional<Pdb> pdb = read_file<Pdb>(path, wanted.id, most)) return pdb;
  }
  std::optional<Pdb> pdb = embedded_pdb(wanted.image_path, most);
  return pdb && pdb->id() == wanted.id ? std::move(pdb) : std::nullopt;
}

}  // namespace oriel::pdb
