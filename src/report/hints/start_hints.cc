#include "report/hints/start_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "base/text/shell_word.h"
#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/work/category.h"
#include "profile/work/compilations.h"
#include "report/waiting/waits.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Category;
using profile::FirstCompilations;
using profile::Profile;

namespace {

constexpr const char* kCommand = "oriel report jit";
constexpr double kLeastStartShare = 0.10;

// It must also be a part of the wall time: a program that idles after its start did not start slowly.
bool is_enough(uint64_t periods, const Profile& profile) {
  return are_significant_samples(periods, profile) &&
         share(periods, profile::program_periods(profile)) >= kLeastStartShare &&
         static_cast<double>(ns_of(periods, profile)) >= kLeastStartShare * static_cast<double>(profile.wall_ns);
}

// Tests are not published, so they cannot have ReadyToRun code.
bool is_test_host(const Profile& profile) {
  const auto runs_tests = [](const profile::Function& function) {
    return function.module.starts_with("testhost") || function.module.starts_with("Microsoft.TestPlatform") ||
           function.module.starts_with("Microsoft.Testing.Platform") || function.module.starts_with("xunit.") ||
           function.module.starts_with("nunit.");
  };
  return std::ranges::any_of(profile.functions, runs_tests);
}

// High enough for csc: fully optimizing JIT takes a quarter of a run of seconds, and csc is slower with tiering because
// of PGO instrumentation.
constexpr double kMostlyStart = 0.4;

// A feature that a setting turned off. In texts, {0} is the share, {1} the time, {2} the setting.
struct SettingHint {
  std::string_view name;  // suffix of the setting's name
  const char* key;
  bool ahead;    // counts methods that would otherwise have ReadyToRun code, instead of first compilations
  double least;  // least share of the time
  const char* text;
};
constexpr SettingHint kBySetting[] = {
    {"_ReadyToRun", "ready-to-run-off", true, kLeastStartShare,
     "{0} ({1}) is the JIT compiler, at the first call of methods of .NET and of packages. Most of .NET has "
     "precompiled code (ReadyToRun), which {2} disables."},
    {"TieredCompilation", "tiered-off", false, kMostlyStart,
     "{0} ({1}) is the JIT compiler, at the first call of methods. With {2}, it optimizes each method before it runs. "
     "Without it, a program starts faster, and hot methods are optimized in the background."},
    {"QuickJit", "quick-jit-off", false, kMostlyStart,
     "{0} ({1}) is the JIT compiler, at the first call of methods. With {2}, it optimizes each method before it runs. "
     "Without it, a program starts faster, and hot methods are optimized in the background."},
    {"QuickJitForLoops", "quick-jit-off", false, kMostlyStart,
     "{0} ({1}) is the JIT compiler, at the first call of methods. With {2}, it optimizes methods with loops before "
     "they run. Without it, a program starts faster, and a long-running loop is replaced while it runs (OSR)."},
};

bool is_off(std::string_view value) { return value == "0" || value == "false"; }

// The setting as logged if it turns the feature off; else "".
std::string found_off(std::string_view name, const Profile& profile) {
  const std::string* settings = profile::property(profile.intro, log::property::kRuntimeSettings);
  if (!settings) return "";
  for (const std::string& word : split_shell_words(*settings)) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || !is_off(std::string_view(word).substr(equals + 1))) continue;
    if (std::string_view(word).substr(0, equals).ends_with(name)) return clean(word);
  }
  return "";
}

uint64_t sum_of(std::span<const FirstCompilations> all, std::initializer_list<Category> categories) {
  uint64_t sum = 0;
  for (const FirstCompilations& one : all)
    if (categories.size() == 0 || std::ranges::find(categories, one.category) != categories.end()) sum += one.periods;
  return sum;
}

bool add_setting(std::span<const FirstCompilations> first, const Profile& profile, std::vector<Hint>& to) {
  const uint64_t whole = profile::program_periods(profile);
  for (const SettingHint& row : kBySetting) {
    const std::string setting = found_off(row.name, profile);
    const uint64_t periods = row.ahead ? sum_of(first, {Category::kFramework, Category::kPackage}) : sum_of(first, {});
    if (setting.empty() || !is_enough(periods, profile) || share(periods, whole) < row.least) continue;
    to.push_back({row.key, share(periods, whole),
                  fmt::format(fmt::runtime(row.text), percent(periods, whole), time_of(periods, profile), setting),
                  kCommand});
    return true;
  }
  return false;
}

// "24.1 % Microsoft.EntityFrameworkCore, 3.0 % your code, 2.0 % others"
std::string origins_text(std::span<const FirstCompilations> first, uint64_t all, uint64_t whole) {
  constexpr size_t kShown = 3;
  std::vector<std::string> parts;
  for (const FirstCompilations& one : first) {
    if (one.category != Category::kOwn && one.category != Category::kPackage) continue;
    if (parts.size() == kShown) break;
    const std::string name = one.category == Category::kOwn ? "your code" : clean(one.name);
    parts.push_back(fmt::format("{} {}", percent(one.periods, whole), name));
    all -= one.periods;
  }
  if (all > 0) parts.push_back(percent(all, whole) + " others");
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Where Oriel counts calls, it has Mono compile what was compiled ahead of time (base/process/mono_environment.h).
void add_not_ahead(std::span<const FirstCompilations> first, const Profile& profile, std::vector<Hint>& to) {
  if (profile::is_of_mono(profile) && profile::has_calls(profile)) return;
  const uint64_t whole = profile::program_periods(profile);
  const uint64_t periods = sum_of(first, {Category::kOwn, Category::kPackage});
  if (!is_enough(periods, profile) || is_test_host(profile)) return;
  constexpr const char* kOnCoreClr =
      "{} ({}) is the JIT compiler, at the first call of methods without ReadyToRun code: {}. To precompile them, set "
      "<PublishReadyToRun>true</PublishReadyToRun> in the project and use dotnet publish.";
  constexpr const char* kOnMono =
      "{} ({}) is the JIT compiler, at the first call of methods that were not compiled ahead of time: {}. To "
      "precompile "
      "them, run mono --aot on their assemblies.";
  to.push_back({profile::is_of_mono(profile) ? "mono-aot" : "ready-to-run", share(periods, whole),
                fmt::format(fmt::runtime(profile::is_of_mono(profile) ? kOnMono : kOnCoreClr), percent(periods, whole),
                            time_of(periods, profile), origins_text(first, periods, whole)),
                kCommand});
}

}  // namespace

void add_start_hints(const Profile& profile, std::vector<Hint>& to) {
  const std::vector<FirstCompilations> first = profile::first_compilations(profile);
  if (!add_setting(first, profile, to)) add_not_ahead(first, profile, to);
}

}  // namespace oriel::report
