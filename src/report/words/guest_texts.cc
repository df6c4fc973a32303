#include "report/words/guest_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "log/properties.h"
#include "profile/recorded.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::counter_of;
using profile::Profile;

namespace {

// Effects of a profiler's event mask on the whole program, and so on what Oriel measures. Bits of COR_PRF_MONITOR and
// COR_PRF_HIGH_MONITOR (corprof.idl).
struct Effect {
  uint32_t low;
  uint32_t high;
  const char* text;
};
constexpr Effect kEffects[] = {
    {0, 0x8, "turns tiered compilation off"},       {0x80000000, 0, "turns precompiled code off"},
    {0x400000, 0, "turns optimizations off"},       {0x200000, 0, "turns inlining off"},
    {0x80, 0, "turns concurrent collections off"},  {0x1000, 0, "is called for each call"},
    {0x800100, 0, "is called for each allocation"}, {0x800, 0, "is called for each transition to and from native code"},
};

// The next number in "ICorProfilerCallback11 0x24 0x8" from `at`; 0 if there is none.
uint32_t next_number(std::string_view text, size_t& at) {
  at = std::min(text.find(" 0x", at), text.size());
  uint32_t number = 0;
  const std::string_view digits = text.substr(std::min(at + 3, text.size()));
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  at = std::min(at + 3, text.size());
  return number;
}

std::vector<std::string_view> effects_of(std::string_view beginning) {
  size_t at = 0;
  const uint32_t low = next_number(beginning, at), high = next_number(beginning, at);
  std::vector<std::string_view> texts;
  for (const Effect& effect : kEffects)
    if ((low & effect.low) == effect.low && (high & effect.high) == effect.high) texts.push_back(effect.text);
  return texts;
}

// "libagent.so {CLSID}: 12 methods changed, 3.4 ms in its callbacks, ICorProfilerCallback11, mask 0x24 0x8"
std::string guest_text(const Profile& profile, const std::string& name, const std::string& beginning) {
  std::string text = clean(name) + ": ";
  if (counter_of(profile, log::counter::kGuestOut + name) > 0 || beginning == "left out") text += "left out, ";
  text += counted(counter_of(profile, log::counter::kGuestMethods + name), "method", "methods") + " changed, ";
  const uint64_t ns = counter_of(profile, log::counter::kGuestNs + name);
  text += duration(static_cast<int64_t>(ns)) + " in its callbacks";
  const size_t mask = beginning.find(' ');
  if (!beginning.empty() && beginning != "left out")
    text += fmt::format("; {}, mask {}", clean(beginning.substr(0, mask)), clean(beginning.substr(mask + 1)));
  for (const std::string_view effect : effects_of(beginning)) text += fmt::format(", {}", effect);
  return text;
}

std::vector<std::string> parts_of(const Profile& profile, const char* name) {
  constexpr std::string_view kComma = ", ";
  const std::string* const list = profile::property(profile.intro, name);
  std::vector<std::string> parts;
  for (size_t at = 0; list != nullptr && at <= list->size();) {
    const size_t end = std::min(list->find(kComma, at), list->size());
    parts.push_back(list->substr(at, end - at));
    at = end + kComma.size();
  }
  return parts;
}

}  // namespace

std::vector<std::string> guest_texts(const Profile& profile) {
  std::vector<std::string> names = parts_of(profile, log::property::kGuests);
  std::vector<std::string> beginnings = parts_of(profile, log::property::kGuestsBegan);
  constexpr std::string_view kMethods = log::counter::kGuestMethods;
  for (const profile::Counter& counter : profile.counters) {
    if (!counter.name.starts_with(kMethods)) continue;
    std::string name = counter.name.substr(kMethods.size());
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  beginnings.resize(names.size());
  std::vector<std::string> texts;
  for (size_t i = 0; i < names.size(); ++i) texts.push_back(guest_text(profile, names[i], beginnings[i]));
  return texts;
}

}  // namespace oriel::report
