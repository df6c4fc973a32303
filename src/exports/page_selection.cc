#include "exports/page_selection.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace oriel::exports {
namespace {

template <typename Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename Number>
bool read(std::string_view text, std::optional<Number>& number) {
  return read(text, number.emplace());
}

bool read(std::string_view text, bool& flag) {
  flag = text == "1";
  return true;
}

// Calls `take` with each part; whether it took all.
template <typename Take>
bool each_part(std::string_view text, char between, const Take& take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(between), text.size());
    if (!take(text.substr(0, end))) return false;
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return true;
}

bool read(std::string_view text, std::set<uint32_t>& numbers) {
  return each_part(text, ',', [&](std::string_view part) {
    uint32_t number = 0;
    return read(part, number) && numbers.insert(number).second;
  });
}

// Bounds that follow one another fall.
bool read(std::string_view text, std::vector<ZoomStep>& way) {
  return each_part(text, '.', [&](std::string_view part) {
    const uint64_t before = way.empty() ? 0 : way.back().least;
    ZoomStep& step = way.emplace_back();
    if (!part.starts_with('s')) return read(part, step.frame);
    return read(part.substr(1), step.least) && step.least > 0 && (before == 0 || step.least < before);
  });
}

// No run is that long, and differences of two such times do not overflow.
bool is_time(const std::optional<int64_t>& ns) {
  constexpr int64_t kMost = int64_t{1} << 61;
  return !ns || (*ns > -kMost && *ns < kMost);
}

// Four a digit, the first one lowest.
bool read(std::string_view text, std::vector<bool>& flags) {
  for (const char c : text) {
    uint32_t digit = 0;
    const auto [end, error] = std::from_chars(&c, &c + 1, digit, 16);
    if (error != std::errc()) return false;
    for (int bit = 0; bit < 4; ++bit) flags.push_back((digit >> bit & 1) != 0);
  }
  return true;
}

}  // namespace

Result<PageSelection> parse_selection(const std::map<std::string, std::string>& words) {
  PageSelection selection;
  const auto take = [&](const char* name, auto& value) {
    const auto word = words.find(name);
    return word == words.end() || word->second.empty() || read(std::string_view(word->second), value);
  };
  const bool is_fine = take("tree", selection.tree) && take("second", selection.second) &&
                       take("thread", selection.thread) && take("group", selection.groups) &&
                       take("from", selection.from_ns) && take("to", selection.to_ns) &&
                       take("scaffolding", selection.scaffolding) && take("callers", selection.callers_of) &&
                       take("zoom", selection.zoom) && take("found", selection.found) && take("frame", selection.frame);
  if (!is_fine || !is_time(selection.from_ns) || !is_time(selection.to_ns))
    return Status::error("the page asked for something that there is not: reload it");
  return selection;
}

}  // namespace oriel::exports
