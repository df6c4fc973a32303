#include "base/files/file_template.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/text/ascii.h"
#include "base/text/path.h"

namespace oriel {
namespace {

// Options of the `dotnet` host that take the next argument as their value.
constexpr std::array<std::string_view, 7> kHostOptions = {"--additionalprobingpath",
                                                          "--depsfile",
                                                          "--runtimeconfig",
                                                          "--fx-version",
                                                          "--roll-forward",
                                                          "--additional-deps",
                                                          "--roll-forward-on-no-candidate-fx"};

// "Shop" of "…/Shop.dll"; "" if it is no assembly.
std::string assembly_name(const std::string& path) {
  const std::string file = file_name(path);
  const bool is_assembly = file.size() > 4 && (file.ends_with(".dll") || file.ends_with(".exe"));
  return is_assembly ? file.substr(0, file.size() - 4) : "";
}

// The first word behind the host's own options, of which these take the next argument as their value; "" if there is
// none.
std::string behind_options(const std::vector<std::string>& command, std::span<const std::string_view> with_value) {
  for (size_t i = 1; i < command.size(); i++) {
    if (std::ranges::find(with_value, command[i]) != with_value.end()) {
      i++;
    } else if (command[i] != "exec" && !command[i].starts_with('-')) {
      return command[i];
    }
  }
  return "";
}

// The assembly that a command line has Mono run; "" if it is not Mono's.
std::string mono_subject(const std::vector<std::string>& command) {
  constexpr std::string_view kMonoOptions[] = {"--config"};
  const std::string host = command.empty() ? "" : file_name(command[0]);
  return host == "mono" || host == "mono-sgen" ? behind_options(command, kMonoOptions) : "";
}

std::string fit_for_file_name(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("._-+").find(c) == std::string_view::npos)
      c = '_';
  }
  return name.empty() ? "program" : name;
}

}  // namespace

std::string expand_template(std::string_view text, const std::string& program, pid_t pid) {
  std::string expanded;
  for (size_t i = 0; i < text.size(); i++) {
    const char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 'p')
      expanded += std::to_string(pid);
    else if (next == 'n')
      expanded += program;
    else
      expanded += text[i];
    if (next == 'p' || next == 'n' || next == '%') i++;
  }
  return expanded;
}

bool matches_template(std::string_view text, std::string_view name) {
  if (text.empty()) return name.empty();
  const char next = text[0] == '%' && text.size() > 1 ? text[1] : '\0';
  if (next != 'p' && next != 'n') {
    const size_t size = next == '%' ? 2 : 1;
    return !name.empty() && name[0] == text[0] && matches_template(text.substr(size), name.substr(1));
  }
  for (size_t length = 1; length <= name.size(); length++) {
    if (next == 'p' && !is_digit(name[length - 1])) return false;
    if (matches_template(text.substr(2), name.substr(length))) return true;
  }
  return false;
}

std::string template_of(std::string_view name) {
  std::string doubled;
  for (const char c : name) doubled.append(c == '%' ? 2 : 1, c);
  return doubled;
}

std::string dotnet_subject(const std::vector<std::string>& command) {
  return command.empty() || file_name(command[0]) != "dotnet" ? "" : behind_options(command, kHostOptions);
}

std::string program_name(const std::vector<std::string>& command) {
  if (command.empty()) return "program";
  if (const std::string assembly = assembly_name(mono_subject(command)); !assembly.empty())
    return fit_for_file_name(assembly);
  const std::string subject = dotnet_subject(command);
  if (subject.empty()) return fit_for_file_name(file_name(command[0]));
  const std::string assembly = assembly_name(subject);
  return fit_for_file_name(assembly.empty() ? "dotnet-" + subject : assembly);
}

}  // namespace oriel
