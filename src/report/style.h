// Colors, if asked for. Widths are to be settled before text is colored.
#pragma once

#include <string>
#include <string_view>

namespace oriel::report {

class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string warning(std::string_view text) const { return wrap("33", text); }
  // A share of the whole, 0 to 1: the hotter the brighter.
  std::string heat(double share, std::string_view text) const {
    if (share >= 0.10) return wrap("1;31", text);
    return share >= 0.02 ? wrap("33", text) : std::string(text);
  }

 private:
  std::string wrap(std::string_view code, std::string_view text) const {
    if (!color_ || text.empty()) return std::string(text);
    return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
  }
  bool color_;
};

}  // namespace oriel::report
