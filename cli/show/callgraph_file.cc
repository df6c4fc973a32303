#include "show/callgraph_file.h"

#include <filesystem>
#include <optional>
#include <string_view>

#include "intro.h"
#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::cli {
namespace {

constexpr std::string_view kEnding = ".oriel";
constexpr std::string_view kCallgraphEnding = ".callgraph.oriel";

std::string with_ending(const std::string& name, const std::string& ending) {
  const bool usual = name.size() > kEnding.size() && name.ends_with(kEnding);
  return (usual ? name.substr(0, name.size() - kEnding.size()) : name) + ending;
}

bool is_callgraph(const std::string& file) {
  const std::optional<log::Intro> intro = read_intro(file);
  return intro && profile::property(*intro, log::property::kCallgraphCalls);
}

}  // namespace

LogTemplate beside(const LogTemplate& log, const std::string& ending) {
  return {log.folder, with_ending(log.name, ending)};
}

std::string callgraph_file_of(const std::string& file) {
  std::error_code error;
  const std::string beside = with_ending(file, std::string(kCallgraphEnding));
  return std::filesystem::exists(beside, error) && !is_callgraph(file) ? beside : file;
}

bool stands_beside_log(const std::string& file) {
  std::error_code error;
  if (!file.ends_with(kCallgraphEnding)) return false;
  const std::string log = file.substr(0, file.size() - kCallgraphEnding.size()) + std::string(kEnding);
  return std::filesystem::exists(log, error);
}

}  // namespace oriel::cli
