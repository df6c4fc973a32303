#include "framework.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

namespace oriel::il::test {
namespace {

std::vector<std::string> lines_of(const char* command) {
  std::vector<std::string> lines;
  FILE* pipe = popen(command, "r");
  if (!pipe) return lines;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe)) lines.emplace_back(line);
  pclose(pipe);
  return lines;
}

// "[NAME ]VERSION [FOLDER]" → FOLDER/VERSION; later lines are newer ones.
std::string folder_of(const std::string& line) {
  const size_t open = line.find(" ["), close = line.rfind(']');
  if (open == std::string::npos || close == std::string::npos) return {};
  const size_t version = line.rfind(' ', open - 1);
  const size_t begin = version == std::string::npos ? 0 : version + 1;
  return line.substr(open + 2, close - open - 2) + "/" + line.substr(begin, open - begin);
}

}  // namespace

std::vector<std::string> framework_assemblies() {
  std::map<std::string, std::string> folders;
  for (const std::string& line : lines_of("dotnet --list-runtimes 2>/dev/null"))
    if (line.starts_with("Microsoft.NETCore.App ") || line.starts_with("Microsoft.AspNetCore.App "))
      folders[line.substr(0, line.find(' '))] = folder_of(line);
  for (const std::string& line : lines_of("dotnet --list-sdks 2>/dev/null"))
    folders["Roslyn"] = folder_of(line) + "/Roslyn/bincore";
  std::vector<std::string> files;
  for (const auto& [name, folder] : folders) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().extension() == ".dll") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace oriel::il::test
