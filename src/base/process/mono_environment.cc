#include "base/process/mono_environment.h"

#include <algorithm>

#include "base/text/words.h"

namespace oriel {
namespace {

constexpr std::string_view kOption = "--profile=oriel";
// Oriel's only where it follows the other one.
constexpr std::string_view kNothingPrecompiled = "--optimize=-aot";

bool is_oriel_folder(std::string_view folder) {
  return folder.ends_with(kMonoFolder) && folder.size() > kMonoFolder.size() &&
         folder[folder.size() - kMonoFolder.size() - 1] == '/';
}

// The list without the parts that are Oriel's; the others stay as they are.
template <typename IsOriels>
std::string without(std::string_view list, char separator, IsOriels is_oriels) {
  std::string rest;
  bool first = true;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    const std::string_view part = list.substr(at, end - at);
    at = end + 1;
    if (is_oriels(part)) continue;
    if (!first) rest += separator;
    first = false;
    rest += part;
  }
  return rest;
}

std::string with(const std::string& list, char separator, std::string_view part) {
  return list.empty() ? std::string(part) : list + separator + std::string(part);
}

std::string mono_folder(std::string_view engine_folder) {
  return std::string(engine_folder) + "/" + std::string(kMonoFolder);
}

}  // namespace

std::string mono_library(std::string_view engine_folder) {
  return mono_folder(engine_folder) + "/libmono-profiler-oriel.so";
}

std::string with_oriel_option(std::string_view options, bool adds_to_code) {
  const std::string with_profiler = with(without_oriel_option(options), ' ', kOption);
  const bool may = adds_to_code && std::ranges::none_of(split(options, ' '), wants_precompiled);
  return may ? with(with_profiler, ' ', kNothingPrecompiled) : with_profiler;
}

bool wants_precompiled(std::string_view word) {
  for (const std::string_view option : {"-O=", "--optimize="})
    if (word.starts_with(option))
      return std::ranges::count(split(word.substr(option.size()), ','), std::string_view("aot")) != 0;
  return word.starts_with("--full-aot") || word == "--hybrid-aot" || word == "--llvmonly";
}

std::string without_oriel_option(std::string_view options) {
  bool follows = false;
  return without(options, ' ', [&](std::string_view word) {
    const bool was_oriels = follows;
    follows = word == kOption;
    return follows || (was_oriels && word == kNothingPrecompiled);
  });
}

std::string with_oriel_folder(std::string_view path, std::string_view engine_folder) {
  return with(without_oriel_folder(path), ':', mono_folder(engine_folder));
}

std::string without_oriel_folder(std::string_view path) { return without(path, ':', is_oriel_folder); }

}  // namespace oriel
