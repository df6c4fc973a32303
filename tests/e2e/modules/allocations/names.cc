#include "names.h"

#include <vector>

#include "metadata/type_text.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace peer {

using namespace oriel::coreclr;
namespace metadata = oriel::metadata;

namespace {

ModuleMetadata metadata_of(UngatedProfilerInfo& info, ModuleID module) {
  ComPtr<MetaDataImport> import;
  info.GetModuleMetaData(module, kOpenRead, kIMetaDataImport2Id, reinterpret_cast<IUnknown**>(import.receive()));
  return ModuleMetadata(std::move(import));
}

}  // namespace

std::string class_name(UngatedProfilerInfo& info, ClassID klass) {
  uint32_t element_type = 0, rank = 0;
  ClassID element = 0;
  if (info.IsArrayClass(klass, &element_type, &element, &rank) == kOk) {
    return (element ? class_name(info, element) : "?") + "[" + std::string(rank - 1, ',') + "]";
  }
  ModuleID module = 0;
  Token token = 0;
  ClassID arguments[16];
  uint32_t count = 0;
  if (failed(info.GetClassIDInfo2(klass, &module, &token, nullptr, 16, &count, arguments)) || module == 0) return "?";
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < count && i < 16; ++i) texts.push_back(class_name(info, arguments[i]));
  const ModuleMetadata metadata = metadata_of(info, module);
  if (!metadata.is_open()) return "?";
  return metadata::type_text(metadata.type_path(token), texts, metadata::Style::kFull);
}

std::string function_name(UngatedProfilerInfo& info, FunctionID function) {
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  if (function == 0) return "[native]";
  if (failed(info.GetFunctionInfo(function, &klass, &module, &token)) || module == 0) return "?";
  const ModuleMetadata metadata = metadata_of(info, module);
  if (!metadata.is_open()) return "?";
  const NamedMethod row = metadata.named_method(token);
  return metadata::type_text(metadata.type_path(row.type), {}, metadata::Style::kFull) + "." + row.name;
}

}  // namespace peer
