#include "profile/build/process.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/files/file_template.h"
#include "base/text/shell_word.h"
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

// Whether a process is part of the SDK. Its commands name a verb, such as `dotnet build`, where programs name an
// assembly. Further processes of the SDK have their files in its folder; the host of tests has its files in a package.
bool is_of_sdk(const std::vector<std::string>& command) {
  const std::string subject = dotnet_subject(command);
  if (!subject.empty() && !subject.ends_with(".dll") && !subject.ends_with(".exe")) return true;
  const std::string& file = subject.empty() && !command.empty() ? command[0] : subject;
  return file.find("/sdk/") != std::string::npos && file.find("/testhost.") == std::string::npos;
}

// The project or test assembly that a compiler or test host works on, as a command may start several of them. Compilers
// get their arguments in a file that is gone by then, and run in their project's folder. Test hosts have the tests'
// settings.
std::string works_on(const Process& process, const std::vector<std::string>& command, const log::Intro& intro) {
  constexpr std::string_view kSettings = ".runtimeconfig.json";
  const auto last_part = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
  if (process.name == "testhost") {
    const auto settings =
        std::ranges::find_if(command, [&](const std::string& word) { return word.ends_with(kSettings); });
    return settings == command.end() ? "" : last_part(settings->substr(0, settings->size() - kSettings.size()));
  }
  if (process.name != "csc" && process.name != "vbc" && process.name != "fsc") return "";
  const bool by_file = std::ranges::any_of(command, [](const std::string& word) { return word.starts_with('@'); });
  return by_file ? last_part(text_of(intro, log::property::kCwd)) : "";
}

}  // namespace

Process process_of(const log::Intro& intro) {
  Process process;
  process.command = text_of(intro, log::property::kCommand);
  const std::vector<std::string> words = split_shell_words(process.command);
  process.name = process.command.empty() ? "" : program_name(words);
  if (const std::string project = works_on(process, words, intro); !project.empty()) process.name += " of " + project;
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

std::vector<bool> user_processes(const std::vector<Process>& processes) {
  const auto is_program = [](const Process& process) { return !process.sdk; };
  const bool some = std::ranges::any_of(processes, starts_another) && std::ranges::any_of(processes, is_program);
  std::vector<bool> result;
  for (const Process& process : processes) result.push_back(!some || !process.sdk);
  return result;
}

}  // namespace oriel::profile
