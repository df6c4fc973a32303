#include "run/settings_words.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "settings/settings.h"

namespace oriel::cli {
namespace {

constexpr std::string_view kConfig = "--config";

bool is_option(const std::string& word, std::string_view option) {
  return word.starts_with(option) && (word.size() == option.size() || word[option.size()] == '=');
}

bool is_typed(const std::vector<std::string>& words, std::string_view option) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_option(word, option); });
}

std::string file_of(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i], kConfig)) continue;
    if (words[i].size() > kConfig.size()) return words[i].substr(kConfig.size() + 1);
    return i + 1 < words.size() ? words[i + 1] : "";
  }
  const char* const named = std::getenv("ORIEL_CONFIG");
  return named ? named : "";
}

}  // namespace

Status add_settings(std::vector<std::string>& words) {
  if (words.empty() || words[0] != "run" || is_typed(words, "--help") || is_typed(words, "-h")) return Status::ok();
  const std::string file = file_of(words);
  if (file.empty()) return Status::ok();
  const Result<settings::Settings> settings = settings::read_settings(file);
  if (!settings) return settings.status();
  std::vector<std::string> added;
  for (const settings::Setting& setting : settings->options) {
    if (!is_typed(words, setting.option)) added.push_back(setting.option + (setting.value ? "=" + *setting.value : ""));
  }
  if (!settings->output.empty() && !is_typed(words, "-o") && !is_typed(words, "--output"))
    added.push_back("--output=" + settings->output);
  const std::pair<const char*, bool> switches[] = {
      {"--paused", settings->paused}, {"--children", settings->children}, {"--no-redact", settings->no_redact}};
  for (const auto& [option, given] : switches) {
    if (given && !is_typed(words, option)) added.emplace_back(option);
  }
  for (const std::string& module : settings->modules) added.push_back("--module=" + module);
  words.insert(words.begin() + 1, added.begin(), added.end());
  return Status::ok();
}

}  // namespace oriel::cli
