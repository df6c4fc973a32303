#include "run/guests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/input_file.h"
#include "base/process/clr_setting.h"
#include "base/process/coreclr_clsid.h"
#include "commands.h"
#include "exit_codes.h"

namespace oriel::cli {
namespace {

// "libagent.so {CLSID}"
std::string name_of(const GuestSpec& guest) {
  return std::filesystem::path(guest.path).filename().string() + " " + guest.clsid;
}

Result<std::vector<GuestSpec>> of_file(const std::string& path) {
  constexpr uint64_t kMostBytes = 16u << 20;
  const Result<std::string> text = read_input_text(path, kMostBytes);
  if (!text) return Status::error(fmt::format("'{}' cannot be read: {}", path, text.message()));
  Result<std::vector<GuestSpec>> guests = parse_guests(*text);
  if (!guests) return Status::error(fmt::format("'{}', {}", path, guests.message()));
  return guests;
}

Result<std::vector<GuestSpec>> of_options(const GuestOptions& options) {
  std::vector<GuestSpec> guests;
  for (const std::string& text : options.profilers) {
    Result<std::vector<GuestSpec>> given = parse_guests(text);
    if (!given || given->empty())
      return Status::error(
          fmt::format("--clr-profiler '{}' is not a profiler; write --clr-profiler '{{CLSID}}=PATH'", text));
    guests.insert(guests.end(), given->begin(), given->end());
  }
  if (options.config.empty()) return guests;
  Result<std::vector<GuestSpec>> listed = of_file(options.config);
  if (!listed) return Status::error("--clr-profiler-config: " + listed.message());
  guests.insert(guests.end(), listed->begin(), listed->end());
  return guests;
}

// The path that the runtime would use.
std::string path_in(const Environment& environment) {
  const std::string wide = value_of(environment, "CORECLR_PROFILER_PATH_64");
  return wide.empty() ? value_of(environment, "CORECLR_PROFILER_PATH") : wide;
}

// The profiler that the runtime would load without Oriel; its class id is "" if there is none.
GuestSpec in_environment(const Environment& environment) {
  if (!is_clr_switch_on(value_of(environment, "CORECLR_ENABLE_PROFILING"))) return {};
  const std::string clsid = canonical_clsid(value_of(environment, "CORECLR_PROFILER"));
  return clsid == ORIEL_CORECLR_CLSID ? GuestSpec{} : GuestSpec{clsid, path_in(environment)};
}

// Two libraries may have one class id, such as two versions of a profiler.
bool is_same(const GuestSpec& a, const GuestSpec& b) {
  std::error_code error;
  return a.clsid == b.clsid && (a.path == b.path || std::filesystem::equivalent(a.path, b.path, error));
}

// Puts it first among the guests, because it was there before. Changes nothing if it cannot be loaded.
void take_over(const Environment& environment, Guests& guests) {
  const GuestSpec there = in_environment(environment);
  if (there.clsid.empty()) return;
  if (there.path.find('\n') != there.path.npos)
    return say(
        fmt::format("{}, which CORECLR_PROFILER names, is left out: its path contains a line break", there.clsid));
  if (const Status status = try_guest(there); !status)
    return say(fmt::format("{}, which CORECLR_PROFILER names, is left out: {}", there.clsid, status.message()));
  std::erase_if(guests.specs, [&](const GuestSpec& guest) { return is_same(guest, there); });
  guests.specs.insert(guests.specs.begin(), there);
  guests.taken = true;
  say(fmt::format("{}, which CORECLR_PROFILER names, runs beside Oriel (--no-guests leaves it out)", name_of(there)));
}

}  // namespace

Result<Guests> find_guests(const GuestOptions& options, const Environment& environment) {
  Result<std::vector<GuestSpec>> given = of_options(options);
  if (!given) return given.status();
  Guests guests{*given, false, options.none};
  for (GuestSpec& guest : guests.specs) {
    if (guest.clsid == ORIEL_CORECLR_CLSID)
      return Status::error(
          fmt::format("the profiler {} is Oriel itself, which runs anyway: leave it out", name_of(guest)));
    if (std::ranges::count_if(guests.specs, [&](const GuestSpec& other) { return is_same(guest, other); }) > 1)
      return Status::error(fmt::format("the profiler {} is given twice", guest.clsid));
    std::error_code error;
    guest.path = std::filesystem::absolute(guest.path, error).string();
    if (Status status = try_guest(guest); !status)
      return Status::error(fmt::format("the profiler {}: {}", name_of(guest), status.message()));
  }
  if (!options.none) take_over(environment, guests);
  return guests;
}

}  // namespace oriel::cli
