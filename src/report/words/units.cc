#include "report/words/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace oriel::report {
namespace {

// Three significant digits: 1.23, 12.3, 123.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

std::string count(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string rounded_count(uint64_t value) {
  const auto amount = static_cast<double>(value);
  if (value < 1'000'000) return count(value);
  if (amount < 999.5e6) return three_digits(amount / 1e6) + " M";
  return three_digits(amount / 1e9) + " G";
}

std::string counted(uint64_t value, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count(value), value == 1 ? one : many);
}

bool worth_telling(uint64_t part, uint64_t whole) {
  return whole != 0 && static_cast<double>(part) >= 0.0005 * static_cast<double>(whole);
}

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "–";
  if (part > 0 && !worth_telling(part, whole)) return "<0.1 %";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string duration(int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns == 0) return "0 s";
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (value < 999.5e3) return three_digits(value / 1e3) + " µs";
  if (value < 999.5e6) return three_digits(value / 1e6) + " ms";
  if (value < 99.95e9) return three_digits(value / 1e9) + " s";
  const int64_t seconds = (ns + 500'000'000) / 1'000'000'000;
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  const int64_t minutes = (seconds + 30) / 60;
  return fmt::format("{} h {:02} min", count(static_cast<uint64_t>(minutes / 60)), minutes % 60);
}

std::string moment(int64_t ns) { return fmt::format("{:.3f} s", static_cast<double>(ns) / 1e9); }

std::string bytes(uint64_t value) {
  const auto amount = static_cast<double>(value);
  if (value < 1000) return counted(value, "byte", "bytes");
  if (amount < 999.5e3) return three_digits(amount / 1e3) + " kB";
  if (amount < 999.5e6) return three_digits(amount / 1e6) + " MB";
  return three_digits(amount / 1e9) + " GB";
}

std::string date(int64_t unix_us) {
  const time_t seconds = unix_us / 1'000'000;
  tm parts{};
  if (unix_us <= 0 || !gmtime_r(&seconds, &parts)) return "at an unknown time";
  char text[64];
  const size_t size = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return std::string(text, size);
}

std::string time_of(uint64_t periods, const profile::Profile& profile) {
  if (profile.sampling_hz == 0) return "";
  return duration(std::llround(static_cast<double>(periods) * 1e9 / profile.sampling_hz));
}

std::string bars(std::span<const double> values) {
  constexpr const char* kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double most = values.empty() ? 0 : std::ranges::max(values);
  std::string text;
  for (const double value : values)
    text += kBars[value <= 0 || most <= 0 ? 0 : std::clamp<int>(static_cast<int>(std::ceil(value / most * 8)), 1, 8)];
  return text;
}

std::string percent_cell(uint64_t part, uint64_t whole) { return part == 0 ? "" : percent(part, whole); }

std::string time_cell(uint64_t periods, const profile::Profile& profile) {
  return periods == 0 ? "" : time_of(periods, profile);
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t least_total(uint64_t whole, const Options& options) {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(whole) * options.min_share));
}

uint64_t positive(int64_t ns) { return static_cast<uint64_t>(std::max<int64_t>(ns, 0)); }

size_t rows(const Options& options, size_t usual) { return options.limit == 0 ? usual : options.limit; }

std::string signed_bytes(double value) {
  return (value < 0 ? "-" : "+") + bytes(static_cast<uint64_t>(std::llround(std::abs(value))));
}

std::string signed_count(double value) {
  return (value < 0 ? "-" : "+") + count(static_cast<uint64_t>(std::llround(std::abs(value))));
}

std::string rest_of_rows(size_t shown, size_t all) {
  return shown < all ? fmt::format("… and {} more (--limit)\n", count(all - shown)) : "";
}

}  // namespace oriel::report
