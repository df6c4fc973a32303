#include "runtimes/coreclr/own_environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/text/utf16.h"
#include "runtimes/coreclr/clsid.h"
#include "runtimes/coreclr/guests/child_environment.h"

namespace oriel::coreclr {
namespace {

constexpr std::string_view kOwn[] = {"ORIEL_PROFILERS=", "ORIEL_PID=",    "ORIEL_RUN=",       "ORIEL_CHILDREN=",
                                     "ORIEL_MESSAGES=",  "ORIEL_GUESTS=", "ORIEL_NO_GUESTS=", "ORIEL_NO_REDACT="};
constexpr std::string_view kOfRuntime[] = {"CORECLR_ENABLE_PROFILING=", "CORECLR_PROFILER=", "CORECLR_PROFILER_PATH"};

bool begins_with_one(std::string_view entry, const auto& names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return entry.starts_with(name); });
}

bool is_set_to(const char* name, std::string_view value) {
  const char* const now = std::getenv(name);
  return now != nullptr && now == value;
}

// Updates the runtime's own copy.
void tell_runtime(IUnknown& info, const std::vector<std::string_view>& gone,
                  const std::vector<std::string_view>& back) {
  ComPtr<ProfilerInfo> runtime;
  if (failed(info.QueryInterface(kICorProfilerInfo11Id, reinterpret_cast<void**>(runtime.receive())))) return;
  const auto name_of = [](std::string_view entry) { return utf16_of(entry.substr(0, entry.find('='))); };
  for (const std::string_view entry : gone) runtime->SetEnvironmentVariable(name_of(entry).c_str(), nullptr);
  for (const std::string_view entry : back)
    runtime->SetEnvironmentVariable(name_of(entry).c_str(), utf16_of(entry.substr(entry.find('=') + 1)).c_str());
}

}  // namespace

void take_own_environment_out(IUnknown& info) {
  const char* const pid = std::getenv("ORIEL_PID");
  if (pid == nullptr || *pid == '\0' || is_set_to("ORIEL_CHILDREN", "1") || environ == nullptr) return;
  const bool names_oriel = is_set_to("CORECLR_PROFILER", ORIEL_CORECLR_CLSID);
  // A new block that is never freed: a thread may still be reading the old one.
  auto& kept = *new std::vector<char*>;
  std::vector<std::string_view> gone, back;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool taken = text.starts_with(kTakenPrefix);
    if (taken && names_oriel) {
      kept.push_back(*entry + std::strlen(kTakenPrefix));
      back.emplace_back(kept.back());
    }
    if (taken || begins_with_one(text, kOwn) || (names_oriel && begins_with_one(text, kOfRuntime)))
      gone.push_back(text);
    else
      kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  tell_runtime(info, gone, back);
  environ = kept.data();
}

}  // namespace oriel::coreclr
