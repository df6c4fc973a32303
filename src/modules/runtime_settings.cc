#include "modules/runtime_settings.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text/shell_word.h"

namespace oriel::modules {
namespace {

using nlohmann::json;

// Both names of a setting, from src/coreclr/inc/clrconfignames.h in dotnet/runtime.
struct Setting {
  const char* in_environment;  // after DOTNET_ or COMPlus_
  const char* in_file;         // nullptr: it cannot be set there
};
constexpr Setting kSettings[] = {
    {"TieredCompilation", "System.Runtime.TieredCompilation"},
    {"TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit"},
    {"TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops"},
    {"TieredPGO", "System.Runtime.TieredPGO"},
    {"ReadyToRun", nullptr},
    {"gcServer", "System.GC.Server"},
    {"gcConcurrent", "System.GC.Concurrent"},
    {"GCHeapHardLimit", "System.GC.HeapHardLimit"},
    {"GCHeapHardLimitPercent", "System.GC.HeapHardLimitPercent"},
    {"GCConserveMemory", "System.GC.ConserveMemory"},
    {"GCgen0size", "System.GC.Gen0Size"},
};

std::string in_environment(const Setting& setting) {
  for (const char* prefix : {"DOTNET_", "COMPlus_"}) {
    const std::string name = std::string(prefix) + setting.in_environment;
    if (const char* value = std::getenv(name.c_str()); value && *value) return name + "=" + value;
  }
  return "";
}

std::string in_file(const Setting& setting, const json& properties) {
  if (!setting.in_file || !properties.is_object()) return "";
  const auto found = properties.find(setting.in_file);
  if (found == properties.end()) return "";
  return std::string(setting.in_file) + "=" + (found->is_string() ? found->get<std::string>() : found->dump());
}

json properties_of(std::string_view runtimeconfig) {
  const json file = json::parse(runtimeconfig, nullptr, /* throws if it is no JSON */ false);
  if (!file.is_object()) return json();
  const auto options = file.find("runtimeOptions");
  if (options == file.end() || !options->is_object()) return json();
  const auto properties = options->find("configProperties");
  return properties == options->end() ? json() : *properties;
}

}  // namespace

std::string runtime_settings(std::string_view runtimeconfig) {
  const json properties = properties_of(runtimeconfig);
  std::string text;
  for (const Setting& setting : kSettings) {
    std::string word = in_environment(setting);
    if (word.empty()) word = in_file(setting, properties);
    if (!word.empty()) text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return text;
}

}  // namespace oriel::modules
