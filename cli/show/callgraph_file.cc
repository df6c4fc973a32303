#include "show/callgraph_file.h"

#include <filesystem>
#include <optional>
#include <string_view>

#include "intro.h"
#include "log/properties.h"
#include "profile/recorded.h"
#include "settings/planned_module.h"

namespace oriel::cli {
namespace {

constexpr std::string_view kCallgraphEnding = ".callgraph.oriel";

bool is_callgraph(const std::string& file) {
  const std::optional<log::Intro> intro = read_intro(file);
  return intro && profile::property(*intro, log::property::kCallgraphCalls);
}

}  // namespace

LogTemplate beside(const LogTemplate& log, const std::string& ending) {
  return {log.folder, settings::with_ending(log.name, ending)};
}

std::string callgraph_file_of(const std::string& file) {
  std::error_code error;
  const std::string beside = settings::with_ending(file, kCallgraphEnding);
  return std::filesystem::exists(beside, error) && !is_callgraph(file) ? beside : file;
}

bool stands_beside_log(const std::string& file) {
  std::error_code error;
  if (!file.ends_with(kCallgraphEnding)) return false;
  return std::filesystem::exists(file.substr(0, file.size() - kCallgraphEnding.size()) + ".oriel", error);
}

}  // namespace oriel::cli
