// Tables and colors.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::report {

// Colors, if requested. Pad and cut text before coloring it.
class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string warning(std::string_view text) const { return wrap("33", text); }
  // Color by share of the whole, 0 to 1.
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

// Rows of aligned cells. The last column gets the rest of the line and fits its text to it, or breaks it into lines.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };
  using Fit = std::function<std::string(size_t width)>;

  // `columns` without the last, flexible one, whose title is `last`.
  Table(std::vector<Column> columns, std::string last) : columns_(std::move(columns)), last_(std::move(last)) {}

  // `share` colors the first cell; negative: no color.
  void add(std::vector<std::string> cells, Fit last, double share = -1);
  bool empty() const { return rows_.empty(); }

  // Lines are indented by `indent` blanks and have at most `width` columns.
  void write(std::ostream& out, size_t width, size_t indent, const Style& style) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Fit last;
    double share = -1;
  };
  std::vector<size_t> column_widths() const;
  std::vector<Column> columns_;
  std::string last_;
  std::vector<Row> rows_;
};

}  // namespace oriel::report
