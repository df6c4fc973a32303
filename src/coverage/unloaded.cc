#include "coverage/unloaded.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "assembly/assembly.h"
#include "lines/source.h"
#include "lines/source_places.h"
#include "pdb/find.h"

namespace oriel::coverage {
namespace {

namespace fs = std::filesystem;

bool has_sources_here(const pdb::Pdb& pdb) {
  constexpr uint32_t kMost = 8;  // limits the number of file look-ups
  for (uint32_t row = 1; row <= std::min(kMost, pdb.document_count()); ++row)
    if (lines::find_source(pdb.document(row))) return true;
  return false;
}

std::optional<AssemblyFile> unloaded(const std::string& path, const std::vector<std::string>& symbol_folders) {
  // Do not read all of a program's libraries: packages' libraries are there too.
  const auto directory = pdb::debug_directory(path);
  if (!directory) return std::nullopt;
  const std::optional<pdb::Pdb> pdb = pdb::find_pdb({directory->pdb_id, directory->pdb_path, path}, symbol_folders);
  if (!pdb) return std::nullopt;
  lines::add_project_of(path);
  if (!has_sources_here(*pdb)) return std::nullopt;
  const Result<assembly::Assembly> assembly = assembly::Assembly::open(path);
  if (!assembly) return std::nullopt;
  AssemblyFile found;
  found.name = fs::path(path).filename();
  found.path = path;
  found.mvid = assembly->mvid();
  found.pdb_path = directory->pdb_path;
  return found;
}

}  // namespace

void add_unloaded(std::vector<AssemblyFile>& files, const std::vector<std::string>& symbol_folders) {
  std::set<std::string> folders, names;
  for (const AssemblyFile& assembly : files) {
    names.insert(assembly.name);
    if (!assembly.path.empty()) folders.insert(fs::path(assembly.path).parent_path());
  }
  std::set<std::string> paths;  // makes the order independent of the folder's
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".dll" && !names.contains(entry.path().filename())) paths.insert(entry.path());
  }
  for (const std::string& path : paths)
    if (std::optional<AssemblyFile> found = unloaded(path, symbol_folders)) files.push_back(std::move(*found));
}

}  // namespace oriel::coverage
