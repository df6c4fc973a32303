// Rows of aligned cells; the last column takes what room the line has left and fits its text into it.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "report/style.h"

namespace oriel::report {

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

  // `share` colors the first cell; negative: not.
  void add(std::vector<std::string> cells, Fit last, double share = -1);
  bool empty() const { return rows_.empty(); }

  // Each line begins with `indent` blanks and is at most `width` columns.
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
