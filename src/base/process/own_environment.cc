#include "base/process/own_environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/process/coreclr_clsid.h"
#include "base/process/mono_environment.h"

namespace oriel {
namespace {

constexpr std::string_view kOwn[] = {"ORIEL_PROFILERS=", "ORIEL_PID=",    "ORIEL_RUN=",       "ORIEL_CHILDREN=",
                                     "ORIEL_MESSAGES=",  "ORIEL_GUESTS=", "ORIEL_NO_GUESTS=", "ORIEL_NO_REDACT="};
constexpr std::string_view kOfCoreClr[] = {"CORECLR_ENABLE_PROFILING=", "CORECLR_PROFILER=", "CORECLR_PROFILER_PATH"};

struct OfMono {
  std::string_view name;
  std::string (*without_oriel)(std::string_view value);
};
constexpr OfMono kVariables[] = {{"MONO_ENV_OPTIONS=", without_oriel_option},
                                 {"LD_LIBRARY_PATH=", without_oriel_folder}};

bool begins_with_one(std::string_view entry, const auto& names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return entry.starts_with(name); });
}

bool is_set_to(const char* name, std::string_view value) {
  const char* const now = std::getenv(name);
  return now != nullptr && now == value;
}

// The entry as it was before Oriel's part was added to its value; the same one if none was. nullptr: it was not there.
char* before_oriel(char* entry) {
  for (const OfMono& variable : kVariables) {
    const std::string_view text = entry;
    if (!text.starts_with(variable.name)) continue;
    const std::string_view value = text.substr(variable.name.size());
    const std::string rest = variable.without_oriel(value);
    if (rest == value) return entry;
    return rest.empty() ? nullptr : (new std::string(std::string(variable.name) + rest))->data();  // lives on
  }
  return entry;
}

}  // namespace

EnvironmentChange take_own_environment_out() {
  EnvironmentChange change;
  const char* const pid = std::getenv("ORIEL_PID");
  if (pid == nullptr || *pid == '\0' || is_set_to("ORIEL_CHILDREN", "1") || environ == nullptr) return change;
  const bool names_oriel = is_set_to("CORECLR_PROFILER", ORIEL_CORECLR_CLSID);
  // A new block that is never freed: a thread may still be reading the old one.
  auto& kept = *new std::vector<char*>;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool taken = text.starts_with(kTakenPrefix);
    const bool own = begins_with_one(text, kOwn) || (names_oriel && begins_with_one(text, kOfCoreClr));
    char* const of_taken = names_oriel ? *entry + std::strlen(kTakenPrefix) : nullptr;
    char* const before = taken ? of_taken : own ? nullptr : before_oriel(*entry);
    if (before != *entry) change.gone.push_back(text);
    if (before != *entry && before != nullptr) change.back.emplace_back(before);
    if (before != nullptr) kept.push_back(before);
  }
  kept.push_back(nullptr);
  environ = kept.data();
  return change;
}

}  // namespace oriel
