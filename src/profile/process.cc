#include "profile/process.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/file_template.h"
#include "base/shell_word.h"
#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

uint64_t number_in(const std::string& text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string text_of(const log::Intro& intro, std::string_view name) {
  const std::string* value = property(intro, name);
  return value ? *value : "";
}

std::vector<uint64_t> numbers_in(const std::string& text) {
  constexpr size_t kMost = 1000;
  std::vector<uint64_t> numbers;
  std::istringstream words(text);
  for (std::string word; words >> word && numbers.size() < kMost;) numbers.push_back(number_in(word));
  return numbers;
}

// `dotnet build` names a verb, where programs name an assembly. What `dotnet` starts of the SDK lies in its folder, the
// runner of tests' host in a package.
bool is_of_sdk(const std::vector<std::string>& command) {
  const std::string subject = dotnet_subject(command);
  if (!subject.empty() && !subject.ends_with(".dll") && !subject.ends_with(".exe")) return true;
  const std::string& file = subject.empty() && !command.empty() ? command[0] : subject;
  return file.find("/sdk/") != std::string::npos && file.find("/testhost.") == std::string::npos;
}

}  // namespace

Process process_of(const log::Intro& intro) {
  Process process;
  process.command = text_of(intro, log::property::kCommand);
  const std::vector<std::string> words = split_shell_words(process.command);
  process.name = process.command.empty() ? "" : program_name(words);
  process.sdk = is_of_sdk(words);
  process.pid = number_in(text_of(intro, log::property::kPid));
  process.parents = numbers_in(text_of(intro, log::property::kParents));
  process.run = text_of(intro, log::property::kRun);
  return process;
}

std::string process_label(const Process& process) {
  const std::string name = process.name.empty() ? "process" : process.name;
  return process.pid == 0 ? name : name + " (" + std::to_string(process.pid) + ")";
}

bool starts_another(const Process& process) {
  return process.sdk &&
         (process.name == "dotnet-run" || process.name == "dotnet-watch" || process.name == "dotnet-test");
}

std::vector<bool> meant(const std::vector<Process>& processes) {
  const auto is_program = [](const Process& process) { return !process.sdk; };
  const bool some = std::ranges::any_of(processes, starts_another) && std::ranges::any_of(processes, is_program);
  std::vector<bool> result;
  for (const Process& process : processes) result.push_back(!some || !process.sdk);
  return result;
}

}  // namespace oriel::profile
