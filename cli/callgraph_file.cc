#include "callgraph_file.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "log/decoder.h"
#include "log/properties.h"

namespace oriel::cli {
namespace {

constexpr std::string_view kEnding = ".oriel";

std::string with_ending(const std::string& name, const std::string& ending) {
  const bool usual = name.size() > kEnding.size() && name.ends_with(kEnding);
  return (usual ? name.substr(0, name.size() - kEnding.size()) : name) + ending;
}

// Whether a log's intro says that it is a call graph. It stands at the file's start.
bool is_callgraph(const std::string& file) {
  struct IntroReader : log::EventSink {
    bool found = false;
    void on_intro(const log::Intro& intro) override {
      for (const auto& [key, value] : intro.properties) found = found || key == log::property::kCallgraphCalls;
    }
  };
  constexpr size_t kBeginning = 64u << 10;
  std::vector<char> bytes(kBeginning);
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  IntroReader reader;
  const auto outcome =
      log::decode_bytes(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<size_t>(in.gcount()), reader);
  return outcome && reader.found;
}

}  // namespace

LogTemplate beside(const LogTemplate& log, const std::string& ending) {
  return {log.folder, with_ending(log.name, ending)};
}

std::string callgraph_file_of(const std::string& file) {
  std::error_code error;
  const std::string beside = with_ending(file, ".callgraph.oriel");
  return std::filesystem::exists(beside, error) && !is_callgraph(file) ? beside : file;
}

}  // namespace oriel::cli
