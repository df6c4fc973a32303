// Redaction of a command's words.
#include <algorithm>

#include "base/redact/redact.h"
#include "base/redact/redact_forms.h"

namespace oriel {
namespace {

// The name in "--name=value", "/name:value" and "name=value", and where the value begins; kNowhere without a value.
struct Setting {
  std::string_view name;
  size_t value = kNowhere;
};

bool ends_in_connection_strings(std::string_view name) {
  constexpr std::string_view kEnd = "connectionstrings";
  return name.size() >= kEnd.size() && equal_but_for_case(name.substr(name.size() - kEnd.size()), kEnd);
}

Setting setting_of(std::string_view word) {
  size_t end = 0;
  const auto belongs = [](char c) { return is_name_character(c) || c == '/' || c == ':'; };
  while (end < word.size() && belongs(word[end])) ++end;
  if (end < word.size() && word[end] == '=') return {word.substr(0, end), end + 1};
  size_t colon = word.substr(0, end).find(':', 1);
  // A key of .NET's configuration: its name follows the colon.
  if (colon != kNowhere && ends_in_connection_strings(word.substr(0, colon))) colon = kNowhere;
  if (colon == kNowhere || word.substr(colon, 3) == "://") return {word.substr(0, end), kNowhere};
  return {word.substr(0, colon), colon + 1};
}

// "--password", "/password": the next word is its value.
bool is_secret_option(std::string_view word) {
  const bool is_path = word.starts_with('/') && word.find_first_of("/.", 1) != kNowhere;
  return (word.starts_with('-') || (word.starts_with('/') && !is_path)) && is_secret_name(word);
}

std::string redact_word(std::string_view word) {
  const Setting setting = setting_of(word);
  if (setting.value != kNowhere && setting.value < word.size() && is_secret_name(setting.name))
    return std::string(word.substr(0, setting.value)).append(kLeftOut);
  if (setting.value == kNowhere && is_secret_option(word)) return std::string(word);
  return redact_text(word);
}

// "bob:hunter2"
std::string redact_user(std::string_view word) {
  const size_t password = password_of_user(word);
  return password == kNowhere ? redact_word(word) : std::string(word.substr(0, password)).append(kLeftOut);
}

}  // namespace

std::vector<std::string> redact_command(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  bool value = false, user = false;  // the previous option expects it
  for (const std::string& word : words) {
    const bool is_program = result.empty();
    if (value && !looks_like_option(word)) {
      result.emplace_back(kLeftOut);
      value = false;
      continue;
    }
    result.push_back(user ? redact_user(word) : redact_word(word));
    const bool has_value = setting_of(word).value != kNowhere;
    value = !is_program && !has_value && is_secret_option(word);
    user = is_user_option(word);
  }
  return result;
}

}  // namespace oriel
