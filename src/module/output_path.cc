#include "module/output_path.h"

#include <unistd.h>

#include <vector>

#include "module/process_info.h"

namespace oriel::modules {

std::string expand_path(std::string_view path) {
  std::string expanded;
  for (size_t i = 0; i < path.size(); i++) {
    if (path[i] != '%' || i + 1 == path.size()) {
      expanded += path[i];
      continue;
    }
    switch (path[++i]) {
      case 'p':
        expanded += std::to_string(getpid());
        break;
      case 'n':
        expanded += program_name(read_command_line());
        break;
      case '%':
        expanded += '%';
        break;
      default:
        (expanded += '%') += path[i];
    }
  }
  return expanded;
}

std::string program_name(const std::string& nul_separated_command) {
  std::vector<std::string> words;
  for (size_t at = 0; at < nul_separated_command.size();) {
    const size_t end = nul_separated_command.find('\0', at);
    words.push_back(nul_separated_command.substr(at, end - at));
    if (end == std::string::npos) break;
    at = end + 1;
  }
  const auto base = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  const auto without_dll = [](std::string name) {
    if (name.size() > 4 && name.compare(name.size() - 4, 4, ".dll") == 0) name.resize(name.size() - 4);
    return name;
  };
  if (words.empty() || words[0].empty()) return "program";
  const std::string host = base(words[0]);
  if (host != "dotnet") return host;
  for (size_t i = 1; i < words.size(); i++) {
    const std::string name = base(words[i]);
    if (without_dll(name) != name) return without_dll(name);
    if (words[i] == "exec" || words[i].starts_with("-")) continue;
    if (i == 1 && words[i].find('/') == std::string::npos) return host + "-" + name;  // an SDK verb: dotnet build
  }
  return host;
}

}  // namespace oriel::modules
