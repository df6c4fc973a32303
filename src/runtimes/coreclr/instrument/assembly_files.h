// Metadata of assemblies straight from their files, whether the runtime has loaded them, will, or never does. Nothing
// is loaded into the runtime.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

// What a typeRef says: the simple name of an assembly, and the type's names, outermost first, that with its namespace.
struct TypeReference {
  std::u16string assembly;  // empty: not told
  std::vector<std::u16string> names;
};
// Of a typeRef in a module's metadata; no names if it is of no use.
TypeReference type_reference(const ModuleMetadata& metadata, Token type_ref);

// A typeDef where it was found. Valid as long as the AssemblyFiles.
struct FoundType {
  const ModuleMetadata* metadata = nullptr;
  Token type = 0;
};

class AssemblyFiles {
 public:
  AssemblyFiles(ProfilerInfo& info, LoadedModules& modules) : info_(info), modules_(modules) {}

  // The module's folder is where assemblies are looked for too from now on; whether that is news. Any thread.
  bool add_folder_of(ModuleID module);
  // The types of that name in NAME.dll in each folder that has such a file, or where that file forwards the name to:
  // several where several versions of an assembly lie about. If no folder known has one, those of all modules that are
  // loaded now are looked through. Any thread.
  std::vector<FoundType> find(const TypeReference& reference);

 private:
  struct File {
    ModuleMetadata metadata;
    ComPtr<MetaDataAssemblyImport> assembly;
  };

  std::vector<FoundType> find_in_folders(const TypeReference& reference);
  void look_in(const std::u16string& assembly, const std::vector<std::u16string>& names, int step,
               std::vector<FoundType>& found);
  const File& open(const std::u16string& path);
  bool add_folders_of_modules();
  bool has_dispenser();

  ProfilerInfo& info_;
  LoadedModules& modules_;
  std::mutex lock_;  // the rest; what reads files calls nobody back
  ComPtr<MetaDataDispenser> dispenser_;
  bool asked_for_dispenser_ = false;
  std::vector<std::u16string> folders_;   // each with its '/'
  std::map<std::u16string, File> files_;  // by path; nothing in it is open if there is no such file
};

}  // namespace oriel::coreclr
