// Sanitizes names: a profiled program can call its methods anything.
#pragma once

#include <charconv>
#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>

namespace oriel::exports {

// Valid UTF-8 on one line: line breaks and tabs become spaces; U+FFFD replaces other control characters, line and
// paragraph separators, bidirectional formatting characters, and invalid bytes.
std::string clean_text(std::string_view text);

// `text`, sanitized, as a JSON string with quotes.
std::string json_string(std::string_view text);

// `text`, sanitized, for XML and HTML: as text, or as an attribute's value in quotes.
std::string markup(std::string_view text);

// Escapes JSON for an HTML <script> element: no '<', '>' or '&' is left. These occur only in strings.
std::string escape_for_script(std::string_view json);

// Buffers text for a stream: for files with many short lines, streams are slow. The destructor flushes.
class BufferedText {
 public:
  explicit BufferedText(std::ostream& out) : out_(out) {}
  ~BufferedText() { flush(); }
  BufferedText(const BufferedText&) = delete;
  BufferedText& operator=(const BufferedText&) = delete;

  BufferedText& operator<<(std::string_view text) {
    text_ += text;
    if (text_.size() >= kMost) flush();
    return *this;
  }
  BufferedText& operator<<(char c) { return *this << std::string_view(&c, 1); }
  BufferedText& operator<<(std::unsigned_integral auto number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, uint64_t{number}).ptr;
    return *this << std::string_view(digits, static_cast<size_t>(end - digits));
  }

 private:
  static constexpr size_t kMost = size_t{64} << 10;
  void flush();

  std::ostream& out_;
  std::string text_;
};

}  // namespace oriel::exports
