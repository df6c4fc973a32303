#include "runtimes/coreclr/code_shape.h"

#include "base/text/words.h"

namespace oriel::coreclr {
namespace {

bool is_digit(char wanted, unsigned digit) { return wanted == '?' || wanted == "0123456789abcdef"[digit]; }

bool is_byte(std::string_view wanted, uint8_t byte) {
  return is_digit(wanted[0], byte >> 4) && is_digit(wanted[1], byte & 15u);
}

}  // namespace

size_t shape_length(std::string_view pattern) { return (pattern.size() + 1) / 3; }

bool begins_with_shape(std::span<const uint8_t> code, std::string_view pattern) {
  while (!pattern.empty()) {
    const std::string_view wanted = cut(pattern, ' ');
    if (wanted == "*") return has_shape(code, pattern);
    if (code.empty() || !is_byte(wanted, code.front())) return false;
    code = code.subspan(1);
  }
  return true;
}

bool has_shape(std::span<const uint8_t> code, std::string_view pattern) {
  for (size_t at = 0; at <= code.size(); ++at)
    if (begins_with_shape(code.subspan(at), pattern)) return true;
  return false;
}

}  // namespace oriel::coreclr
