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

bool has_sources_here(const pdb::Symbols& symbols) {
  constexpr uint32_t kMost = 8;  // limits the number of file look-ups
  for (uint32_t row = 1; row <= std::min(kMost, symbols.document_count()); ++row)
    if (lines::find_source(symbols.document(row))) return true;
  return false;
}

std::string mvid_of(const std::string& path) {
  const Result<assembly::Assembly> assembly = assembly::Assembly::open(path);
  return assembly ? assembly->mvid() : "";
}

std::optional<AssemblyFile> unloaded(const std::string& path, const std::vector<std::string>& symbol_folders) {
  // Do not read all of a program's libraries: packages' libraries are there too.
  const bool has_mdb = pdb::has_mdb(path);
  const auto directory = pdb::debug_directory(path);
  if (!directory && !has_mdb) return std::nullopt;
  pdb::Wanted wanted{"", "", path, has_mdb ? mvid_of(path) : ""};
  if (directory) {
    wanted.id = directory->pdb_id;
    wanted.pdb_path = directory->pdb_path;
  }
  const std::optional<pdb::Symbols> symbols = pdb::find_symbols(wanted, symbol_folders);
  if (!symbols) return std::nullopt;
  lines::add_project_of(path);
  if (!has_sources_here(*symbols)) return std::nullopt;
  AssemblyFile found;
  found.name = fs::path(path).filename();
  found.path = path;
  found.mvid = has_mdb ? wanted.mvid : mvid_of(path);
  found.pdb_path = wanted.pdb_path;
  if (found.mvid.empty()) return std::nullopt;
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
