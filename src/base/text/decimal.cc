#include "base/text/decimal.h"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>

namespace oriel {
namespace {

size_t digits_at(std::string_view text, size_t from) {
  size_t at = from;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at - from;
}

// How long the number is, without an exponent; 0: there is none.
size_t length_of(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const size_t whole = digits_at(text, at);
  at += whole;
  if (at == text.size() || text[at] != '.') return whole == 0 ? 0 : at;
  const size_t part = digits_at(text, at + 1);
  return whole + part == 0 ? 0 : at + 1 + part;
}

// 'e' or 'E', a sign or none, digits.
bool is_exponent(std::string_view text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return false;
  const size_t digits = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 2 : 1;
  return digits < text.size() && digits + digits_at(text, digits) == text.size();
}

double value_of(std::string_view number) {
  static const locale_t kPointed = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(std::string(number).c_str(), nullptr, kPointed);
}

}  // namespace

Decimal leading_decimal(std::string_view text) {
  const size_t length = length_of(text);
  if (length == 0) return {};
  return {value_of(text.substr(0, length)), length};
}

std::optional<double> whole_decimal(std::string_view text) {
  const size_t length = length_of(text);
  if (length == 0 || (length < text.size() && !is_exponent(text.substr(length)))) return std::nullopt;
  const double value = value_of(text);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace oriel
