// Metadata of assemblies straight from their files, whether the runtime has loaded them, will, or never does. Nothing
// is loaded into the runtime.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// What a typeRef says: the simple name of an assembly, and the type's names, outermost first, that with its namespace.
struct TypeReference {
  std::u16string assembly;  // empty: not told
  std::vector<std::u16string> names;
};
// Of a typeRef in a module's metadata; no names if it is of no use.
TypeReference type_reference(MetaDataImport& import, Token type_ref);

// A typeDef where it was found. Valid as long as the AssemblyFiles.
struct FoundType {
  MetaDataImport* import = nullptr;
  Token type = 0;
};

class AssemblyFiles {
 public:
  explicit AssemblyFiles(ProfilerInfo& info) : info_(info) {}

  // The type of that name in NAME.dll in the folder of one of the modules that are loaded now, the core library's
  // first, or where that file forwards it to. Nothing if there is none. Any thread.
  FoundType find(const TypeReference& reference);

 private:
  struct File {
    ComPtr<MetaDataImport> import;
    ComPtr<MetaDataAssemblyImport> assembly;
  };

  FoundType find_in(const TypeReference& reference, const std::vector<std::u16string>& folders);
  const File* open(const std::u16string& assembly, const std::vector<std::u16string>& folders);
  std::vector<std::u16string> folders_of_modules();
  bool has_dispenser();

  ProfilerInfo& info_;
  std::mutex lock_;  // the rest; readers of files call nobody back
  ComPtr<MetaDataDispenser> dispenser_;
  bool asked_for_dispenser_ = false;
  std::map<std::u16string, File> files_;
};

}  // namespace oriel::coreclr
