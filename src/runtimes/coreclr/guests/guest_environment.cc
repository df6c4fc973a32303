#include "runtimes/coreclr/guests/guest_environment.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "base/process/own_environment.h"
#include "runtimes/coreclr/guests/child_environment.h"
#include "runtimes/coreclr/guests/child_starts.h"

namespace oriel::coreclr {
namespace {

constexpr const char* kVariables[] = {
    "CORECLR_ENABLE_PROFILING",    "CORECLR_PROFILER",         "CORECLR_PROFILER_PATH",
    "CORECLR_PROFILER_PATH_64",    "CORECLR_PROFILER_PATH_32", "CORECLR_PROFILER_PATH_ARM64",
    "CORECLR_PROFILER_PATH_ARM32",
};

std::optional<std::string> taken(const std::string& variable) {
  const char* value = std::getenv((kTakenPrefix + variable).c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> given(const std::string& variable, const GuestSpec& guest) {
  if (variable == "CORECLR_ENABLE_PROFILING") return "1";
  if (variable == "CORECLR_PROFILER") return guest.clsid;
  if (variable == "CORECLR_PROFILER_PATH") return guest.path;
  return std::nullopt;
}

// Sets it in the C library's environment, which managed code reads, and in the runtime's copy.
void set(ProfilerInfo& runtime, const std::string& variable, const std::optional<std::string>& value) {
  value ? setenv(variable.c_str(), value->c_str(), 1) : unsetenv(variable.c_str());
  const std::u16string name(variable.begin(), variable.end());
  const std::u16string wide = value ? std::u16string(value->begin(), value->end()) : std::u16string();
  runtime.SetEnvironmentVariable(name.c_str(), value ? wide.c_str() : nullptr);
}

}  // namespace

void give_guests_their_environment(ProfilerInfo& runtime, const std::vector<GuestSpec>& guests) {
  const char* children = std::getenv("ORIEL_CHILDREN");
  const bool children_find_oriel_here = children != nullptr && std::strcmp(children, "1") == 0;
  if (guests.empty() || (children_find_oriel_here && !redirect_child_starts())) return;
  const bool was_taken = taken("CORECLR_PROFILER").has_value();
  for (const std::string variable : kVariables)
    set(runtime, variable, was_taken ? taken(variable) : given(variable, guests.front()));
}

}  // namespace oriel::coreclr
