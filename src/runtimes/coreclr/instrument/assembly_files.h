// Reads assemblies' metadata directly from their files, whether or not the runtime ever loads them. Loads nothing into
// the runtime.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

// A typeRef's content: the simple name of an assembly, and the type's names, outermost first, that one with its
// namespace.
struct TypeReference {
  std::u16string assembly;  // empty: not known
  std::vector<std::u16string> names;
};
// Reads a typeRef of a module's metadata; no names if it is invalid.
TypeReference type_reference(const ModuleMetadata& metadata, Token type_ref);

// A typeDef and the metadata that it was found in. Valid as long as the AssemblyFiles.
struct FoundType {
  const ModuleMetadata* metadata = nullptr;
  Token type = 0;
};

class AssemblyFiles {
 public:
  AssemblyFiles(ProfilerInfo& info, LoadedModules& modules) : info_(info), modules_(modules) {}

  // Adds the module's folder to those in which assemblies are searched for. Returns whether it is new. Any thread.
  bool add_folder_of(ModuleID module);
  // The types of that name in NAME.dll, in each known folder with such a file, or where that file forwards the name to.
  // There are several if folders have different versions of an assembly. If no known folder has one, the folders of all
  // modules that are loaded now are searched. Any thread.
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
  std::mutex lock_;  // guards the rest; reading files calls nothing back
  ComPtr<MetaDataDispenser> dispenser_;
  bool asked_for_dispenser_ = false;
  std::vector<std::u16string> folders_;   // each with its '/'
  std::map<std::u16string, File> files_;  // by path; not open if there is no such file
};

}  // namespace oriel::coreclr
