// Names made safe to write: what a profiled program calls its methods is up to the program.
#pragma once

#include <charconv>
#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>

namespace oriel::exporting {

// Valid UTF-8 on one line: line breaks and tabs become spaces; other control characters, line and paragraph separators,
// characters that turn the direction of writing, and bytes that are no UTF-8 become U+FFFD.
std::string clean_text(std::string_view text);

// `text`, cleaned, as a JSON string with its quotes.
std::string json_string(std::string_view text);

// JSON that stands inside an HTML <script> element: no '<', '>' or '&' is left in it. They occur in strings only.
std::string escape_for_script(std::string_view json);

// Text on its way to a stream, in large pieces: of files with a line for each line of a program, streams take most of
// the time. All of it is there once this is gone.
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

}  // namespace oriel::exporting
